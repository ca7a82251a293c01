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

/** Files that SQLite keeps beside a database. */
export const journals = ['-wal', '-shm', '-journal'] as const

/** Waits until a file, or the names in a folder, survive a loss of power. Windows syncs no folders. */
export function toDisk(path: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/** Gives a file a second name, so that there is no moment without the first. Of a database the log must be empty. */
export function keepAs(file: string, name: string): void {
  rmSync(name, { force: true })
  try {
    linkSync(file, name)
  } catch (error) {
    // Some file systems know no second names.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes((error as { code?: string }).code ?? ''))
      throw error
    copyFileSync(file, name)
  }
}

/**
 * Gives a file that root wrote to the owner of its folder: a service runs under an account of its own and must read it. Never throws: where
 * owners cannot be changed (a container, a network drive), the file stays root's.
 */
export function ownAsFolder(file: string): void {
  if (process.getuid?.() !== 0) return
  try {
    const { uid, gid } = statSync(dirname(file))
    chownSync(file, uid, gid)
  } catch {
    // Nothing is lost: whoever runs the server there sees the file's owner in the message.
  }
}

/** File of a data folder that says when its newest backup was made, RFC 3339. */
const markFile = 'last-backup'

/** Notes a backup of this data folder; that it cannot be noted does not undo the backup. `now`: epoch ms. */
export function noteBackup(data: string, now: number): void {
  try {
    writeFileSync(join(data, markFile), `${new Date(now).toISOString()}\n`, { mode: 0o600 })
    ownAsFolder(join(data, markFile))
  } catch {
    // A folder that may only be read is backed up all the same.
  }
}

/** When the newest backup of this data folder was made, epoch ms; null if none is known. */
export function lastBackup(data: string): number | null {
  try {
    const at = Date.parse(readFileSync(join(data, markFile), 'utf8').trim())
    return Number.isNaN(at) ? null : at
  } catch {
    return null
  }
}
