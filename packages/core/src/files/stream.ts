import { fileProtocol } from '@qd/protocol/files'
import { parseStreamClose } from '@qd/protocol/stream-close'
import type { Cancel, Ports } from '../api/index.ts'
import { AppError } from '../errors.ts'

export interface FileStream {
  send(message: Uint8Array): void
  /** The next message; undefined if none arrives within `ms`. Errors: `streamEnded`, `cancelled`. */
  next(ms: number): Promise<Uint8Array | undefined>
  /** A message that has arrived already. Errors: as `next`. */
  taken(): Uint8Array | undefined
  /** Bytes that were sent and are still in the socket. */
  buffered(): number
  isOpen(): boolean
  /** Ends pending calls with this error (default `cancelled`). */
  close(error?: AppError): void
}

/** `isOurs`: the server sends close codes. */
export interface FileStreamOptions {
  ports: Pick<Ports, 'openSocket' | 'setTimer'>
  url: string
  headers: Readonly<Record<string, string>>
  isOurs: boolean
}

/** Bytes that may wait to be read before the other side is held back. */
const maxWaiting = 4 * 1024 * 1024

/** Messages sent before the stream is open are queued. */
export function openFileStream({ ports, url, headers, isOurs }: FileStreamOptions): FileStream {
  const arrived: Uint8Array[] = []
  const early: Uint8Array[] = []
  let waiting = 0
  let isLive = false
  let over: AppError | null = null
  let wake: (() => void) | null = null
  let isHeld = false

  const hold = (isOn: boolean) => {
    if (isHeld === isOn) return
    isHeld = isOn
    socket.flow?.(!isOn)
  }
  const end = (error: AppError) => {
    over ??= error
    wake?.()
  }
  const taken = (): Uint8Array | undefined => {
    const message = arrived.shift()
    if (!message) {
      if (over) throw over
      return undefined
    }
    waiting -= message.length
    if (waiting < maxWaiting / 2) hold(false)
    return message
  }
  const socket = ports.openSocket(
    { url, protocols: isOurs ? [fileProtocol] : [], headers },
    {
      open() {
        isLive = true
        // Close the opened socket: the server counts an unused session for a while.
        if (over) return socket.close()
        for (const message of early.splice(0)) socket.send(message)
      },
      message(data) {
        const message = typeof data === 'string' ? new TextEncoder().encode(data) : data
        if (message.length === 0 || over) return
        arrived.push(message)
        waiting += message.length
        if (waiting > maxWaiting) hold(true)
        wake?.()
      },
      close: (code) => end(new AppError('streamEnded', { reason: parseStreamClose(code) ?? 'lost' })),
    },
  )
  return {
    taken,
    isOpen: () => over === null,
    buffered: () => socket.buffered?.() ?? 0,
    send(message) {
      if (over) throw over
      if (isLive) socket.send(message)
      else early.push(message)
    },
    async next(ms) {
      const message = taken()
      if (message) return message
      let cancel: Cancel = () => undefined
      await new Promise<void>((resolve) => {
        wake = resolve
        cancel = ports.setTimer(resolve, ms)
      })
      wake = null
      cancel()
      return taken()
    },
    close(error = new AppError('cancelled')) {
      if (over) return
      end(error)
      arrived.length = 0
      hold(false)
      if (isLive) socket.close()
    },
  }
}
