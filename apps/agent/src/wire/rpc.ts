import {
  Client,
  type ClientDuplexStream,
  type ClientUnaryCall,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import { type Method, methods } from '@qd/protocol/methods'
import { relayWindowBytes, toRelayedMessage } from '@qd/protocol/stream-frames'
import {
  enrollmentHeader,
  extensionHeader,
  hostnameHeader,
  updateKeyHeader,
  watchOnlyHeader,
} from '@qd/protocol/task-types'
import type { AgentConfig } from '../config/agent-config.ts'
import type { Machine } from '../machine/machine.ts'

/** How the server ended a call: a gRPC status and its text. */
export interface CallEnd {
  code: number
  details: string
}

/** A call that carries messages both ways until either side ends it. */
export interface Stream<Request, Response> {
  /** Discards the message if the call is over. Returns false if the other end is slow: wait for `drained` before the next. */
  send(message: Request): boolean
  /** Resolves when all sent messages are on their way, or the call is over. */
  drained(): Promise<void>
  /** What the server sends. Errors: throws a `CallEnd`-like error when the server ends the call badly. */
  readonly messages: AsyncIterable<Response>
  readonly ended: Promise<CallEnd>
  /** Ends our side; the server then ends the call. Resolves when all sent messages are on their way, or the call is over. */
  halfClose(): Promise<void>
  cancel(): void
}

/** Answer to a unary call, with the version of our extensions if the server announces them. */
export interface Answer<Response> {
  response: Response
  extension: string | undefined
  /** The key by which the server signs agents, if it says one. */
  updateKey: string | undefined
}

/** One connection to the server and the calls on it. */
export interface Channel {
  /** Errors: rejects with a `CallEnd`-like error. */
  call<Request, Response>(
    method: Method<Request, Response>,
    request: Request,
    timeoutMs: number,
  ): Promise<Answer<Response>>
  open<Request, Response>(method: Method<Request, Response>): Stream<Request, Response>
  /** Cancels the unary calls that are under way; streams must have been ended. */
  close(): Promise<void>
}

/** Whether an error says that the server does not accept the secret or the uuid. */
export const isRefusal = (error: unknown): boolean => (error as Partial<CallEnd>).code === status.UNAUTHENTICATED

/** Text of a failure on one line, without control characters that a hostile server could send to a terminal. */
export const toReason = (error: unknown): string => {
  const { details, message } = error as Partial<ServiceError>
  const text = (details || message || String(error)).replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 300)
  // The library puts the cause of a failed connection into a sentence of its own.
  return /Last error: (?:Error: )?(.*?)\.? Resolution note:/.exec(text)?.[1] ?? text
}

/** Relayed pieces are copied when they are sent, and once. */
const serializerOf = <Request>({ path, request }: Method<Request, unknown>): ((message: Request) => Buffer) => {
  if (path === methods.IOStream.path) return toRelayedMessage as unknown as (message: Request) => Buffer
  return (message) => {
    const bytes = request.encode(message)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
}

/**
 * Runs work that resets calls, after the handling of incoming data has finished. If a call is reset while Node handles
 * the peer's reset of another call, Node sends empty frames for ever: it hangs and uses all memory.
 */
const outside = (act: () => void): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(() => {
      act()
      resolve()
    })
  })

const toStream = <Request, Response>(call: ClientDuplexStream<Request, Response>): Stream<Request, Response> => {
  // The end of a call is reported by `ended` and by `messages`; a third report must not end the process.
  call.on('error', () => undefined)
  const ended = new Promise<CallEnd>((resolve) => call.on('status', ({ code, details }) => resolve({ code, details })))
  let isOver = false
  const over = ended.then(() => {
    isOver = true
  })
  return {
    send: (message) => isOver || call.writableEnded || call.write(message),
    drained: () => Promise.race([new Promise<void>((resolve) => call.once('drain', resolve)), over]),
    messages: call,
    ended,
    halfClose() {
      const sent = new Promise<void>((resolve) => call.once('finish', resolve))
      call.end()
      return Promise.race([sent, over])
    },
    cancel: () => void outside(() => call.cancel()),
  }
}

const isLoopback = (server: string): boolean => /^(127\.|localhost:|\[::1\])/.test(server)

/** Makes a new connection, which connects at the first call. It reuses no earlier connection or back-off of the library. */
export const createChannel = (
  { server, client_secret: secret, uuid, tls, insecure_tls }: AgentConfig,
  { wallNow, hostname }: Pick<Machine, 'wallNow' | 'hostname'>,
  /** What a host that enrolls, is watch-only, or runs beside its server says besides. */
  {
    code,
    isWatchOnly = false,
    sendsHostname = false,
  }: { code?: string | undefined; isWatchOnly?: boolean; sendsHostname?: boolean } = {},
): Channel => {
  const client = new Client(
    server,
    tls ? credentials.createSsl(null, null, null, { rejectUnauthorized: !insecure_tls }) : credentials.createInsecure(),
    {
      'grpc.primary_user_agent': 'quarterdeck-agent',
      'grpc.use_local_subchannel_pool': 1,
      'grpc.enable_retries': 0,
      'grpc-node.flow_control_window': relayWindowBytes,
      'grpc.service_config_disable_resolution': 1,
      'grpc.enable_http_proxy': isLoopback(server) ? 0 : 1,
    },
  )
  // Both spellings: some proxies drop names with underscores. Source: agent contract 1.5.
  const metadata = (): Metadata => {
    const entries = new Metadata()
    for (const key of ['client-secret', 'client_secret']) entries.set(key, secret)
    for (const key of ['client-uuid', 'client_uuid']) entries.set(key, uuid)
    if (code !== undefined) entries.set(enrollmentHeader, code)
    if (isWatchOnly) entries.set(watchOnlyHeader, '1')
    const name = code !== undefined || sendsHostname ? hostname() : ''
    if (/^[\w.-]{1,128}$/.test(name)) entries.set(hostnameHeader, name)
    return entries
  }
  const pending = new Set<ClientUnaryCall>()
  return {
    call: <Request, Response>(method: Method<Request, Response>, request: Request, timeoutMs: number) =>
      new Promise<Answer<Response>>((resolve, reject) => {
        let extension: string | undefined
        let updateKey: string | undefined
        const call = client.makeUnaryRequest(
          method.path,
          serializerOf(method),
          method.response.decode,
          request,
          metadata(),
          { deadline: wallNow() + timeoutMs },
          (error, response) => {
            pending.delete(call)
            if (error) reject(error)
            else resolve({ response: response!, extension, updateKey })
          },
        )
        pending.add(call)
        call.on('metadata', (headers: Metadata) => {
          extension = headers.get(extensionHeader)[0]?.toString()
          updateKey = headers.get(updateKeyHeader)[0]?.toString()
        })
      }),
    open: (method) =>
      toStream(client.makeBidiStreamRequest(method.path, serializerOf(method), method.response.decode, metadata(), {})),
    close: () =>
      outside(() => {
        for (const call of pending) call.cancel()
        client.close()
      }),
  }
}
