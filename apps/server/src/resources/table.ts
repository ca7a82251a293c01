import type { Transaction } from 'kysely'
import type { Database, Db, Stored } from '../db/schema.ts'
import type { StoredRow } from '../rows.ts'

/** A database handle, inside or outside a transaction. */
export type Handle = Db | Transaction<Database>

/** How rows of one kind reach the database. */
export interface Persist<Row extends StoredRow> {
  load(db: Handle): Promise<Row[]>
  /** Answers the new id. */
  insert(db: Handle, values: Omit<Row, 'id'>): Promise<number>
  /** Writes the given fields of one row. */
  update(db: Handle, id: number, fields: Partial<Row>): Promise<void>
  remove(db: Handle, ids: readonly number[]): Promise<void>
}

type Columns = Record<string, unknown>

/** Tables of records: with an id, an owner and times. */
export type StoredTable = { [Name in keyof Database]: Database[Name] extends Stored ? Name : never }[keyof Database]

/** Which fields of a row are not plain columns: flags are 0 and 1, json fields text with what a damaged one becomes. */
interface Shape<Row> {
  flags: readonly (keyof Row & string)[]
  json: Partial<Record<keyof Row & string, unknown>>
}

/** Rows of one table, one column a field. A damaged JSON text becomes its zero, so that one bad row does not stop the others (S-49). */
export function tableOf<Row extends StoredRow>(name: StoredTable, shape: Shape<Row>): Persist<Row> {
  // One name stands for all: the columns are checked by the schema's migration and the store tests, not by this type.
  const table = name as 'servers'
  return {
    async load(db) {
      const rows = await db.selectFrom(table).selectAll().orderBy('id').execute()
      return rows.map((columns) => fromColumns<Row>(columns, shape))
    },
    async insert(db, values) {
      const { id } = await db
        .insertInto(table)
        .values(toColumns(values, shape) as never)
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    async update(db, id, fields) {
      await db
        .updateTable(table)
        .set(toColumns(fields, shape) as never)
        .where('id', '=', id)
        .execute()
    },
    async remove(db, ids) {
      await db
        .deleteFrom(table)
        .where('id', 'in', [...ids])
        .execute()
    },
  }
}

function fromColumns<Row>(columns: Columns, { flags, json }: Shape<Row>): Row {
  const row = { ...columns }
  for (const flag of flags) row[flag] = columns[flag] === 1
  for (const [field, zero] of Object.entries(json)) row[field] = parsed(columns[field], zero)
  return row as Row
}

function toColumns<Row>(row: object, { flags, json }: Shape<Row>): Columns {
  const columns: Columns = { ...row }
  for (const flag of flags) if (flag in columns) columns[flag] = columns[flag] ? 1 : 0
  for (const field of Object.keys(json)) if (field in columns) columns[field] = JSON.stringify(columns[field])
  return columns
}

function parsed(text: unknown, zero: unknown): unknown {
  try {
    const value: unknown = JSON.parse(String(text))
    return Array.isArray(value) === Array.isArray(zero) && typeof value === 'object' && value !== null ? value : zero
  } catch {
    return zero
  }
}
