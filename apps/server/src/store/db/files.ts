import {
  chownSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

export const journals = ['-wal', '-shm', '-journal'] as const

/** Syncs a file, or a folder's entries, to the disk. Windows can't sync folders. */
export function toDisk(path: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/** Adds a second name, so that the first never vanishes. A database's log must be empty. */
export function keepAs(file: string, name: string): void {
  rmSync(name, { force: true })
  try {
    linkSync(file, name)
  } catch (error) {
    // Some file systems don't support hard links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes((error as { code?: string }).code ?? ''))
      throw error
    copyFileSync(file, name)
  }
}

/** Gives a file that root wrote to the folder's owner, whose service must read it. Never throws: containers and network drives may refuse. */
export function ownAsFolder(file: string): void {
  if (process.getuid?.() !== 0) return
  try {
    const { uid, gid } = statSync(dirname(file))
    chownSync(file, uid, gid)
  } catch {
    // The server's error message will name the owner.
  }
}

/** Holds the time of the newest backup, RFC 3339. */
const markFile = 'last-backup'

/** `now`: epoch ms. A failure to note it doesn't undo the backup. */
export function noteBackup(data: string, now: number): void {
  try {
    writeFileSync(join(data, markFile), `${new Date(now).toISOString()}\n`, { mode: 0o600 })
    ownAsFolder(join(data, markFile))
  } catch {
    // A read-only folder can be backed up too.
  }
}

/** Epoch ms of the newest backup; null if unknown. */
export function lastBackup(data: string): number | null {
  try {
    const at = Date.parse(readFileSync(join(data, markFile), 'utf8').trim())
    return Number.isNaN(at) ? null : at
  } catch {
    return null
  }
}
