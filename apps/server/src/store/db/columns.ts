import { type ColumnDefinitionBuilder, type CreateTableBuilder, type MigratorProps, type RawBuilder, sql } from 'kysely'

export type Engine = 'sqlite' | 'postgres'

/** Of any schema version. */
export type AnyDb = MigratorProps['db']

/** By the name that a database remembers. */
export type Migrations = Readonly<Record<string, (db: AnyDb, engine: Engine) => Promise<void>>>

type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

const required: Column = (column) => column.notNull()

/** Starts a table with the column types that both engines share. `own` adds an ID that is never reused (contract http-api 4). */
export function createTable(db: AnyDb, engine: Engine, name: string) {
  let builder: CreateTableBuilder<string, string> = db.schema.createTable(name)
  const table = {
    own() {
      builder =
        engine === 'sqlite'
          ? builder.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
          : builder.addColumn('id', 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity())
      return table
    },
    text(column: string, define: Column = required) {
      builder = builder.addColumn(column, 'text', define)
      return table
    },
    integer(column: string, define: Column = required) {
      builder = builder.addColumn(column, 'bigint', define)
      return table
    },
    real(column: string, define: Column = required) {
      builder = builder.addColumn(column, 'double precision', define)
      return table
    },
    record() {
      return table.own().integer('owner_id').integer('created_at').integer('updated_at')
    },
    builder: () => builder,
    create: () => builder.execute(),
  }
  return table
}

export const optional: Column = (column) => column
export const primary: Column = (column) => column.primaryKey().notNull()
export const unique: Column = (column) => column.notNull().unique()

/** For `doUpdateSet`: the values of the row that conflicted. */
export const excluded = <C extends string>(...columns: readonly C[]) =>
  Object.fromEntries(columns.map((column) => [column, sql.ref(`excluded.${column}`)])) as Record<C, RawBuilder<never>>

/** Parses JSON; undefined if it is damaged, so that one bad row doesn't stop the others (S-49). */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a JSON list; empty if it is damaged. */
export function listOf<Entry>(text: string): readonly Entry[] {
  const list = jsonOf(text)
  return Array.isArray(list) ? list : []
}

export async function addColumn(
  db: AnyDb,
  table: string,
  name: string,
  type: 'text' | 'bigint',
  initial: string | number,
): Promise<void> {
  const define: Column = (column) => column.notNull().defaultTo(initial)
  await db.schema.alterTable(table).addColumn(name, type, define).execute()
}
