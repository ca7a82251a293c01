import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '@qd/core/errors'
import { type Io, spawnInFront } from './io.ts'

/**
 * Opens a text in $VISUAL, $EDITOR or vi. Returns the new text without the editor's trailing line feed; null if the
 * editor failed. Errors: `failed` if it doesn’t start.
 */
export async function editInEditor({ env }: Pick<Io, 'env'>, text: string, name: string): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'qd-edit-'))
  const path = join(folder, name)
  try {
    writeFileSync(path, text === '' || text.endsWith('\n') ? text : `${text}\n`, { mode: 0o600 })
    return (await runEditor({ env }, path)) ? readFileSync(path, 'utf8').replace(/\r?\n$/, '') : null
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function runEditor({ env }: Pick<Io, 'env'>, path: string): Promise<boolean> {
  const [program = 'vi', ...args] = (env.VISUAL || env.EDITOR || 'vi').split(/\s+/).filter(Boolean)
  try {
    return (await spawnInFront(program, [...args, path])) === 0
  } catch (thrown) {
    const cause = thrown as NodeJS.ErrnoException
    const isMissing = cause.code === 'ENOENT'
    throw new AppError('failed', isMissing ? { program } : { text: `${program}: ${cause.message}` }, { cause })
  }
}
