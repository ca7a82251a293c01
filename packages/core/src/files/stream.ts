import { fileProtocol } from '@qd/protocol/files'
import { parseStreamClose } from '@qd/protocol/stream-close'
import type { Cancel, Ports } from '../api/index.ts'
import { AppError } from '../errors/index.ts'

/** One opened stream to the files of a server: messages in order, taken one by one, with back-pressure both ways. */
export interface FileStream {
  send(message: Uint8Array): void
  /** The next message; undefined when none came within `ms`. Errors: `streamEnded`, `cancelled`. */
  next(ms: number): Promise<Uint8Array | undefined>
  /** What has come and was not taken. Errors: as `next`. */
  taken(): Uint8Array | undefined
  /** Bytes sent that are still on this side. */
  buffered(): number
  /** Whether it can still be used. */
  isOpen(): boolean
  /** Whoever waits gets this error, `cancelled` when none is given. */
  close(error?: AppError): void
}

/** What a stream is opened with. `isOurs`: the server says why it closes. */
export interface FileStreamOptions {
  ports: Pick<Ports, 'openSocket' | 'setTimer'>
  url: string
  headers: Readonly<Record<string, string>>
  isOurs: boolean
}

/** Bytes that may wait to be taken before the other side is held back. */
const maxWaiting = 4 * 1024 * 1024

/** Opens a stream; messages that are sent before it is open wait. */
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
        // Closed while it opened: a session that nobody opens would stay counted for a while.
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
