import { AppError } from '@qd/core/errors'

/** Of SQLite, of files, and of PostgreSQL: `disk_full`, and the read-only state that hosts put a full database into. */
const noRoom =
  /^(SQLITE_FULL|SQLITE_READONLY|SQLITE_IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|SHM\w*)|ENOSPC|EDQUOT|EFBIG|EROFS|53100|25006)$/

/** True for failures of a database and of files that end when there is room on the disk again. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'diskFull'
  return noRoom.test(String((error as { code?: unknown } | null)?.code))
}
