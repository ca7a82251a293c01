import { AppError } from '@qd/core/errors'
import type Driver from 'better-sqlite3'
import type { SqliteDatabase } from 'kysely'
import type { Logger } from 'pino'
import { isDiskFull } from '../../kernel/errors.ts'
import type { Clock } from '../../kernel/ports.ts'

const tryEveryMs = 1000
/** Consecutive successes needed: on a full disk, a small write succeeds now and then. */
const enoughTries = 3

export type Storage = ReturnType<typeof createStorage>

export type Heard = Pick<Storage, 'failed'>

/** Logs one line when writes begin to fail and one when they succeed again. */
export function createStorage({ clock, log }: { clock: Clock; log: Logger }) {
  let reason: string | null = null
  let write: (() => Promise<unknown>) | null = null
  let good = 0
  let cancel = () => {}

  function wait() {
    cancel()
    cancel = clock.after(tryEveryMs, () => {
      if (write === null) return
      good += 1
      write().then(judge, wait)
    })
  }
  function judge() {
    if (good < enoughTries) return wait()
    reason = null
    log.info('disk is writable again; writes resumed')
  }
  return {
    failed(why: string): void {
      if (reason === null) {
        log.error({ reason: why }, 'disk full or read-only; writes paused')
        wait()
      }
      reason = why
      good = 0
    },
    problem: () => (reason === null ? null : `the disk is full or read-only (${reason})`),
    /** Probes with this write, which reports its own failures. Returns how to stop. */
    probe(attempt: () => Promise<unknown>): () => void {
      write = attempt
      return () => {
        write = null
        cancel()
      }
    },
  }
}

export function reasonOf(error: unknown): string {
  const said = (error as { cause?: unknown } | null)?.cause ?? error
  return said instanceof Error ? said.message : String(said)
}

/** Awaits a write that may fail on a full disk, because memory holds the same value. */
export async function unlessFull(writing: Promise<unknown>): Promise<void> {
  try {
    await writing
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
}

/** Maps an error to `diskFull`, and notifies `storage`, if the disk is full. */
export function failure(error: unknown, storage?: Heard): unknown {
  if (!isDiskFull(error)) return error
  storage?.failed(reasonOf(error))
  return new AppError('diskFull', {}, { cause: error })
}

/** Wraps a database with `failure`. Skips the rollback that SQLite has already done on a full disk: its failure would hide the cause. */
export function watched(database: Driver.Database, storage?: Heard): SqliteDatabase {
  function watch<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw failure(error, storage)
    }
  }
  return {
    close: () => void database.close(),
    prepare(sql) {
      const statement = database.prepare(sql)
      return {
        reader: statement.reader,
        all: (parameters) => watch(() => statement.all(parameters)),
        run: (parameters) =>
          sql === 'rollback' && !database.inTransaction
            ? { changes: 0, lastInsertRowid: 0 }
            : watch(() => statement.run(parameters)),
        iterate: (parameters) => statement.iterate(parameters) as IterableIterator<unknown>,
      }
    },
  }
}
