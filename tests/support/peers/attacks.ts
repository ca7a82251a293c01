import { connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { serviceName } from '@qd/protocol/methods'
import { credentials } from './h2-peer.ts'

/** Where an attack goes, and from which address of 127.0.0.0/8 it comes. */
export interface Aim {
  port: number
  from: string
}

/** An attack under way. */
export interface Attack {
  /** Connections that the server has ended so far. */
  cut(): number
  close(): void
}

/** What a client that knows the server to speak HTTP/2 begins with, and its empty settings. */
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const settings = rawFrame({ type: 4 })
/** The largest message a server of gRPC takes. */
const mostBytes = 4 * 1024 * 1024

function rawFrame({ length, type, flags = 0, stream = 0, payload = Buffer.alloc(0) }: RawFrame): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(length ?? payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

interface RawFrame {
  /** What the head says; default: the truth. */
  length?: number
  type: number
  flags?: number
  stream?: number
  payload?: Buffer
}

/** Frames that break HTTP/2: data on stream 0, a frame of 8 MB, headers that cannot be decoded. */
const broken = [
  rawFrame({ type: 0, payload: Buffer.from('data') }),
  rawFrame({ length: 0x7fffff, type: 0, stream: 1, payload: Buffer.alloc(100) }),
  rawFrame({ type: 1, flags: 5, stream: 1, payload: Buffer.alloc(6, 0xff) }),
]

/** A connection whose end is counted. */
function dialer({ port, from }: Aim) {
  let cut = 0
  const open = new Set<Socket>()
  return {
    dial(): Socket {
      const socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true })
      open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        if (open.delete(socket)) cut += 1
      })
      socket.resume()
      return socket
    },
    cut: () => cut,
    closeAll() {
      const all = [...open]
      open.clear()
      for (const socket of all) socket.destroy()
    },
  }
}

/** S-53: on each connection 250 calls with a wrong secret, each a message of 4 MB less its last byte. */
export function sendHalfMessages({ port, from, connections }: Aim & { connections: number }): Attack {
  let cut = 0
  const message = Buffer.alloc(mostBytes + 4)
  message.writeUInt32BE(mostBytes, 1)
  const sessions = Array.from({ length: connections }, (_, index) => {
    const session = connectHttp2(`http://127.0.0.1:${port}`, { localAddress: from } as object)
    session.on('error', () => undefined)
    session.on('close', () => {
      cut += 1
    })
    const headers = credentials(`wrong secret ${index}`, '00000000-0000-4000-8000-000000000053')
    for (let call = 0; call < 250; call += 1) {
      const stream = session.request(
        {
          ':method': 'POST',
          ':path': `/${serviceName}/ReportSystemInfo2`,
          'content-type': 'application/grpc',
          ...headers,
        },
        { endStream: false },
      )
      stream.on('error', () => undefined)
      stream.resume()
      stream.write(message)
    }
    return session
  })
  return {
    cut: () => cut,
    close() {
      for (const session of sessions) session.destroy()
    },
  }
}

/** S-54: many calls on one connection, each second `perSecond` of them, sent without waiting for an answer. */
export function sendAhead({ path, perSecond, ...aim }: Aim & { path: string; perSecond: number }): Attack & {
  answers(): number
} {
  const { dial, cut, closeAll } = dialer(aim)
  let answers = 0
  const socket = dial()
  socket.on('data', (bytes: Buffer) => {
    answers += bytes.toString('latin1').split('HTTP/1.1 ').length - 1
  })
  const calls = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(perSecond / 10)
  const timer = setInterval(() => socket.write(calls), 100)
  return {
    answers: () => answers,
    cut,
    close() {
      clearInterval(timer)
      closeAll()
    },
  }
}

/** S-55: connections that break HTTP/2, `perSecond` each second; they stay until `close`. */
export function breakHttp2({ perSecond, ...aim }: Aim & { perSecond: number }): Attack {
  const { dial, cut, closeAll } = dialer(aim)
  let sent = 0
  const timer = setInterval(() => {
    dial().write(Buffer.concat([preface, settings, broken[sent++ % broken.length]!]))
  }, 1000 / perSecond)
  return {
    cut,
    close() {
      clearInterval(timer)
      closeAll()
    },
  }
}

/** Floods of frames that HTTP/2 allows; each a piece that is sent again and again on one connection. */
export const floods: Readonly<Record<string, (turn: number) => Buffer>> = {
  'headers that do not end': (turn) =>
    rawFrame(
      turn === 0
        ? { type: 1, stream: 1, payload: Buffer.from([0x82]) }
        : { type: 9, stream: 1, payload: headerLine.subarray(0, 16_000) },
    ),
  pings: () => Buffer.concat(Array.from({ length: 1000 }, () => rawFrame({ type: 6, payload: Buffer.alloc(8) }))),
  settings: () => Buffer.concat(Array.from({ length: 1000 }, () => settings)),
  'calls that are reset at once': (turn) =>
    Buffer.concat(
      Array.from({ length: 500 }, (_, index) => {
        const stream = 1 + 2 * (turn * 500 + index)
        const head = rawFrame({ type: 1, flags: 4, stream, payload: Buffer.from([0x82, 0x84, 0x86]) })
        return Buffer.concat([head, rawFrame({ type: 3, stream, payload: Buffer.from([0, 0, 0, 8]) })])
      }),
    ),
}

/** A header of HPACK that is not kept: a name of one letter and a value of 15,990. */
const headerLine = Buffer.concat([Buffer.from([0x00, 0x01, 0x78, 0x7f, 0xf7, 0x7b]), Buffer.alloc(16_000, 0x61)])

/** Sends one of the floods on a connection that reads nothing, until the server ends it. */
export function floodWith({ piece, ...aim }: Aim & { piece: (turn: number) => Buffer }): Attack {
  const { dial, cut, closeAll } = dialer(aim)
  const socket = dial()
  socket.pause()
  socket.write(Buffer.concat([preface, settings]))
  let turn = 0
  const timer = setInterval(() => {
    // What the system still takes; a socket that nobody reads from takes no more.
    if (socket.writable && socket.writableLength < 4 * mostBytes) socket.write(piece(turn++))
  }, 5)
  return {
    cut,
    close() {
      clearInterval(timer)
      closeAll()
    },
  }
}

/** Issue 37.6: calls that are reset at once, on one connection after the other. */
export function resetRapidly(aim: Aim): Attack {
  const piece = floods['calls that are reset at once']!
  let ended = 0
  let current = floodWith({ ...aim, piece })
  const timer = setInterval(() => {
    if (current.cut() === 0) return
    ended += 1
    current.close()
    current = floodWith({ ...aim, piece })
  }, 5)
  return {
    cut: () => ended,
    close() {
      clearInterval(timer)
      current.close()
    },
  }
}

/** S-56: many connections at once that begin with `words` and say nothing more; with `reads: false` they read no answer either. */
export function openMany({
  count,
  words,
  reads = true,
  ...aim
}: Aim & { count: number; words: string; reads?: boolean }): Attack {
  const { dial, cut, closeAll } = dialer(aim)
  for (let index = 0; index < count; index += 1) {
    const socket = dial()
    if (!reads) socket.pause()
    socket.write(words)
  }
  return { cut, close: closeAll }
}

/** Issue 37.3: sign-ins whose body never comes. */
export const bodyless =
  'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n'
/** Issue 37.3: calls with long answers, for connections that do not read. */
export const unread = 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50)
