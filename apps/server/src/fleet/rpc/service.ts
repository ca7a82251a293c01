import {
  type handleBidiStreamingCall,
  type handleUnaryCall,
  Metadata,
  type ServerDuplexStream,
  type ServiceDefinition,
  status,
} from '@grpc/grpc-js'
import { type Codec, type Method, type MethodName, methods } from '@qd/protocol/methods'
import { toRelayedMessage } from '@qd/protocol/stream-frames'
import { extensionHeader, extensionVersion, updateKeyHeader } from '@qd/protocol/task-types'
import type { ServerRow } from '../../store/records/rows.ts'
import { CallError } from './authenticate.ts'
import { type CredentialsFirst, type KnownCaller, toCallError } from './credentials-first.ts'
import type { AgentConnection } from './duplicate-agents.ts'

type Request<Name extends MethodName> = (typeof methods)[Name] extends Method<infer R, infer _> ? R : never
type Response<Name extends MethodName> = (typeof methods)[Name] extends Method<infer _, infer R> ? R : never

export interface AgentStream<Out> {
  server: ServerRow
  from: AgentConnection
  send(message: Out): void
  fail(details: string, code?: status): void
  /** For relays, whose directions end separately. */
  relay: {
    /** False: wait for `drained`. */
    send(message: Out, bytes: number): boolean
    flow(isOn: boolean): void
    finish(): void
  }
}

/** `over` is called exactly once. */
export interface StreamHandler<In> {
  message(message: In): void
  /** Absent: the call ends with `EOF`. */
  halfClosed?(): void
  drained?(): void
  over(): void
}

type Callers = Pick<CredentialsFirst, 'callerOf' | 'updateKey'>

// grpc-js needs only these parts of a Buffer.
const relayed = toRelayedMessage as unknown as (message: unknown) => Buffer

export const serviceDefinition: ServiceDefinition = Object.fromEntries(
  Object.entries(methods).map(([name, { path, requestStream, responseStream, request, response }]) => [
    name,
    {
      path,
      requestStream,
      responseStream,
      requestSerialize: toBuffer(request as Codec<unknown>),
      requestDeserialize: (bytes: Buffer) => request.decode(bytes),
      responseSerialize: name === 'IOStream' ? relayed : toBuffer(response as Codec<unknown>),
      responseDeserialize: (bytes: Buffer) => response.decode(bytes),
    },
  ]),
)

/** Encodes the same message once in a row, such as the receipt of reports: grpc-js copies the bytes. */
function toBuffer(codec: Codec<unknown>): (message: unknown) => Buffer {
  let last: unknown
  let buffer: Buffer = Buffer.alloc(0)
  return (message) => {
    if (message === last) return buffer
    const bytes = codec.encode(message)
    last = message
    buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return buffer
  }
}

/** Announces docs/reference/agent-extensions.md and the signing key on every call. */
function announcement({ updateKey }: Callers): Metadata {
  const metadata = new Metadata()
  metadata.set(updateKeyHeader, updateKey)
  metadata.set(extensionHeader, extensionVersion)
  return metadata
}

export function unary<Name extends MethodName>(
  from: Callers,
  answer: (server: ServerRow, request: Request<Name>, caller: KnownCaller) => Response<Name>,
): handleUnaryCall<Request<Name>, Response<Name>> {
  return (call, callback) => {
    call.sendMetadata(announcement(from))
    const caller = from.callerOf(call.metadata)
    try {
      callback(null, answer(caller.server, call.request, caller))
    } catch (error) {
      callback(toCallError(error))
    }
  }
}

export function streaming<Name extends MethodName>(
  from: Callers,
  open: (stream: AgentStream<Response<Name>>) => StreamHandler<Request<Name>>,
): handleBidiStreamingCall<Request<Name>, Response<Name>> {
  return (call) => {
    let isOver = false
    let handler: StreamHandler<Request<Name>> | null = null
    const over = () => {
      if (isOver) return
      isOver = true
      handler?.over()
    }
    const fail = (error: CallError) => {
      if (isOver) return
      over()
      call.emit('error', error)
    }
    const relay = createRelay(call, () => handler?.drained?.())
    call.on('cancelled', over)
    call.on('error', over)
    call.on('close', over)
    call.sendMetadata(announcement(from))
    const { server, address, peer } = from.callerOf(call.metadata)
    handler = open({
      server,
      from: { address, peer },
      send: (message) => write(call, message, isOver),
      fail: (details, code = status.UNKNOWN) => fail(new CallError(code, details)),
      relay: {
        ...relay,
        finish() {
          if (isOver) return
          over()
          call.end()
        },
      },
    })
    call.on('data', (message: Request<Name>) => isOver || handler?.message(message))
    // An agent that half-closes waits for the server's status (agent contract 2.6).
    call.on('end', () => {
      if (handler?.halfClosed) handler.halfClosed()
      else fail(new CallError(status.UNKNOWN, 'EOF'))
    })
  }
}

/** Stops reading from a peer that doesn't read. */
function write<In, Out>(call: ServerDuplexStream<In, Out>, message: Out, isOver: boolean) {
  if (isOver || call.write(message) || call.isPaused()) return
  call.pause()
  call.once('drain', () => call.resume())
}

/** Unsent bytes before the other end is paused: more than the largest paste. */
const maxUnsentBytes = 1024 * 1024

function createRelay<In, Out>(call: ServerDuplexStream<In, Out>, drained: () => void) {
  let unsent = 0
  let isFull = false
  return {
    send(message: Out, bytes: number): boolean {
      unsent += bytes
      call.write(message, () => {
        unsent -= bytes
        if (!isFull || unsent > 0) return
        isFull = false
        drained()
      })
      isFull ||= unsent > maxUnsentBytes
      return !isFull
    },
    flow: (isOn: boolean) => void (isOn ? call.resume() : call.pause()),
  }
}
