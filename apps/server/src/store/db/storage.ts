import { AppError } from '@qd/core/errors'
import type Driver from 'better-sqlite3'
import type { SqliteDatabase } from 'kysely'
import type { Logger } from 'pino'
import { isDiskFull } from '../../kernel/disk-full.ts'
import type { Clock } from '../../kernel/ports.ts'

/** While nothing can be written it is tried this often whether it can be again. */
const tryEveryMs = 1000
/** Tries in a row, without a failure of anybody's between them, after which it can: on a full disk a small write succeeds now and then. */
const enoughTries = 3

/** Whether the database can be written to, told by those who try. */
export interface Storage {
  /** A write failed because the disk is full or refuses. */
  failed(reason: string): void
  /** Null while writes succeed. */
  problem(): string | null
  /** What is tried while they do not; it tells `failed` by itself. Returns how to leave off. */
  probe(write: () => Promise<unknown>): () => void
}

/** What those who write tell it. */
export type Heard = Pick<Storage, 'failed'>

/** One line in the log when writes begin to fail and one when they succeed again, however many calls meet it. */
export function createStorage({ clock, log }: { clock: Clock; log: Logger }): Storage {
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
    failed(why) {
      if (reason === null) {
        log.error({ reason: why }, 'disk full or read-only; writes paused')
        wait()
      }
      reason = why
      good = 0
    },
    problem: () => (reason === null ? null : `the disk is full or read-only (${reason})`),
    probe(attempt) {
      write = attempt
      return () => {
        write = null
        cancel()
      }
    },
  }
}

/** Why something could not be written, as the database said it. */
export function reasonOf(error: unknown): string {
  const said = (error as { cause?: unknown } | null)?.cause ?? error
  return said instanceof Error ? said.message : String(said)
}

/** Waits for a write that may fail on a full disk without harm, because memory holds the same value. */
export async function unlessFull(writing: Promise<unknown>): Promise<void> {
  try {
    await writing
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
}

/** What to throw for a failure of a database: `diskFull` for want of room, of which `storage` is told, else itself. */
export function failure(error: unknown, storage?: Heard): unknown {
  if (!isDiskFull(error)) return error
  storage?.failed(reasonOf(error))
  return new AppError('diskFull', {}, { cause: error })
}

/**
 * The same database, whose failures for lack of space `storage` hears of and which throws them as the error `diskFull`. It skips a rollback of
 * a transaction that SQLite has already undone by itself, as it does on a full disk: its failure would hide the cause.
 */
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
