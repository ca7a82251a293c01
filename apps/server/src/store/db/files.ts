import { chownSync, closeSync, copyFileSync, fsyncSync, linkSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

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
