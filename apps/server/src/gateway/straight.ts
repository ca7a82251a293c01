import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type NetConnectOpts, type Socket } from 'node:net'

/** What one read takes at most: of a body that is passed straight on, of a long one, and of all else, which the parser copies. In bytes. */
const mostRead = 64 * 1024
const mostOfLong = 256 * 1024
const usualRead = 16 * 1024
/** A shorter body is one read or two. In bytes. */
const leastBody = 32 * 1024
const longBody = 2 * 1024 * 1024

/** The field of Node's HTTP parser with what it calls for each piece of a body, and that function's name. Both are Node's own (docs/traps.md). */
const onBody = 3
const onBodyName = 'parserOnBody'
type Parser = Record<number, unknown>

/** Who takes what a connection reads, and into which memory it reads meanwhile. */
interface Taker {
  /** Null while nobody does. False: read on only after `resume()`. */
  take: ((bytes: Buffer) => boolean) | null
  memory: Buffer
}

/** Connections whose bytes can be taken. */
const takers = new WeakMap<Socket, Taker>()

/**
 * Opens a connection that reads into the same memory again and again, since new memory for each piece makes the collector run several times in
 * one large answer. Only for Node's HTTP parser, which copies what it passes on.
 */
export function connectStraight(options: NetConnectOpts): Socket {
  const usual = Buffer.allocUnsafeSlow(mostRead)
  const taker: Taker = { take: null, memory: usual }
  let memory = usual.subarray(0, usualRead)
  const socket: Socket = connect({
    ...options,
    onread: {
      // What nobody has read yet keeps the memory.
      buffer: () => (taker.take && socket.readableLength === 0 ? taker.memory : memory),
      callback(size, into) {
        const bytes = Buffer.from(into.buffer, into.byteOffset, size)
        const isNext = socket.readableFlowing === true && socket.readableLength === 0
        if (taker.take && isNext) {
          const goesOn = taker.take(bytes)
          // Not `push`, which would read on.
          withoutBody(parserOf(socket), () => socket.emit('data', bytes))
          return goesOn
        }
        const isWanted = socket.push(bytes)
        if (socket.readableLength > 0) memory = Buffer.allocUnsafeSlow(usualRead)
        return isWanted
      },
    },
  })
  takers.set(socket, taker)
  return socket
}

/** There is one while an answer comes. */
const parserOf = (socket: Socket) => (socket as Socket & { parser?: Parser | null }).parser

/** Lets the parser see the end of an answer without a copy of its body. */
function withoutBody(parser: Parser | null | undefined, run: () => void): void {
  if (!parser) {
    run()
    return
  }
  const own = parser[onBody]
  parser[onBody] = null
  try {
    run()
  } finally {
    // Node uses it again for other answers.
    parser[onBody] = own
  }
}

/**
 * Passes the body of an answer on from socket to socket, without the streams of HTTP between; false if it must go another way: its length is not
 * told, it is short, or a connection is TLS. `done` is called once, with true if all of it has gone on.
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
  const isBare = response.req.method === 'HEAD' || answer.statusCode === 304
  const taker = takers.get(from)
  const called = parserOf(from)?.[onBody]
  const canSkip = typeof called === 'function' && called.name === onBodyName
  if (!isKnown || isBare || !to || !taker || !canSkip) return false
  response.flushHeaders()
  let left = length
  // What came together with the headers.
  answer.on('data', (bytes: Buffer) => {
    left -= bytes.length
    to.write(bytes)
  })
  const { memory } = taker
  if (length >= longBody) taker.memory = Buffer.allocUnsafeSlow(mostOfLong)
  taker.take = (bytes) => {
    const part = bytes.subarray(0, left)
    left -= part.length
    if (left > 0) {
      // The memory is read into again only when all of it has gone.
      to.write(part, () => from.resume())
      return to.writableLength === 0
    }
    taker.take = null
    // The connection is free for the next answer, whose bytes come into the same memory.
    to.write(Buffer.from(part))
    return true
  }
  answer.on('error', () => {})
  answer.once('close', () => {
    taker.take = null
    taker.memory = memory
    done(left === 0)
  })
  return true
}
