import type { Logger } from 'pino'

/** A part that works by itself while the server runs. */
export interface Engine {
  /** Short name, for `/healthz` and the log. */
  readonly name: string
  start(): Promise<void>
  /** Null while it works, else why not; absent: it has none of its own. */
  problem?(): string | null
  stop(): Promise<void>
  /** How long a stop waits for it, in ms; absent: a second. */
  readonly timeoutMs?: number
}

const defaultTimeoutMs = 1000

type Part = Pick<Engine, 'name' | 'stop' | 'timeoutMs'>

/** Stops parts one after the other; one that hangs or fails does not keep the others from it. Returns the names of those that did. */
export async function stopInTurn(parts: readonly Part[], log: Logger): Promise<string[]> {
  const late: string[] = []
  for (const part of parts) if (!(await stopsInTime(part, log))) late.push(part.name)
  return late
}

async function stopsInTime({ name, stop, timeoutMs = defaultTimeoutMs }: Part, log: Logger): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      log.warn({ engine: name }, 'component did not stop in time')
      resolve(false)
    }, timeoutMs)
  })
  const ended = stop().then(
    () => true,
    (error: unknown) => {
      log.error({ err: error, engine: name }, 'failed to stop component')
      return false
    },
  )
  return Promise.race([ended.finally(() => clearTimeout(timer)), late])
}
