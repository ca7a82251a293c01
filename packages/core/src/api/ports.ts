import type { Cancel, Clock } from '../actions/index.ts'

/** One HTTP request. Header names in any case. */
export interface FetchRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
  /** When it fires, the request ends and the promise rejects. */
  signal: AbortSignal
}

/** One HTTP answer. */
export interface FetchResponse {
  status: number
  headers: { get(name: string): string | null }
  /** The lines of `Set-Cookie`, one each; empty if the platform keeps them to itself (browsers). */
  setCookies: readonly string[]
  text(): Promise<string>
}

/**
 * Sends one request; redirects are followed or not as the platform does. Rejects when no answer came; an `AppError` that it
 * rejects with (a connect timeout of its own, say) is kept, anything else becomes `unreachable`.
 */
export type Fetch = (request: FetchRequest) => Promise<FetchResponse>

/** What a socket tells. `open` names the subprotocol that the server chose, or "". `close` comes exactly once, also when opening failed. */
export interface SocketHandlers {
  open(protocol: string): void
  message(data: string | Uint8Array): void
  close(code: number, reason: string): void
}

/** An open or opening websocket. */
export interface Socket {
  send(data: string | Uint8Array): void
  close(): void
  /** Bytes that were sent and are still on this side; absent where nobody asks. */
  buffered?(): number
  /** Holds back what comes, or takes it again; absent where the platform cannot (browsers). */
  flow?(isOn: boolean): void
}

/** Opens a websocket. Browsers ignore `headers` and send their cookies themselves. */
export type OpenSocket = (
  request: { url: string; protocols: readonly string[]; headers: Readonly<Record<string, string>> },
  handlers: SocketHandlers,
) => Socket

/** Small texts that outlive the program. Never throws: a full or broken store forgets. */
export interface KeyValue {
  get(key: string): string | null
  set(key: string, value: string): void
  delete(key: string): void
}

/** The outside world, supplied by one file per program. */
export interface Ports extends Clock {
  fetch: Fetch
  openSocket: OpenSocket
  /** At least 0, below 1; for jitter only. */
  random(): number
  storage: KeyValue
  /** Ends when the program has had a turn for something else, such as drawing, between pieces of long work; absent where nobody waits for that. */
  pause?(): Promise<void>
}

export type { Cancel, Clock }
