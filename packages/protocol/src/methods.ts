import {
  GeoIP,
  Host,
  IOStreamData,
  type MessageFns,
  Receipt,
  State,
  Task,
  TaskResult,
  Uint64Receipt,
} from './agent.gen.ts'

/** Converts a message to the bytes of a gRPC message (without its 5-byte prefix) and back. */
export interface Codec<T> {
  encode(message: T): Uint8Array
  decode(bytes: Uint8Array): T
}

/** A call of the agent service as data; the apps wire it to their gRPC library. Source: agent contract 1.2. */
export interface Method<Request, Response> {
  path: string
  requestStream: boolean
  responseStream: boolean
  request: Codec<Request>
  response: Codec<Response>
}

/** A gRPC request whose path starts with `/` and this belongs to the agent service. */
export const serviceName = 'proto.NezhaService'

const codec = <T>(message: MessageFns<T>): Codec<T> => ({
  encode: (value) => message.encode(value).finish(),
  decode: (bytes) => message.decode(bytes),
})

const method = <Request, Response>(
  name: string,
  stream: boolean,
  request: MessageFns<Request>,
  response: MessageFns<Response>,
): Method<Request, Response> => ({
  path: `/${serviceName}/${name}`,
  requestStream: stream,
  responseStream: stream,
  request: codec(request),
  response: codec(response),
})

/** Requests go from agent to server. Source: agent contract 1.2. */
export const methods = {
  ReportSystemState: method('ReportSystemState', true, State, Receipt),
  ReportSystemInfo: method('ReportSystemInfo', false, Host, Receipt),
  RequestTask: method('RequestTask', true, TaskResult, Task),
  IOStream: method('IOStream', true, IOStreamData, IOStreamData),
  ReportGeoIP: method('ReportGeoIP', false, GeoIP, GeoIP),
  ReportSystemInfo2: method('ReportSystemInfo2', false, Host, Uint64Receipt),
}

export type MethodName = keyof typeof methods
