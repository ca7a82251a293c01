import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type Http2Session,
  type IncomingHttpHeaders,
  type SecureClientSessionOptions,
} from 'node:http2'
import { serviceName } from '@qd/protocol/methods'
import { createDeframer, frame } from '../../../apps/server/src/demo/call.ts'
import { createInbox, type Inbox } from './inbox.ts'

export { createDeframer, credentials, frame } from '../../../apps/server/src/demo/call.ts'

/** What the server did on one call, in the order it came. `rst-stream` also stands for a call cut by a lost connection. */
export type CallEvent =
  | { event: 'response-headers'; headers: IncomingHttpHeaders }
  | { event: 'message'; bytes: Uint8Array; hex: string }
  | { event: 'trailers'; status: number; text: string }
  | { event: 'rst-stream'; code: number }

/** What the server did to the whole connection. */
export type ConnectionEvent = { event: 'goaway'; code: number } | { event: 'tcp-fin' }

/** One gRPC call, sent and read by hand. */
export interface PeerCall extends Inbox<CallEvent> {
  /** Sends one message; the 5-byte prefix is added. Text is hex. */
  send(message: Uint8Array | string): void
  /** Sends bytes as they are, without a prefix. */
  sendRaw(bytes: Uint8Array): void
  /** Ends our direction (END_STREAM). */
  halfClose(): void
  /** RST_STREAM; 8 is CANCEL. */
  reset(code: number): void
  /** Sends one message; resolves when the server's flow control has let it go. */
  sendWhole(message: Uint8Array): Promise<void>
}

/** An agent's HTTP/2 connection without any gRPC library, so that a test sees exactly what a server does with it. */
export interface Peer extends Inbox<ConnectionEvent> {
  /** Opens a call by method name; `headers` are `name: value` lines as in the recordings, or a record. */
  open(method: string, headers: readonly string[] | Record<string, string>): PeerCall
  /** How much the connection takes before the server has read it: each new call, and all calls together; in bytes. */
  window(): { call: number; connection: number }
  /** Drops the connection without a word, as a killed agent does. */
  destroy(): void
  /** Says goodbye and waits until the connection is gone. */
  close(): Promise<void>
}

/** Where the server listens; `ca` makes it TLS with that certificate trusted. */
export interface PeerTarget {
  port: number
  host?: string
  ca?: string
  /** Where the connection comes from: any address of 127.0.0.0/8. */
  from?: string
}

const toRecord = (headers: readonly string[] | Record<string, string>): Record<string, string> =>
  Array.isArray(headers)
    ? Object.fromEntries(
        headers.map((line: string) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
      )
    : { ...(headers as Record<string, string>) }

/** What the other end allows to be on its way. */
export const windowOf = ({ remoteSettings, state }: Http2Session): { call: number; connection: number } => ({
  call: remoteSettings.initialWindowSize ?? 0,
  connection: state.remoteWindowSize ?? 0,
})

const createCall = (stream: ClientHttp2Stream): PeerCall => {
  const inbox = createInbox<CallEvent>()
  let halfClosed = false
  const trailersOf = (headers: IncomingHttpHeaders) =>
    inbox.push({
      event: 'trailers',
      status: Number(headers['grpc-status']),
      text: decodeURIComponent(String(headers['grpc-message'] ?? '')),
    })
  stream.on('response', (headers) => {
    inbox.push({ event: 'response-headers', headers })
    if (headers['grpc-status'] !== undefined) trailersOf(headers)
  })
  stream.on(
    'data',
    createDeframer((bytes) => inbox.push({ event: 'message', bytes, hex: bytes.toString('hex') })),
  )
  stream.on('trailers', trailersOf)
  // A cut call also raises 'error'; it is reported once, by 'close'.
  stream.on('error', () => undefined)
  stream.on('close', () => {
    if (stream.rstCode !== 0 || !halfClosed) inbox.push({ event: 'rst-stream', code: stream.rstCode })
    inbox.end()
  })
  return {
    ...inbox,
    send: (message) => void stream.write(frame(typeof message === 'string' ? Buffer.from(message, 'hex') : message)),
    sendRaw: (bytes) => void stream.write(bytes),
    halfClose: () => {
      halfClosed = true
      stream.end()
    },
    reset: (code) => stream.close(code),
    sendWhole: (message) => new Promise((resolve) => stream.write(frame(message), () => resolve())),
  }
}

const openCall = (session: ClientHttp2Session, path: string, headers: Record<string, string>): PeerCall =>
  createCall(
    session.request(
      { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers', ...headers },
      { endStream: false },
    ),
  )

/** Connects with prior-knowledge HTTP/2 (or TLS when `ca` is given). Errors: rejects when nobody answers. */
export const connectPeer = ({ port, host = '127.0.0.1', ca, from }: PeerTarget): Promise<Peer> =>
  new Promise((resolve, reject) => {
    const session = connect(`${ca ? 'https' : 'http'}://${host}:${port}`, {
      ...(ca && { ca }),
      ...(from && { localAddress: from }),
    } as SecureClientSessionOptions)
    const inbox = createInbox<ConnectionEvent>()
    session.on('goaway', (code) => inbox.push({ event: 'goaway', code }))
    session.once('error', reject)
    session.on('error', () => undefined)
    const gone = new Promise<void>((done) => session.once('close', done))
    session.once('close', () => {
      inbox.push({ event: 'tcp-fin' })
      inbox.end()
    })
    session.once('remoteSettings', () =>
      resolve({
        ...inbox,
        open: (method, headers) => {
          const record = toRecord(headers)
          return openCall(session, record[':path'] ?? `/${serviceName}/${method}`, withoutPseudo(record))
        },
        window: () => windowOf(session),
        destroy: () => session.destroy(),
        close: () => {
          session.close()
          return gone
        },
      }),
    )
  })

const withoutPseudo = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')))
