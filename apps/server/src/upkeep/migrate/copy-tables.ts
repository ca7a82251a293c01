import { CompiledQuery, type Kysely, sql, type TableMetadata } from 'kysely'
import { Failure } from '../../kernel/errors.ts'
import type { Engine } from '../../store/db/columns.ts'
import { migrate } from '../../store/db/migrate.ts'
import { reasonOf } from '../../store/db/storage.ts'

/** A database of either engine, on one connection. */
export interface Side {
  db: Kysely<Tables>
  engine: Engine
}

export type Row = Record<string, unknown>
type Tables = Record<string, Row>

export interface Copied {
  table: string
  rows: number
}

/** Called while a table is being copied. */
export type Progress = (table: string, rows: number) => void

/** A batch ends at whichever comes first: a run's output may have 1 MiB. */
const batch = { rows: 200, bytes: 4 * 1024 * 1024 }
/** PostgreSQL is asked for rows, so that their sum has to be small enough whatever they hold. */
const fetchedRows = 50

/** The tables of a database; of PostgreSQL those of the schema in which new ones are made. */
export async function tablesOf({ db, engine }: Side, withInternalKyselyTables = false): Promise<TableMetadata[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables })
  if (engine === 'sqlite') return tables
  const { rows } = await sql<{ own: string | null }>`select current_schema() as own`.execute(db)
  return tables.filter(({ schema, isView }) => schema === rows[0]?.own && !isView)
}

/** The migrations that a database has, oldest first; none if it isn’t Quarterdeck’s. */
export async function migrationsOf({ db, engine }: Side): Promise<readonly string[]> {
  const tables = await tablesOf({ db, engine }, true)
  if (!tables.some(({ name }) => name === 'kysely_migration')) return []
  const rows = await db.selectFrom('kysely_migration').select('name').orderBy('name').execute()
  return rows.map(({ name }) => String(name))
}

/**
 * Makes the tables of the sources’ version in an empty target, copies what they hold, and upgrades the target, all in the caller’s
 * transaction. The list of tables is the target’s schema. Errors: Failure if a count differs; what the databases say.
 */
export async function copyInto(target: Side, sources: readonly Side[], progress: Progress): Promise<Copied[]> {
  const last = (await migrationsOf(sources[0]!)).at(-1)
  await migrate(target.db, target.engine, last, { disableTransactions: true })
  const copied = await copyTables(target, sources, progress)
  await migrate(target.db, target.engine, undefined, { disableTransactions: true })
  return copied
}

/** Runs the work in a transaction of this connection, which `begin` starts. */
export async function inTransaction<T>({ db }: Side, begin: string, work: () => Promise<T>): Promise<T> {
  await sql.raw(begin).execute(db)
  try {
    const result = await work()
    await sql`commit`.execute(db)
    return result
  } catch (error) {
    // A lost connection has no transaction anymore, and its cause is what matters.
    await sql`rollback`.execute(db).catch(() => {})
    throw error
  }
}

/** Copies each table of the target that a source has, with the number that its next row gets. Errors: as `copyInto`. */
export async function copyTables(target: Side, sources: readonly Side[], progress: Progress): Promise<Copied[]> {
  const places = new Map<string, Side>()
  for (const source of sources) for (const { name } of await tablesOf(source)) places.set(name, source)
  const copied: Copied[] = []
  for (const { name, columns } of await tablesOf(target)) {
    const source = places.get(name)
    if (source === undefined) continue
    await copyRows({ source, target, table: name, columns: columns.map((column) => column.name) }, progress)
    const [before, after] = await Promise.all([countOf(source, name), countOf(target, name)])
    if (before !== after) throw new Failure(`table ${name} has ${before} rows, and ${after} in the copy`)
    if (columns.some((column) => column.isAutoIncrementing)) await setLastId(target, name, await lastId(source, name))
    copied.push({ table: name, rows: after })
  }
  return copied
}

interface Copying {
  source: Side
  target: Side
  table: string
  columns: readonly string[]
}

async function copyRows({ source, target, table, columns }: Copying, progress: Progress): Promise<void> {
  const statements = new Map<number, string>()
  let done = 0
  for await (const rows of batchesOf(source, table)) {
    const statement = statements.get(rows.length) ?? insertion(target.engine, table, columns, rows.length)
    statements.set(rows.length, statement)
    const values = rows.flatMap((row) => columns.map((column) => storable(target.engine, row[column])))
    try {
      await target.db.executeQuery(CompiledQuery.raw(statement, values))
    } catch (error) {
      const place = `table ${table}, rows ${done + 1} to ${done + rows.length}`
      throw new Failure(`${place}: ${reasonOf(error)}`, { cause: error })
    }
    done += rows.length
    progress(table, done)
  }
}

/** PostgreSQL has no zero byte in texts. */
const storable = (engine: Engine, value: unknown) =>
  engine === 'postgres' && typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : (value ?? null)

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

function insertion(engine: Engine, table: string, columns: readonly string[], rows: number): string {
  let count = 0
  const value = () => {
    count += 1
    return engine === 'postgres' ? `$${count}` : '?'
  }
  const lines = Array.from({ length: rows }, () => `(${columns.map(value).join()})`)
  return `insert into ${quoted(table)} (${columns.map(quoted).join()}) values ${lines.join()}`
}

async function* batchesOf({ db, engine }: Side, table: string): AsyncGenerator<Row[]> {
  if (engine === 'postgres') {
    await sql`declare copied no scroll cursor for select * from ${sql.table(table)}`.execute(db)
    for (;;) {
      const { rows } = await sql<Row>`fetch ${sql.lit(fetchedRows)} from copied`.execute(db)
      if (rows.length === 0) break
      yield rows
    }
    await sql`close copied`.execute(db)
    return
  }
  let rows: Row[] = []
  let size = 0
  for await (const row of db.selectFrom(table).selectAll().stream()) {
    rows.push(row)
    for (const value of Object.values(row)) if (typeof value === 'string') size += value.length
    if (rows.length < batch.rows && size < batch.bytes) continue
    yield rows
    rows = []
    size = 0
  }
  if (rows.length > 0) yield rows
}

async function countOf({ db }: Side, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db)
  return Number(rows[0]?.count)
}

/** The highest ID that a table has ever given out; 0 if none. */
async function lastId({ db, engine }: Side, table: string): Promise<number> {
  const { rows } =
    engine === 'sqlite'
      ? await sql<{ id: number }>`select seq as id from sqlite_sequence where name = ${table}`.execute(db)
      : await sql<{ id: number }>`select coalesce(pg_sequence_last_value(${sequence(table)}), 0) as id`.execute(db)
  return Number(rows[0]?.id ?? 0)
}

async function setLastId({ db, engine }: Side, table: string, id: number): Promise<void> {
  if (id === 0) return
  if (engine === 'postgres') {
    await sql`select setval(${sequence(table)}, ${sql.lit(id)})`.execute(db)
    return
  }
  await sql`delete from sqlite_sequence where name = ${table}`.execute(db)
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${id})`.execute(db)
}

const sequence = (table: string) => sql`pg_get_serial_sequence(${quoted(table)}, 'id')::regclass`
