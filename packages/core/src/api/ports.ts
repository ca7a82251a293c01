import type { Cancel, Clock } from '../actions/index.ts'

export interface FetchRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
  signal: AbortSignal
}

export interface FetchResponse {
  status: number
  headers: { get(name: string): string | null }
  /** Empty if the platform hides them (browsers). */
  setCookies: readonly string[]
  text(): Promise<string>
}

/** Rejects if there is no response; an `AppError` is passed on, anything else becomes `unreachable`. */
export type Fetch = (request: FetchRequest) => Promise<FetchResponse>

/** `open` gets the subprotocol that the server selected, or "". `close` is called exactly once, also if opening failed. */
export interface SocketHandlers {
  open(protocol: string): void
  message(data: string | Uint8Array): void
  close(code: number, reason: string): void
}

export interface Socket {
  send(data: string | Uint8Array): void
  close(): void
  /** Bytes that were sent and are still in the socket; absent if nobody asks. */
  buffered?(): number
  /** Pauses or resumes reading; absent if the platform can’t (browsers). */
  flow?(isOn: boolean): void
}

/** Browsers ignore `headers` and send their cookies themselves. */
export type OpenSocket = (
  request: { url: string; protocols: readonly string[]; headers: Readonly<Record<string, string>> },
  handlers: SocketHandlers,
) => Socket

/** Small texts that outlive the program. Never throws: a full or broken store loses values. */
export interface KeyValue {
  get(key: string): string | null
  set(key: string, value: string): void
  delete(key: string): void
}

/** The outside world, implemented by one file per program. */
export interface Ports extends Clock {
  fetch: Fetch
  openSocket: OpenSocket
  /** At least 0, below 1; for jitter only. */
  random(): number
  storage: KeyValue
  /** Yields during long work, such as for drawing; absent if nothing waits. */
  pause?(): Promise<void>
}

export type { Cancel, Clock }
