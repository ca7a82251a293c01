import { type ColumnDefinitionBuilder, type CreateTableBuilder, type MigratorProps, type RawBuilder, sql } from 'kysely'

export type Engine = 'sqlite' | 'postgres'

/** Of any schema version. */
export type AnyDb = MigratorProps['db']

/** By the name that a database remembers. */
export type Migrations = Readonly<Record<string, (db: AnyDb, engine: Engine) => Promise<void>>>

type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

type ColumnType = 'text' | 'bigint' | 'double precision'

/** Starts a table with the column types that both engines share; values are required unless said. `own` adds an ID that is never reused (contract http-api 4). */
export function createTable(db: AnyDb, engine: Engine, name: string) {
  let builder: CreateTableBuilder<string, string> = db.schema.createTable(name)
  function add(type: ColumnType, columns: readonly string[], define: Column = (column) => column.notNull()) {
    for (const column of columns) builder = builder.addColumn(column, type, define)
    return table
  }
  const table = {
    own() {
      builder =
        engine === 'sqlite'
          ? builder.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
          : builder.addColumn('id', 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity())
      return table
    },
    record: () => table.own().integer('owner_id', 'created_at', 'updated_at'),
    text: (...columns: string[]) => add('text', columns),
    integer: (...columns: string[]) => add('bigint', columns),
    real: (...columns: string[]) => add('double precision', columns),
    optional: (type: ColumnType, ...columns: string[]) => add(type, columns, (column) => column),
    primary: (type: ColumnType, column: string) => add(type, [column], (one) => one.primaryKey().notNull()),
    unique: (column: string) => add('text', [column], (one) => one.notNull().unique()),
    builder: () => builder,
    /** `key`: the columns of a primary key of several. */
    create: (...key: string[]) =>
      (key.length > 0 ? builder.addPrimaryKeyConstraint(`${name}_key`, key) : builder).execute(),
  }
  return table
}

/** For `doUpdateSet`: the values of the row that conflicted. */
export const excluded = <C extends string>(...columns: readonly C[]) =>
  Object.fromEntries(columns.map((column) => [column, sql.ref(`excluded.${column}`)])) as Record<C, RawBuilder<never>>

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
