import type { Logger } from 'pino'
import type { Clock } from '../../kernel/ports.ts'

const everyMs = 3_600_000

/** The part of a table's clearing that one statement does, and when to leave off. */
export interface Slices {
  /** Rows per statement. 25 with a text of 1 MiB each take SQLite about 10 ms, 500 small ones 2 ms. */
  rows: number
  /** Returns true when no further statement may begin. */
  isOver?(): boolean
}

/**
 * Repeats a statement over at most `rows` rows until it finds fewer. Other calls have their turn in between: a query of
 * SQLite holds the event loop, and awaiting it does not let go. `some` returns how many rows its statement found.
 */
export async function inSlices({ rows, isOver }: Slices, some: (rows: number) => Promise<number>): Promise<void> {
  while (!isOver?.() && (await some(rows)) >= rows) await new Promise((resolve) => setImmediate(resolve))
}

/** Clears a table now and once an hour. */
export interface Clearing {
  start(): void
  stop(): Promise<void>
}

/** Builds it; `clear` looks at `isOver` between its statements. A failure is logged and tried again in an hour. */
export function createClearing(
  { clock, log }: { clock: Clock; log: Logger },
  what: string,
  clear: (isOver: () => boolean) => Promise<void>,
): Clearing {
  let isOver = false
  let work = Promise.resolve()
  let cancel = () => {}

  function start() {
    cancel = clock.after(everyMs, start)
    work = work
      .then(() => clear(() => isOver))
      .catch((error: unknown) => log.error({ err: error }, `failed to delete ${what}`))
  }

  return {
    start,
    async stop() {
      isOver = true
      cancel()
      await work
    },
  }
}
