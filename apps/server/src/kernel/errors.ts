import { AppError } from '@qd/core/errors'

/** Why the server doesn't start: one line on stderr, exit code 2. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** Why a command that had begun its work gave up: one line on stderr, exit code 1. */
export class Failure extends Error {
  override readonly name = 'Failure'
}

/** SQLite, files, and PostgreSQL's `disk_full` and the read-only state that providers set on a full database. */
const noRoom =
  /^(SQLITE_FULL|SQLITE_READONLY|SQLITE_IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|SHM\w*)|ENOSPC|EDQUOT|EFBIG|EROFS|53100|25006)$/

/** Whether the error ends once the disk has room again. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'diskFull'
  return noRoom.test(String((error as { code?: unknown } | null)?.code))
}

export const isDatabaseAway = (error: unknown): boolean => error instanceof AppError && error.code === 'databaseAway'

/** PostgreSQL's classes of lost connections, shutdown, too many connections, and cancelled statements. */
const lostCodes = /^(08...|57P..|57014|53300)$/

/** Whether the driver's error is of the connection, not of the query. The database's own errors have a severity. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('severity' in error) return lostCodes.test(String((error as { code?: unknown }).code))
  return !(error instanceof TypeError) && !(error instanceof Refusal)
}
