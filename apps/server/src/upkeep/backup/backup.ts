import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type Driver from 'better-sqlite3'
import { isDiskFull } from '../../kernel/disk-full.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { version } from '../../kernel/version.ts'
import { toDisk } from '../../store/db/files.ts'
import { noteBackup } from '../../store/db/last-backup.ts'
import { databaseFile, loadDriver, unreadable } from '../../store/db/sqlite.ts'
import { type Contents, contentsFile, digestOf, keptFiles, sizeOf } from './contents.ts'
import { copyFile } from './copy-file.ts'

/**
 * Copies database, history and the own agent's identity of a data folder into the new folder `target`, beside a running server or without
 * one: each database as it is at one moment, while others write to it. The folder has its name when all of it is on the disk.
 * Returns what to say. Errors: Refusal.
 */
export async function makeBackup(data: string, target: string, now: number): Promise<readonly string[]> {
  const folder = resolve(target)
  if (!existsSync(join(data, databaseFile)))
    throw new Refusal(`${join(data, databaseFile)} not found; give its folder with --data`)
  if (existsSync(folder)) throw new Refusal(`${folder} already exists; give a new folder for the backup`)
  const part = `${folder}.part`
  rmSync(part, { recursive: true, force: true })
  try {
    mkdirSync(part, { recursive: true, mode: 0o700 })
    const files: Contents['files'] = []
    for (const name of keptFiles) {
      const from = join(data, name)
      if (!existsSync(from)) continue
      const to = join(part, name)
      await (name.endsWith('.db') ? copyDatabase(from, to).catch(refuseFor(from)) : copyFileSync(from, to))
      // Password hashes, secrets and the signing key are in it.
      chmodSync(to, 0o600)
      toDisk(to)
      files.push({ name, bytes: statSync(to).size, sha256: await digestOf(to) })
    }
    const contents: Contents = { version, at: new Date(now).toISOString(), files }
    writeFileSync(join(part, contentsFile), `${JSON.stringify(contents, null, 2)}\n`, { mode: 0o600 })
    toDisk(join(part, contentsFile))
    toDisk(part)
    renameSync(part, folder)
    toDisk(dirname(folder))
    noteBackup(data, now)
    return [`Backup in ${folder}:`, ...files.map(({ name, bytes }) => `  ${name}  ${sizeOf(bytes)}`)]
  } catch (error) {
    rmSync(part, { recursive: true, force: true })
    if (error instanceof Refusal) throw error
    if (isDiskFull(error)) throw new Refusal(`not enough space for the backup in ${folder}; nothing was left there`)
    throw new Refusal(`cannot write the backup to ${folder}: ${(error as Error).message}`, { cause: error })
  }
}

/** Says of which database it was that something failed; a full disk is said by itself. */
const refuseFor = (from: string) => (error: unknown) => {
  throw isDiskFull(error) ? error : new Refusal(unreadable(from, error), { cause: error })
}

/** A database as it is at one moment, whoever writes to it meanwhile. */
async function copyDatabase(from: string, to: string): Promise<void> {
  const open = await loadDriver()
  const log = `${from}-wal`
  // Closed last: closing any of its files ends the locks that SQLite holds on it.
  const held = openSync(from, 'r')
  const database = new open(from, { timeout: 5000 })
  try {
    // While somebody reads, nothing newer than what is read goes from the log into the file, and the log is not begun anew.
    database.exec('begin')
    database.prepare('select count(*) from sqlite_master').get()
    await copyFile(held, to)
    if (existsSync(log)) await copyLog(log, `${to}-wal`)
  } finally {
    database.close()
    closeSync(held)
  }
  foldLog(new open(to))
}

async function copyLog(from: string, to: string): Promise<void> {
  const log = openSync(from, 'r')
  try {
    await copyFile(log, to)
  } finally {
    closeSync(log)
  }
}

/** Makes one file of a copy and its log, and looks whether it is whole. */
function foldLog(copy: Driver.Database): void {
  try {
    // One file without a log, which can be read where nothing may be written.
    copy.pragma('journal_mode = DELETE')
    const found = copy.pragma('quick_check(1)', { simple: true })
    if (found !== 'ok') throw new Error(String(found).split('\n')[0])
  } finally {
    copy.close()
  }
}
