import type { Logger } from 'pino'

export interface Engine {
  readonly name: string
  start(): Promise<void>
  /** Null while it works. */
  problem?(): string | null
  stop(): Promise<void>
  readonly timeoutMs?: number
}

const defaultTimeoutMs = 1000

type Part = Pick<Engine, 'name' | 'stop' | 'timeoutMs'>

/** Stops parts in order; a hanging or failing one doesn't stop the others. Returns the names of those. */
export async function stopInTurn(parts: readonly Part[], log: Logger): Promise<string[]> {
  const unstopped: string[] = []
  for (const part of parts) if (!(await stopsInTime(part, log))) unstopped.push(part.name)
  return unstopped
}

async function stopsInTime({ name, stop, timeoutMs = defaultTimeoutMs }: Part, log: Logger): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<boolean>((resolve) => {
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
  return Promise.race([ended.finally(() => clearTimeout(timer)), timeout])
}
