/** A part that works by itself while the server runs. */
export interface Engine {
  /** Short name, for `/healthz` and the log. */
  readonly name: string
  start(): Promise<void>
  /** Null while it works, else why not. */
  trouble(): string | null
  /** Finishes what is under way. */
  stop(): Promise<void>
  /** How long a stop waits for it, in ms; absent: a second. */
  readonly patienceMs?: number
}
