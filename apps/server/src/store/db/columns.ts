import { type ColumnDefinitionBuilder, type CreateTableBuilder, type MigratorProps, type RawBuilder, sql } from 'kysely'

/** The two engines the schema runs on. */
export type Engine = 'sqlite' | 'postgres'

/** A database in whatever state a migration finds it. */
export type AnyDb = MigratorProps['db']

type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

const required: Column = (column) => column.notNull()

/**
 * Starts a table with columns of the three types both engines share: `text`, `bigint` and `double precision`.
 * `own` adds an id that is never used twice, also not after deletion (contract http-api 4).
 */
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

/** Leaves a column empty if nothing is known. */
export const optional: Column = (column) => column
/** A column whose value names the row. */
export const primary: Column = (column) => column.primaryKey().notNull()
/** A column without duplicates. */
export const unique: Column = (column) => column.notNull().unique()

/** For `doUpdateSet`: these columns as in the row that could not be inserted. */
export const excluded = <C extends string>(...columns: readonly C[]) =>
  Object.fromEntries(columns.map((column) => [column, sql.ref(`excluded.${column}`)])) as Record<C, RawBuilder<never>>

/** The value of a JSON text; undefined for a damaged one, so that one bad row does not stop the others (S-49). Pure. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A list that is stored as JSON text; a damaged one is empty. Pure. */
export function listOf<Entry>(text: string): readonly Entry[] {
  const list = jsonOf(text)
  return Array.isArray(list) ? list : []
}
