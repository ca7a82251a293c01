import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type NetConnectOpts, type Socket } from 'node:net'

/**
 * What one read takes at most: of a connection that was taken over, and of others, whose bytes the parser copies; what is larger than 128 KiB the
 * system gives and takes back page by page. In bytes.
 */
const mostRead = 256 * 1024
const usualRead = 64 * 1024
/** A shorter answer is not worth a connection of its own. In bytes. */
const leastBody = 1024 * 1024

/** What a connection reads into, and who gets it; false: read on only after `resume()`. */
interface Taker {
  memory: Buffer
  take(bytes: Buffer): boolean
}

/** Connections that can be taken over, each once. */
const takeOver = new WeakMap<Socket, (taker: Taker) => void>()

/**
 * Opens a connection that takes no new memory for each read, which would make the collector run several times in one large answer. Only for
 * Node's HTTP parser, which copies what it passes on.
 */
export function connectStraight(options: NetConnectOpts): Socket {
  let taker: Taker | null = null
  // Its own: another connection's next read would write over what nobody has read of this one.
  let memory = Buffer.allocUnsafeSlow(usualRead)
  const socket: Socket = connect({
    ...options,
    onread: {
      buffer: () => taker?.memory ?? memory,
      callback(size, into) {
        const bytes = Buffer.from(into.buffer, into.byteOffset, size)
        if (taker) return taker.take(bytes)
        const isWanted = socket.push(bytes)
        // What nobody has read yet keeps the memory.
        if (socket.readableLength > 0) memory = Buffer.allocUnsafeSlow(usualRead)
        return isWanted
      },
    },
  })
  takeOver.set(socket, (given) => {
    taker = given
    takeOver.delete(socket)
  })
  return socket
}

/**
 * Passes the body of an answer on from socket to socket, without the streams of HTTP between; false if it must go another way: its length is not
 * told, it is short, or a connection is TLS. `done` is called once, with true if all of it has gone on; the dashboard's connection has then ended.
 */
export function passStraight(
  answer: IncomingMessage,
  response: ServerResponse,
  done: (isWhole: boolean) => void,
): boolean {
  const { socket: from } = answer
  const { socket: to } = response
  const length = Number(answer.headers['content-length'] ?? 0)
  const isKnown = answer.headers['transfer-encoding'] === undefined && length >= leastBody
  const take = takeOver.get(from)
  const isBare = response.req.method === 'HEAD' || answer.statusCode === 304
  if (!isKnown || isBare || !to || !take) return false
  response.flushHeaders()
  let left = length
  let isOver = false
  const end = () => {
    if (isOver) return
    isOver = true
    from.destroy()
    done(left === 0)
  }
  const write = (bytes: Buffer): boolean => {
    if (isOver) return false
    const part = bytes.length > left ? bytes.subarray(0, left) : bytes
    left -= part.length
    const isLast = left === 0
    to.write(part, () => (isLast ? end() : from.resume()))
    // The memory is read into again only when all of it has gone.
    return !isLast && to.writableLength === 0
  }
  answer.on('data', write).on('error', end).once('close', end)
  take({ memory: Buffer.allocUnsafeSlow(mostRead), take: write })
  return true
}
