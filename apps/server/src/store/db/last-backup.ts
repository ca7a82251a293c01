import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownAsFolder } from './files.ts'

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
