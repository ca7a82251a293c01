import { chmodSync, copyFileSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Driver from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { Failure, Refusal } from '../../kernel/errors.ts'
import { journals, ownAsFolder, toDisk } from '../../store/db/files.ts'
import { migrationNames } from '../../store/db/migrate.ts'
import { connectPostgres, type PostgresWatch } from '../../store/db/postgres.ts'
import { databaseFile, lockFolder, unreadable } from '../../store/db/sqlite.ts'
import { reasonOf } from '../../store/db/storage.ts'
import { openHistoryFile, schemaVersion } from '../../watch/history/sqlite.ts'
import { agentFile, historyFile, keptFiles } from '../backup/contents.ts'
import { demandNoRestore, demandWhole, moveFile } from '../backup/restore.ts'
import { holdDataFolder } from '../data-folder.ts'
import {
  type Copied,
  copyInto,
  copyTables,
  inTransaction,
  migrationsOf,
  type Progress,
  type Side,
  tablesOf,
} from './copy-tables.ts'

interface Hearing extends Pick<PostgresWatch, 'log'> {
  progress: Progress
}

/** Copies a stopped server's data folder, which stays as it is, to an empty PostgreSQL database. Returns lines to print. Errors: Refusal, Failure. */
export async function migrateToPostgres(data: string, url: string, hearing: Hearing): Promise<readonly string[]> {
  const [file, past] = [join(data, databaseFile), join(data, historyFile)]
  if (!existsSync(file)) throw new Refusal(`${file} not found; give its folder with --data`)
  const release = await lockFolder(data)
  const files: Side[] = []
  let state = 'nothing was changed'
  try {
    demandWhole(data)
    files.push(openWhole(file))
    // An empty file is what a full disk leaves; the server begins the history anew with it.
    if (statSync(past, { throwIfNoEntry: false })?.size) files.push(openWhole(past))
    await demandKnown(files[0]!, file)
    return await onPostgres(url, hearing, async (target, place) => {
      await demandEmpty(target, place, files)
      state = `${place} is empty again`
      const copied = await inTransaction(target, 'begin', async () => {
        const all = await copyInto(target, files, hearing.progress)
        state = `${place} has the whole copy or nothing; run this again to see: if it says that a table is there, the copy is whole`
        return all
      })
      return [
        ...report(data, place, copied),
        `Next: start the server with DATABASE_URL set to this database and --data ${data}. Its database files there are no longer used.`,
      ]
    })
  } catch (error) {
    return failed(error, state)
  } finally {
    for (const { db } of files) await db.destroy()
    release()
  }
}

interface Folders {
  /** The data folder so far, with the identity of this machine's agent. */
  data: string
  target: string
}

/** Copies a stopped server's PostgreSQL database to a data folder without one. Returns lines to print. Errors: Refusal, Failure. */
export async function migrateToSqlite(
  url: string,
  { data, target }: Folders,
  hearing: Hearing,
): Promise<readonly string[]> {
  const folder = resolve(target)
  const begun = join(folder, moveFile)
  const withJournals = (name: string) => ['', ...journals].map((suffix) => join(folder, name + suffix))
  const old = [databaseFile, historyFile].flatMap(withJournals).find(existsSync)
  // What an interrupted move left is its own.
  if (old !== undefined && !existsSync(begun))
    throw new Refusal(`${old} already exists; give a folder without a database`)
  demandNoRestore(folder)
  const names = keptFiles.filter(
    (name) => name !== agentFile || (existsSync(join(data, name)) && !existsSync(join(folder, name))),
  )
  const isNew = !existsSync(folder)
  const release = await holdDataFolder(folder)
  const partOf = (name: string) => join(folder, `${name}.migrating`)
  const clear = () => {
    for (const name of names)
      for (const file of [name, `${name}.migrating`].flatMap(withJournals)) rmSync(file, { force: true })
  }
  try {
    clear()
    writeFileSync(begun, '')
    ownAsFolder(begun)
    const lines = await onPostgres(url, hearing, async (source, place) => {
      await demandKnown(source, place)
      const [main, history] = [emptyFile(partOf(databaseFile)), await emptyHistory(partOf(historyFile))]
      try {
        const copied = await inTransaction(source, snapshot, async () => [
          ...(await inTransaction(main, 'begin', () => copyInto(main, [source], hearing.progress))),
          ...(await inTransaction(history, 'begin', () => copyTables(history, [source], hearing.progress))),
        ])
        return report(place, folder, copied)
      } finally {
        await main.db.destroy()
        await history.db.destroy()
      }
    })
    if (names.includes(agentFile)) copyFileSync(join(data, agentFile), partOf(agentFile))
    for (const name of names) {
      ownAsFolder(partOf(name))
      toDisk(partOf(name))
      renameSync(partOf(name), join(folder, name))
    }
    toDisk(folder)
    rmSync(begun)
    release()
    return [
      ...lines,
      `Next: start the server without DATABASE_URL and with --data ${folder}. The PostgreSQL database is no longer used.`,
      ...(existsSync(join(folder, agentFile))
        ? []
        : [
            `${data} has no ${agentFile}: if this machine’s agent is to stay the same server, copy it from its data folder first.`,
          ]),
    ]
  } catch (error) {
    clear()
    rmSync(begun, { force: true })
    release()
    if (isNew) rmSync(folder, { recursive: true, force: true })
    return failed(error, `nothing was left in ${folder}`)
  }
}

const snapshot = 'begin isolation level repeatable read read only'

/** Runs the work on a connection of a database that no server uses meanwhile; `place` names it. */
async function onPostgres<T>(
  url: string,
  { log }: Hearing,
  work: (side: Side, place: string) => Promise<T>,
): Promise<T> {
  const { db } = await connectPostgres(url, { log, isServer: false, taken: () => {} })
  try {
    const place = await placeOf(url)
    return await db.connection().execute((one) => work({ db: one as unknown as Side['db'], engine: 'postgres' }, place))
  } finally {
    await db.destroy()
  }
}

function failed(error: unknown, state: string): never {
  if (error instanceof Refusal) throw error
  throw new Failure(`${error instanceof Failure ? error.message : reasonOf(error)}; ${state}`, { cause: error })
}

/** Opens a database file of a stopped server without changing it. Errors: Refusal. */
function openWhole(file: string): Side {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })
  try {
    if (statSync(file).size === 0) throw new Error('it is empty')
    // Who may write merges the log of a crashed server into the file when it closes it; who may only read leaves files behind.
    const database = new Driver(file, { timeout: 5000, readonly: log !== undefined && log.size > 0 })
    database.pragma('query_only = ON')
    const said = database.pragma('quick_check(1)', { simple: true })
    if (said !== 'ok') throw new Error(String(said).split('\n')[0])
    if (file.endsWith(historyFile) && Number(database.pragma('user_version', { simple: true })) > schemaVersion)
      throw new Refusal(`${file} was written by a newer version; use that version`)
    database.exec('begin')
    return sideOf(database)
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(unreadable(file, error), { cause: error })
  }
}

