import { createServer as createHttpServer, type RequestListener } from 'node:http'
import {
  createSecureServer,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { createDeframer, frame, windowOf } from './h2-peer.ts'
import { createInbox, type Inbox } from './inbox.ts'

/** What an agent did, in the order it came; `connection` counts from 1, `call` is the HTTP/2 stream id. */
export type AgentEvent =
  | { event: 'tcp-open'; connection: number }
  | { event: 'open'; connection: number; method: string; headers: IncomingHttpHeaders; call: ServerCall }
  | { event: 'message'; connection: number; method: string; bytes: Buffer; call: ServerCall }
  | { event: 'half-close'; connection: number; method: string; call: ServerCall }
  | { event: 'rst-stream'; connection: number; method: string; code: number; call: ServerCall }
  | { event: 'goaway'; connection: number; code: number }
  | { event: 'tcp-fin'; connection: number }

/** The server's end of one call, written by hand. */
export interface ServerCall {
  readonly id: number
  readonly method: string
  /** Response headers; extra ones by name. */
  respond(extra?: Record<string, string>): void
  /** One message; the 5-byte prefix is added. Text is hex. */
  send(message: Uint8Array | string): void
  /** Trailers, and with them the end of the call. */
  end(status: number, text?: string): void
  /** RST_STREAM; 0 is NO_ERROR. */
  reset(code: number): void
  /** Takes nothing more from the agent until `resume`. */
  pause(): void
  resume(): void
}

/** An agent's server without any gRPC library; it does nothing by itself but write down what the agent does. */
export interface RawServer extends Inbox<AgentEvent> {
  readonly port: number
  /** How much the newest connection takes before the agent has read it: each new call, and all calls together; in bytes. */
  window(): { call: number; connection: number }
  /** GOAWAY on the newest connection; its calls go on. */
  goaway(): void
  /** Drops the newest connection without a word. */
  drop(): void
  close(): Promise<void>
}

/**
 * Listens on a free loopback port, with TLS when given a certificate; without it `pages` answers HTTP/1. An event for which `answer` returns true is done
 * with and does not reach the inbox.
 */
export const startRawServer = async (
  answer: (event: AgentEvent) => boolean = () => false,
  tls?: { cert: string; key: string },
  pages?: RequestListener,
): Promise<RawServer> => {
  const inbox = createInbox<AgentEvent>()
  const push = (event: AgentEvent) => answer(event) || inbox.push(event)
  const sessions: ServerHttp2Session[] = []
  const server = tls ? createSecureServer(tls) : createServer()
  server.on('session', (session) => {
    const connection = sessions.push(session)
    push({ event: 'tcp-open', connection })
    session.on('goaway', (code) => push({ event: 'goaway', connection, code }))
    session.on('error', () => undefined)
    session.on('close', () => push({ event: 'tcp-fin', connection }))
    session.on('stream', (stream, headers) => watchCall(stream, headers, connection))
  })
  const watchCall = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, connection: number) => {
    const call = createServerCall(stream, String(headers[':path']).split('/').at(-1)!)
    const { method } = call
    push({ event: 'open', connection, method, headers, call })
    stream.on(
      'data',
      createDeframer((bytes) => push({ event: 'message', connection, method, bytes, call })),
    )
    stream.on('end', () => stream.aborted || push({ event: 'half-close', connection, method, call }))
    stream.on('aborted', () => push({ event: 'rst-stream', connection, method, code: stream.rstCode, call }))
    stream.on('error', () => undefined)
  }
  const http = createHttpServer(pages)
  // As in our own server, the first bytes tell which of the two protocols a connection speaks.
  const front = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (bytes) => {
      socket.pause()
      socket.unshift(bytes)
      const isHttp2 = bytes.toString('latin1').startsWith('PRI ')
      ;(isHttp2 ? server : http).emit('connection', socket)
      if (!isHttp2) socket.resume()
    })
  })
  const listener = tls ? server : front
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return {
    ...inbox,
    port: (listener.address() as AddressInfo).port,
    window: () => windowOf(sessions.at(-1)!),
    goaway: () => sessions.at(-1)!.goaway(0),
    drop: () => sessions.at(-1)!.destroy(),
    close: () => {
      for (const session of sessions) session.destroy()
      return new Promise((resolve) => listener.close(() => resolve()))
    },
  }
}

const createServerCall = (stream: ServerHttp2Stream, method: string): ServerCall => {
  let trailers = {}
  stream.on('wantTrailers', () => stream.sendTrailers(trailers))
  return {
    id: stream.id!,
    method,
    respond: (extra = {}) =>
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...extra }, { waitForTrailers: true }),
    send: (message) => void stream.write(frame(typeof message === 'string' ? Buffer.from(message, 'hex') : message)),
    end: (status, text = '') => {
      trailers = { 'grpc-status': String(status), ...(text ? { 'grpc-message': encodeURIComponent(text) } : {}) }
      stream.end()
    },
    reset: (code) => stream.close(code),
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
  }
}
