import { copyFileSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isDiskFull, Refusal } from '../../kernel/errors.ts'
import { journals, keepAs, ownAsFolder, toDisk } from '../../store/db/files.ts'
import { loadDriver } from '../../store/db/sqlite.ts'
import { holdDataFolder } from '../data-folder.ts'
import { checkFolder } from './check.ts'
import { keptFiles, readContents, sizeOf } from './contents.ts'

/** Exists while files are being replaced; its text is the backup's folder. */
const begunFile = 'restore-begun'

/**
 * Replaces the content of a stopped server's data folder by a backup; the former files stay as `NAME.before-restore`. Everything is checked
 * and copied before the first file changes; if interrupted later, the server doesn't start until the same command has finished.
 * Returns lines to print. Errors: Refusal.
 */
export async function restoreBackup(data: string, from: string): Promise<readonly string[]> {
  const folder = resolve(from)
  const { files, at } = readContents(folder)
  const broken = (await checkFolder(folder)).find(({ fault }) => fault !== null)
  if (broken) throw new Refusal(`${join(folder, broken.name)}: ${broken.fault}; nothing was changed`)
  const release = await holdDataFolder(data)
  const begun = join(data, begunFile)
  try {
    for (const { name } of files) {
      copyFileSync(join(folder, name), incoming(data, name))
      ownAsFolder(incoming(data, name))
      toDisk(incoming(data, name))
    }
    // After an interruption, the files put aside are the ones to keep.
    const isAnew = !existsSync(begun)
    writeFileSync(begun, `${folder}\n`)
    toDisk(begun)
    toDisk(data)
    for (const name of keptFiles) {
      if (isAnew) rmSync(aside(data, name), { force: true })
      if (existsSync(join(data, name)) && !existsSync(aside(data, name))) await putAside(data, name)
      for (const suffix of journals) rmSync(join(data, name) + suffix, { force: true })
      if (files.some((file) => file.name === name)) renameSync(incoming(data, name), join(data, name))
      else rmSync(join(data, name), { force: true })
    }
    toDisk(data)
    rmSync(begun)
  } catch (error) {
    if (error instanceof Refusal) throw error
    const why = isDiskFull(error) ? 'not enough space' : (error as Error).message
    const state = existsSync(begun) ? 'run the same command again' : 'nothing was changed'
    if (!existsSync(begun)) for (const name of keptFiles) rmSync(incoming(data, name), { force: true })
    throw new Refusal(`cannot write the backup to ${data} (${why}); ${state}`, { cause: error })
  } finally {
    release()
  }
  return [
    `Restored ${data} to ${at}:`,
    ...files.map(({ name, bytes }) => `  ${name}  ${sizeOf(bytes)}`),
    'The previous files are kept with the ending .before-restore.',
  ]
}

/** Errors: Refusal if a restore was interrupted: its files are of two moments. */
export function demandNoRestore(data: string): void {
  if (existsSync(join(data, begunFile)))
    throw new Refusal(
      `a restore of ${data} was interrupted; run it again with the backup named in ${join(data, begunFile)}`,
    )
}

/** Exists while a database is being copied to the folder. */
export const moveFile = 'migrate-begun'

/** Errors: Refusal if a restore or a move to the folder was interrupted. */
export function demandWhole(data: string): void {
  demandNoRestore(data)
  if (existsSync(join(data, moveFile)))
    throw new Refusal(
      `“migrate to-sqlite ${data}” was interrupted; run it again, or delete ${join(data, moveFile)} to use the folder as it is`,
    )
}

const incoming = (data: string, name: string) => join(data, `${name}.restoring`)
const aside = (data: string, name: string) => join(data, `${name}.before-restore`)

async function putAside(data: string, name: string): Promise<void> {
  const file = join(data, name)
  if (name.endsWith('.db')) await emptyLog(file)
  keepAs(file, aside(data, name))
  const log = `${file}-wal`
  if (existsSync(log) && statSync(log).size > 0) renameSync(log, `${aside(data, name)}-wal`)
}

/** Merges the log into the database. An unreadable database keeps it for repair. */
async function emptyLog(file: string): Promise<void> {
  const open = await loadDriver()
  try {
    // SQLite would turn an empty file into a database.
    if (statSync(file).size === 0) return
    const database = new open(file, { timeout: 5000 })
    try {
      database.pragma('wal_checkpoint(TRUNCATE)')
    } finally {
      database.close()
    }
  } catch (error) {
    if (isDiskFull(error)) throw error
  }
}