/** Without a journal: what fails is removed. */
function emptyFile(file: string): Side {
  const database = new Driver(file)
  chmodSync(file, 0o600)
  for (const setting of ['journal_mode = OFF', 'synchronous = OFF']) database.pragma(setting)
  return sideOf(database)
}

async function emptyHistory(file: string): Promise<Side> {
  await (await openHistoryFile(file)).close()
  return emptyFile(file)
}

const sideOf = (database: Driver.Database): Side => ({
  db: new Kysely({ dialect: new SqliteDialect({ database }) }),
  engine: 'sqlite',
})

/** Errors: Refusal if the tables of the sources can’t be made there, or are there. */
async function demandEmpty(side: Side, name: string, sources: readonly Side[]): Promise<void> {
  const found = await sql<{ role: string; may: boolean | null }>`
    select current_user as role, has_schema_privilege(current_schema(), 'create') as may`.execute(side.db)
  const [{ role, may } = { role: '', may: false }] = found.rows
  if (!may) throw new Refusal(`role ${role} can’t create tables in ${name}; make the role the owner of the database`)
  const ours = (await Promise.all(sources.map((source) => tablesOf(source, true)))).flat()
  const there = (await tablesOf(side, true)).find((table) => ours.some((own) => own.name === table.name))
  if (there) throw new Refusal(`${name} already has a table ${there.name}; give an empty database`)
}

/** Errors: Refusal if this version doesn't know the database. */
async function demandKnown(side: Side, name: string): Promise<void> {
  const applied = await migrationsOf(side)
  if (applied.length === 0) throw new Refusal(`${name} has no Quarterdeck data`)
  const newer = applied.find((migration) => !migrationNames.includes(migration))
  if (newer !== undefined) throw new Refusal(`${name} was written by a newer version (${newer}); use that version`)
}

/** As the driver understands the URL, without the password. */
async function placeOf(url: string): Promise<string> {
  const { default: pg } = await import('pg')
  const { database, host, port } = new pg.Client(url)
  return `the Postgres database ${database} on ${host.startsWith('/') ? host : `${host}:${port}`}`
}

function report(from: string, to: string, copied: readonly Copied[]): readonly string[] {
  const filled = copied.filter(({ rows }) => rows > 0)
  const sum = filled.reduce((total, { rows }) => total + rows, 0)
  const lines = filled.map(({ table, rows }) => `  ${table}  ${rows}`)
  const counts = `${plural(sum, 'row')} of ${plural(filled.length, 'table')}`
  return [`Copied ${from} to ${to}: ${counts}, counted on both sides`, ...lines]
}

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`
