import type { Logger } from 'pino'
import type { Clock } from '../../kernel/ports.ts'

const everyMs = 3_600_000

export interface Slices {
  /** Rows per statement. 25 rows of 1 MiB take SQLite about 10 ms, 500 small ones 2 ms. */
  rows: number
  isOver?(): boolean
}

/** Repeats a statement until it finds fewer than `rows` rows. In between, others get a turn: an SQLite query blocks the event loop. */
export async function inSlices({ rows, isOver }: Slices, some: (rows: number) => Promise<number>): Promise<void> {
  while (!isOver?.() && (await some(rows)) >= rows) await new Promise((resolve) => setImmediate(resolve))
}

/** Clears now and hourly; a failure is logged and retried in an hour. `clear` checks `isOver` between statements. */
export function createClearing(
  { clock, log }: { clock: Clock; log: Logger },
  what: string,
  clear: (isOver: () => boolean) => Promise<void>,
) {
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
    async stop(): Promise<void> {
      isOver = true
      cancel()
      await work
    },
  }
}
