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

export interface CallEnd {
  code: number
  details: string
}

export interface Stream<Request, Response> {
  /** Discards messages after the end. False: wait for `drained`. */
  send(message: Request): boolean
  /** Resolves when everything is sent, or the call has ended. */
  drained(): Promise<void>
  /** Throws a `CallEnd`-like error if the server ends the call badly. */
  readonly messages: AsyncIterable<Response>
  readonly ended: Promise<CallEnd>
  halfClose(): Promise<void>
  cancel(): void
}

export interface Answer<Response> {
  response: Response
  extension: string | undefined
  updateKey: string | undefined
}

export type Channel = ReturnType<typeof createChannel>

/** Wrong secret or UUID. */
export const isRefusal = (error: unknown): boolean => (error as Partial<CallEnd>).code === status.UNAUTHENTICATED

/** One line without control characters, which a hostile server could send. */
export const toReason = (error: unknown): string => {
  const { details, message } = error as Partial<ServiceError>
  const text = (details || message || String(error)).replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 300)
  // grpc-js wraps the cause of a failed connection.
  return /Last error: (?:Error: )?(.*?)\.? Resolution note:/.exec(text)?.[1] ?? text
}

/** Relayed pieces are copied only once. */
const serializerOf = <Request>({ path, request }: Method<Request, unknown>): ((message: Request) => Buffer) => {
  if (path === methods.IOStream.path) return toRelayedMessage as unknown as (message: Request) => Buffer
  return (message) => {
    const bytes = request.encode(message)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
}

/** Defers work that resets calls: a reset while Node handles the peer’s reset of another call makes it send empty frames forever. */
const outside = (act: () => void): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(() => {
      act()
      resolve()
    })
  })

const toStream = <Request, Response>(call: ClientDuplexStream<Request, Response>): Stream<Request, Response> => {
  // Already reported by `ended` and `messages`.
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

/** Connects at the first call, without earlier connections or backoff of the library. */
export const createChannel = (
  { server, client_secret: secret, uuid, tls, insecure_tls }: AgentConfig,
  { wallNow, hostname }: Pick<Machine, 'wallNow' | 'hostname'>,
  {
    code,
    isWatchOnly = false,
    sendsHostname = false,
  }: { code?: string | undefined; isWatchOnly?: boolean; sendsHostname?: boolean } = {},
) => {
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
  // Both spellings: some proxies drop underscores (agent contract 1.5).
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
    /** Rejects with a `CallEnd`-like error. */
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
    open: <Request, Response>(method: Method<Request, Response>): Stream<Request, Response> =>
      toStream(client.makeBidiStreamRequest(method.path, serializerOf(method), method.response.decode, metadata(), {})),
    /** Cancels unary calls; end streams first. */
    close: (): Promise<void> =>
      outside(() => {
        for (const call of pending) call.cancel()
        client.close()
      }),
  }
}
