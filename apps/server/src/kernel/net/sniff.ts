import type { Socket } from 'node:net'

/** Who takes a connection once its kind is known. The socket is paused and has nothing consumed. */
export interface Takers {
  http(socket: Socket): void
  http2(socket: Socket): void
  tls(socket: Socket): void
}

/** Bytes with which a client that knows the server to speak HTTP/2 begins (RFC 9113, 3.4). */
const preface = Buffer.from('PRI * HTTP/2.0')
const tlsHandshake = 0x16
/** A connection that says nothing for this long is closed. */
const silenceMs = 10_000

/** Looks at the first bytes of new connections, also when they come one at a time, and hands each on. */
export function createSniffer(takers: Takers): (socket: Socket) => void {
  return (socket) => {
    let seen = Buffer.alloc(0)
    const stop = () => {
      clearTimeout(timer)
      socket.off('data', look)
      socket.off('close', stop)
    }
    const timer = setTimeout(() => socket.destroy(), silenceMs)
    const look = (bytes: Buffer) => {
      seen = Buffer.concat([seen, bytes])
      const kind = kindOf(seen)
      if (kind === null) return
      stop()
      socket.pause()
      socket.unshift(seen)
      takers[kind](socket)
    }
    socket.on('data', look)
    socket.on('close', stop)
  }
}

/** What a connection speaks; null while it may still become HTTP/2. */
function kindOf(seen: Buffer): keyof Takers | null {
  if (seen[0] === tlsHandshake) return 'tls'
  const length = Math.min(seen.length, preface.length)
  if (!seen.subarray(0, length).equals(preface.subarray(0, length))) return 'http'
  return length === preface.length ? 'http2' : null
}
