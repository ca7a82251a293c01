import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../kernel/errors.ts'
import { migrationNames } from '../../store/db/migrate.ts'
import { databaseFile, loadDriver } from '../../store/db/sqlite.ts'
import { schemaVersion } from '../../watch/history/sqlite.ts'
import { contentsFile, digestOf, historyFile, readContents, sizeOf } from './contents.ts'

export interface Finding {
  name: string
  fault: string | null
  note: string
}

const maxNamed = 5

/** Checks the databases of a data folder or a backup, beside a running server or without one; of a backup also the digests. Errors: Refusal. */
export async function checkFolder(folder: string): Promise<readonly Finding[]> {
  const isBackup = existsSync(join(folder, contentsFile))
  if (!isBackup && !existsSync(join(folder, databaseFile)))
    throw new Refusal(`${folder} is neither a data folder nor a backup: ${databaseFile} is missing`)
  if (isBackup) return checkBackup(folder)
  const names = [databaseFile, historyFile].filter((name) => existsSync(join(folder, name)))
  return Promise.all(names.map((name) => checkDatabase(folder, name)))
}

async function checkBackup(folder: string): Promise<readonly Finding[]> {
  const { files, at, version } = readContents(folder)
  const findings: Finding[] = []
  for (const { name, bytes, sha256 } of files) {
    const fault = await differs(join(folder, name), { bytes, sha256 })
    if (fault !== null) findings.push({ name, fault, note: '' })
    else if (name.endsWith('.db')) findings.push(await checkDatabase(folder, name))
    else findings.push({ name, fault: null, note: '' })
  }
  return [{ name: contentsFile, fault: null, note: `made at ${at} by version ${version}` }, ...findings]
}

async function differs(file: string, { bytes, sha256 }: { bytes: number; sha256: string }): Promise<string | null> {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) return 'missing'
  if (found.size !== bytes) return `${found.size} bytes instead of ${bytes}`
  return (await digestOf(file)) === sha256 ? null : 'damaged: the SHA-256 differs'
}

async function checkDatabase(folder: string, name: string): Promise<Finding> {
  const file = join(folder, name)
  const { size } = statSync(file)
  const open = await loadDriver()
  try {
    if (size === 0) throw new Error('it is empty')
    const database = new open(file, { timeout: 5000, readonly: true })
    try {
      const said = database.prepare(`pragma integrity_check(${maxNamed})`).pluck().all() as string[]
      const fault = said.length === 1 && said[0] === 'ok' ? versionFault(name, database) : said.join('; ')
      return { name, fault, note: sizeOf(size) }
    } finally {
      database.close()
    }
  } catch (error) {
    return { name, fault: `not a readable database: ${(error as Error).message}`, note: '' }
  }
}

type Opened = InstanceType<Awaited<ReturnType<typeof loadDriver>>>

function versionFault(name: string, database: Opened): string | null {
  const isNewer =
    name === historyFile
      ? Number(database.pragma('user_version', { simple: true })) > schemaVersion
      : (database.prepare('select name from kysely_migration').pluck().all() as string[]).some(
          (migration) => !migrationNames.includes(migration),
        )
  return isNewer ? 'written by a newer version; this version cannot start with it' : null
}
