import { accessSync, constants, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { sql } from 'kysely'
import type { Base } from '../base.ts'
import type { Engine } from '../kernel/engine.ts'
import { isDiskFull, Refusal } from '../kernel/errors.ts'
import { ownAsFolder } from '../store/db/files.ts'
import { databaseFile, FolderInUse, lockFile, lockFolder, noRoomIn } from '../store/db/sqlite.ts'

/** Gives what root makes to the parent's owner. Not `recursive: true`: Node 20 never returns if a parent folder can't be made, such as below /proc. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
  ownAsFolder(folder)
}

/** Creates the data folder and locks it for this process. Returns the release. Errors: Refusal. */
export async function holdDataFolder(folder: string): Promise<() => void> {
  try {
    makeFolder(resolve(folder))
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if (isDiskFull(error)) throw noRoomIn(folder, error)
    throw new Refusal(`cannot write to the data folder ${folder}: ${(error as Error).message}`, { cause: error })
  }
  const release = await lockFolder(folder)
  const pidFile = join(folder, 'server.pid')
  try {
    writeFileSync(pidFile, `${process.pid}\n`)
  } catch (error) {
    release()
    throw isDiskFull(error) ? noRoomIn(folder, error) : error
  }
  return () => {
    rmSync(pidFile, { force: true })
    release()
  }
}

const everyMs = 5000

/** Device and inode of a path; null if there is no file. */
function identityOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  return found ? `${found.dev}:${found.ino}` : null
}

/** Notices when the data folder's files are removed while the server runs: locks it anew (`taken` if another server was faster), and restores the database at the stop. */
export function createFolderWatch(
  { config, db, clock, log }: Pick<Base, 'config' | 'db' | 'clock' | 'log'>,
  taken: () => void,
): Engine {
  const folder = config.data
  const database = config.databaseUrl === null ? join(folder, databaseFile) : null
  const lock = join(folder, lockFile)
  const own = { database: database && identityOf(database), lock: identityOf(lock) }
  let problem: string | null = null
  let release = () => {}
  let cancel = () => {}

  async function check(): Promise<void> {
    const found = problemNow()
    if (found !== null && problem === null) log.error(found)
    if (found === null && problem !== null) log.info({ folder }, 'data folder restored')
    problem = found
    if (identityOf(lock) !== own.lock && existsSync(folder)) await holdAnew()
    cancel = clock.after(everyMs, () => void check())
  }

  function problemNow(): string | null {
    if (!existsSync(folder)) return `the data folder ${folder} was removed or moved; put it back, or stop the server`
    if (database === null || identityOf(database) === own.database) return null
    const what = existsSync(database) ? 'was replaced' : 'was removed or moved'
    return `${database} ${what} while the server was running; writes still go to the old file. Stop the server`
  }

  async function holdAnew(): Promise<void> {
    try {
      const next = await lockFolder(folder)
      release()
      release = next
      own.lock = identityOf(lock)
      log.warn({ file: lock }, 'lock file was removed; recreated it')
    } catch (error) {
      if (error instanceof FolderInUse) taken()
      else log.error({ err: error }, 'lock file was removed; failed to recreate it')
    }
  }

  return {
    name: 'data folder',
    async start() {
      cancel = clock.after(everyMs, () => void check())
    },
    problem: () => problem,
    async stop() {
      cancel()
      if (database !== null && own.database !== null && existsSync(folder) && !existsSync(database)) {
        await sql`vacuum into ${database}`.execute(db)
        log.warn({ file: database }, 'the database was removed while the server was running; restored it')
      }
      release()
    },
  }
}
