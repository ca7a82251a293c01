import { dirname, join } from 'node:path'
import type { Paths } from '../../base/connect/paths.ts'
import { writePrivate } from '../../base/connect/private-file.ts'

/** Writes what went wrong beside the sessions, where only its owner reads it; returns the path, or the error itself where it cannot be written. */
export function writeCrashLog(paths: Paths, error: unknown): string {
  const path = join(dirname(paths.sessions), 'crash.log')
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  try {
    writePrivate(path, `${text}\n`)
    return path
  } catch {
    return text
  }
}
