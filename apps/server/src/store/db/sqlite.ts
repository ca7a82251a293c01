import { chmodSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type Driver from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { isDiskFull, Refusal } from '../../kernel/errors.ts'
import { journals, keepAs, ownAsFolder, toDisk } from './files.ts'
import { migrate, migrationNames } from './migrate.ts'
import type { Database, Db } from './schema.ts'
import { type Heard, reasonOf, watched } from './storage.ts'

type Open = typeof Driver

export const databaseFile = 'quarterdeck.db'
export const lockFile = 'server.lock'

/** Errors: Refusal naming what to install. */
export async function loadDriver(): Promise<Open> {
  try {
    return (await import('better-sqlite3')).default
  } catch (error) {
    throw nativeMissing(error)
  }
}

function nativeMissing(cause: unknown): Refusal {
  if (cause instanceof Error && cause.message.includes('NODE_MODULE_VERSION'))
    return new Refusal(
      `the SQLite driver better-sqlite3 was built for a different major version of Node than this one (${process.version}); use that version, or run "npm rebuild better-sqlite3" in the source tree`,
      { cause },
    )
  return new Refusal(
    'cannot load the SQLite driver better-sqlite3; on Debian, run "apt-get install python3 make g++ libnode-dev" and then "npm rebuild better-sqlite3"',
    { cause },
  )
}

/** Opens and migrates a data folder's database. `storage` is notified of a full disk. Errors: Refusal. */
export async function openSqlite(folder: string, storage?: Heard): Promise<Db> {
  const open = await loadDriver()
  const file = join(folder, databaseFile)
  const copy = `${file}.migrating`
  removeDatabase(copy)
  try {
    if (existsSync(file) && statSync(file).size === 0) throw new Refusal(unreadable(file, new Error('it is empty')))
    const applied = existsSync(file) ? appliedMigrations(open, file) : []
    const newer = applied.find((name) => !migrationNames.includes(name))
    if (newer !== undefined) throw new Refusal(newerVersion(file, newer))
    if (applied.length < migrationNames.length) await migrateCopy(open, { file, copy, applied })
    return connect(open, file, storage)
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (isNativeFailure(error)) throw nativeMissing(error)
    if (isDiskFull(error)) throw noRoomIn(folder, error)
    throw new Refusal(unreadable(file, error), { cause: error })
  }
}

/** Names the copy from before the upgrade, if there is one. */
function newerVersion(file: string, migration: string): string {
  const copy = `${file}.before-${migration}`
  const back = existsSync(copy)
    ? `; to go back to the data before the upgrade, replace it with ${copy}`
    : ', or replace it with a backup from this version'
  return `${file} was written by a newer version (${migration}); start that version${back}. Nothing was changed`
}

export function noRoomIn(folder: string, cause: unknown): Refusal {
  return new Refusal(
    `the disk of the data folder ${folder} is full or read-only (${reasonOf(cause)}); free up space and start again. Nothing was changed`,
    { cause },
  )
}

export function unreadable(file: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  return `cannot read ${file} as a database (${reason}); nothing was changed. Replace it with a backup, or move it away to start empty`
}

function isNativeFailure(error: unknown): boolean {
  return error instanceof Error && /bindings file|NODE_MODULE_VERSION|\.node/.test(error.message)
}

/** Wait for another program's lock, such as a backup's; the server is blocked meanwhile. */
const busyMs = 1000

/** A commit returns when it is on the disk, even if the power fails right after (docs/operate/disk.md). */
function connect(open: Open, file: string, storage?: Heard): Db {
  const database = new open(file, { timeout: busyMs })
  // Holds password hashes and the signing key. The journals inherit the mode.
  chmodSync(file, 0o600)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  return new Kysely<Database>({ dialect: new SqliteDialect({ database: watched(database, storage) }) })
}

/** Throws if the file is damaged. */
function appliedMigrations(open: Open, file: string): readonly string[] {
  const database = new open(file, { timeout: 5000, readonly: true })
  try {
    const check = database.pragma('quick_check(1)', { simple: true })
    if (check !== 'ok') throw new Error(String(check).split('\n')[0])
    const known = database.prepare("select count(*) from sqlite_master where name = 'kysely_migration'").pluck().get()
    return known ? (database.prepare('select name from kysely_migration order by name').pluck().all() as string[]) : []
  } finally {
    database.close()
  }
}

/** Migrates a copy that then replaces the file, because SQLite doesn't undo a failed migration. */
async function migrateCopy(
  open: Open,
  { file, copy, applied }: { file: string; copy: string; applied: readonly string[] },
): Promise<void> {
  if (existsSync(file)) {
    const database = new open(file, { timeout: 5000 })
    database.prepare('vacuum into ?').run(copy)
    const [state] = database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
    database.close()
    if (state?.busy !== 0) throw new Refusal(`${file} is in use by another program; nothing was changed`)
  }
  const db = connect(open, copy)
  await migrate(db, 'sqlite')
  await db.destroy()
  toDisk(copy)
  if (existsSync(file)) keepAs(file, `${file}.before-${migrationNames[applied.length]}`)
  // A leftover journal would be applied to the new file.
  for (const suffix of journals) rmSync(file + suffix, { force: true })
  // The atomic switch from the old to the new database.
  renameSync(copy, file)
  toDisk(dirname(file))
}

function removeDatabase(file: string): void {
  for (const suffix of ['', ...journals]) rmSync(file + suffix, { force: true })
}

export class FolderInUse extends Refusal {}

/** Locks a data folder until this process ends. Returns the release. Errors: FolderInUse, Refusal. */
export async function lockFolder(folder: string): Promise<() => void> {
  const open = await loadDriver()
  let lock: Driver.Database
  try {
    lock = new open(join(folder, lockFile), { timeout: 0 })
    lock.pragma('locking_mode = EXCLUSIVE')
    lock.exec('begin exclusive')
    ownAsFolder(join(folder, lockFile))
  } catch (error) {
    if (isNativeFailure(error)) throw nativeMissing(error)
    if (isDiskFull(error)) throw noRoomIn(folder, error)
    const { code = '', message } = error as { code?: string; message: string }
    if (/^SQLITE_(BUSY|LOCKED)/.test(code))
      throw new FolderInUse(`another Quarterdeck server is already running on the data folder ${folder}`, {
        cause: error,
      })
    throw new Refusal(`cannot lock the data folder ${folder}: server.lock: ${message}`, { cause: error })
  }
  return () => lock.close()
}
