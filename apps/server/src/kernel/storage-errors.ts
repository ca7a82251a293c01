import { AppError } from '@qd/core/errors'

/** SQLite, files, and PostgreSQL's `disk_full` and the read-only state that providers set on a full database. */
const noRoom =
  /^(SQLITE_FULL|SQLITE_READONLY|SQLITE_IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|SHM\w*)|ENOSPC|EDQUOT|EFBIG|EROFS|53100|25006)$/

/** Whether the error ends once the disk has room again. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'diskFull'
  return noRoom.test(String((error as { code?: unknown } | null)?.code))
}

export const isDatabaseAway = (error: unknown): boolean => error instanceof AppError && error.code === 'databaseAway'
