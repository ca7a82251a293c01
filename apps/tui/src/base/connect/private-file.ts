import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '@qd/core/errors'

/** Null if there is none. Errors: `usage` if others can read it or it can't be read. */
export function readPrivate(path: string, { platform }: { platform: string }): string | null {
  const stats = statsOf(path)
  if (!stats) return null
  if (platform !== 'win32' && (stats.mode & 0o077) !== 0) {
    throw new AppError('usage', { reason: 'openFile', path, try: `chmod 600 ${path}` })
  }
  try {
    return readFileSync(path, 'utf8')
  } catch (thrown) {
    throw fileFault(path, thrown)
  }
}

/** Undefined if it doesn’t exist, even if part of the path is no folder. Errors: `usage` if access is denied. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw fileFault(path, thrown)
  }
}

function ensureFolder(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  } catch (thrown) {
    throw new AppError('usage', { reason: 'unwritableFile', path }, { cause: thrown })
  }
}

export function writePrivate(path: string, text: string): void {
  let beside: string | undefined
  try {
    ensureFolder(path)
    beside = mkdtempSync(`${path}.`)
    const next = join(beside, 'next')
    writeFileSync(next, text, { mode: 0o600 })
    renameSync(next, path)
  } catch (thrown) {
    throw new AppError('usage', { reason: 'unwritableFile', path }, { cause: thrown })
  } finally {
    if (beside !== undefined) rmSync(beside, { recursive: true, force: true })
  }
}

/** An older lock belongs to a process that died. */
const staleLockMs = 10_000

/** Runs `change` under a lock, so that no other `qd` loses a write. */
export async function withLock<T>(path: string, change: () => T): Promise<T> {
  const lock = `${path}.lock`
  ensureFolder(path)
  while (!takeLock(lock)) await new Promise((resolve) => setTimeout(resolve, 20))
  try {
    return change()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

function takeLock(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new AppError('usage', { reason: 'unwritableFile', path: lock }, { cause: thrown })
    const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
    if (made !== undefined && Date.now() - made > staleLockMs) rmSync(lock, { recursive: true, force: true })
    return false
  }
}

/** A read error with the system’s reason, such as `ENOENT: no such file or directory`. */
export function fileFault(path: string, thrown: unknown): AppError {
  const text = thrown instanceof Error ? thrown.message.replace(/, \w+( '.*')?$/, '') : String(thrown)
  return new AppError('usage', { reason: 'fileFault', path, text }, { cause: thrown })
}
