import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { AppError } from '@qd/core/errors'
import { differenceOf, lastName, readWhole, safeFileName, shownName } from '@qd/core/files'
import { runEditor } from '../../../base/editor.ts'
import type { Cli } from '../cli.ts'
import { inTemporaryFolder } from './local.ts'
import type { Place } from './place.ts'

const take = async ({ files, path }: Place) => Buffer.from(await readWhole(files, path))

/**
 * Edits a remote file and saves it only if it is unchanged. Otherwise keeps the new text in a local file and prints the
 * differences: `-` is remote, `+` local. Errors: `tooLarge`, `fileChanged` naming both.
 */
export async function editPlace(cli: Cli, place: Place): Promise<void> {
  const { files, path } = place
  const { translator, io } = cli
  const before = await take(place)
  if (before.includes(0))
    throw new AppError('failed', { text: translator.t('ui.cli.files.binary', { path: shownName(path) }) })
  const name = safeFileName(lastName(path))
  return inTemporaryFolder(async (folder) => {
    const local = join(folder, name)
    await writeFile(local, before, { mode: 0o600 })
    if (!(await runEditor(io, local))) throw new AppError('cancelled')
    const after = await readFile(local)
    if (after.equals(before)) return cli.note(translator.t('ui.cli.files.unchanged'))
    const now = await take(place).catch((error: unknown) => keep(cli, name, after, error))
    if (!now.equals(before)) {
      const mine = await keepAs(cli, `${name}.mine`, after)
      const theirs = await keepAs(cli, `${name}.theirs`, now)
      cli.note(translator.t('ui.cli.files.bothKept', { mine, theirs }))
      for (const { kind, text } of differenceOf(String(now), String(after)))
        if (kind !== 'both') cli.note(`${kind === 'gone' ? '-' : '+'}${shownName(text)}`)
      throw new AppError('fileChanged', { path: shownName(path) })
    }
    const source = { size: after.length, read: async (at: number, length: number) => after.subarray(at, at + length) }
    await files.upload(path, source).catch((error: unknown) => keep(cli, name, after, error))
    cli.note(translator.t('ui.cli.files.saved', { path: `${place.name}:${shownName(path)}` }))
  })
}

async function keep(cli: Cli, name: string, bytes: Uint8Array, error: unknown): Promise<never> {
  const path = await keepAs(cli, `${name}.mine`, bytes)
  cli.note(cli.translator.t('ui.cli.files.kept', { path }))
  throw error
}

async function keepAs({ io }: Cli, name: string, bytes: Uint8Array): Promise<string> {
  const path = resolve(io.cwd, name)
  await writeFile(path, bytes, { mode: 0o600 })
  return path
}
