import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Line {
  readonly port: number
  hold(): void
  letGo(): void
  close(): void
}

/** A line to the host of a URL that can fall silent without ending. */
export async function startLine(url: string): Promise<Line> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let isHeld = false
  /** What ended on one side while the line was silent. */
  const ended: (() => void)[] = []
  const line = createServer((near) => {
    const far = connect({ host: hostname, port: Number(port) })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    near.on('data', (bytes) => isHeld || far.write(bytes))
    far.on('data', (bytes) => isHeld || near.write(bytes))
    const end = (socket: Socket) => (isHeld ? ended.push(() => socket.destroy()) : socket.destroy())
    near.on('close', () => end(far))
    far.on('close', () => end(near))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => line.once('listening', resolve))
  return {
    port: (line.address() as AddressInfo).port,
    hold: () => {
      isHeld = true
    },
    letGo() {
      isHeld = false
      for (const cut of ended.splice(0)) cut()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      line.close()
    },
  }
}
