import { accessSync, constants, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isDiskFull } from '../kernel/disk-full.ts'
import { Refusal } from '../kernel/refusal.ts'
import { lockFolder, noRoomIn } from '../store/db/sqlite.ts'

/** Not `recursive: true`: Node 20 never stops trying if a parent folder cannot be made, for example below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/** Makes the data folder ready and holds it for this process alone. Returns the release. Errors: Refusal. */
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
