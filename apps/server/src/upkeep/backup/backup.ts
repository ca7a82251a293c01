import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type Driver from 'better-sqlite3'
import { isDiskFull, Refusal } from '../../kernel/errors.ts'
import { version } from '../../kernel/version.ts'
import { noteBackup, toDisk } from '../../store/db/files.ts'
import { databaseFile, loadDriver, unreadable } from '../../store/db/sqlite.ts'
import { type Contents, contentsFile, digestOf, keptFiles, sizeOf } from './contents.ts'

/** Copies a data folder's database, history and own agent identity into the new folder `target`, beside a running server or without one. Returns lines to print. */
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
      // Holds password hashes, secrets and the signing key.
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

const refuseFor = (from: string) => (error: unknown) => {
  throw isDiskFull(error) ? error : new Refusal(unreadable(from, error), { cause: error })
}

async function copyDatabase(from: string, to: string): Promise<void> {
  const open = await loadDriver()
  const log = `${from}-wal`
  // Closed last: closing any of its files releases SQLite's locks on it.
  const held = openSync(from, 'r')
  const database = new open(from, { timeout: 5000 })
  try {
    // An open read transaction keeps newer pages in the log, and the log from being restarted.
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

/** Merges a copy and its log into one file, and checks it. */
function foldLog(copy: Driver.Database): void {
  try {
    // Without a log, the file can be read on a read-only file system.
    copy.pragma('journal_mode = DELETE')
    const found = copy.pragma('quick_check(1)', { simple: true })
    if (found !== 'ok') throw new Error(String(found).split('\n')[0])
  } finally {
    copy.close()
  }
}

/** In Node, but not in its types. */
declare const WebAssembly: { Memory: new (size: { initial: number }) => { buffer: ArrayBuffer } }

const pieceBytes = 1024 * 1024
/** A direct write needs whole blocks. */
const blockBytes = 4096
/** Pauses after each piece, so that the disk serves others. */
const rest = { times: 4, leastMs: 25 }

/** Copies an open file in pieces, with direct I/O where possible: dirty pages would hold up every other program's commit to the same disk. */
async function copyFile(source: number, to: string): Promise<void> {
  // WebAssembly memory is page-aligned, as direct writes need it.
  const piece = new Uint8Array(new WebAssembly.Memory({ initial: pieceBytes / 65_536 }).buffer)
  const target = openTarget(to)
  try {
    const { size } = fstatSync(source)
    for (let at = 0; at < size; ) {
      const begun = performance.now()
      const read = readSync(source, piece, 0, Math.min(pieceBytes, size - at), at)
      if (read === 0) break
      const whole = target.isDirect ? Math.ceil(read / blockBytes) * blockBytes : read
      for (let written = 0; written < whole; )
        written += writeSync(target.file, piece, written, whole - written, at + written)
      if (!target.isDirect) fdatasyncSync(target.file)
      at += read
      await sleep(Math.max(rest.leastMs, rest.times * (performance.now() - begun)))
    }
    ftruncateSync(target.file, size)
    fdatasyncSync(target.file)
  } finally {
    closeSync(target.file)
  }
}

/** Opens a new file, with direct I/O if system and file system support it. */
function openTarget(to: string): { file: number; isDirect: boolean } {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC
  if (constants.O_DIRECT !== undefined) {
    try {
      return { file: openSync(to, flags | constants.O_DIRECT, 0o600), isDirect: true }
    } catch (error) {
      if ((error as { code?: string }).code !== 'EINVAL') throw error
    }
  }
  return { file: openSync(to, flags, 0o600), isDirect: false }
}
