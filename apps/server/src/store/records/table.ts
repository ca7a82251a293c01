import type { Field, Resource } from '@qd/core/define'
import type { Kysely, Transaction } from 'kysely'
import { jsonOf } from '../db/columns.ts'
import type { Database, Db } from '../db/schema.ts'
import type { StoredRow } from './rows.ts'

/** A database handle, inside or outside a transaction. */
export type Handle = Db | Transaction<Database>

/** How rows of one kind reach the database. */
export interface Persist<Row extends StoredRow> {
  load(db: Handle): Promise<Row[]>
  /** Returns the new id. */
  insert(db: Handle, values: Omit<Row, 'id'>): Promise<number>
  update(db: Handle, id: number, fields: Partial<Row>): Promise<void>
  remove(db: Handle, ids: readonly number[]): Promise<void>
}

type Columns = Record<string, unknown>

/** The tables of entities, made by migrations; that they have the columns is checked by a test (tables.test.ts), not by this type. */
export const entityTables = (db: Handle) => db as Kysely<Record<string, Columns & { id: number }>>

type Fields = Resource['fields']

/**
 * Rows of one table, one column a field; what a column holds follows from the field's kind: flags are 0 and 1, lists and maps JSON
 * text. A damaged JSON text becomes the kind's zero, so that one bad row does not stop the others (S-49).
 */
export function tableOf<Row extends StoredRow>(name: string, fields: Fields): Persist<Row> {
  return {
    async load(db) {
      const rows = await entityTables(db).selectFrom(name).selectAll().orderBy('id').execute()
      return rows.map((columns) => fromColumns<Row>(columns, fields))
    },
    async insert(db, values) {
      const made = entityTables(db)
        .insertInto(name)
        .values(toColumns(values, fields) as never)
      return (await made.returning('id').executeTakeFirstOrThrow()).id
    },
    async update(db, id, changed) {
      const set = entityTables(db).updateTable(name).set(toColumns(changed, fields))
      await set.where('id', '=', id).execute()
    },
    async remove(db, ids) {
      const gone = entityTables(db).deleteFrom(name)
      await gone.where('id', 'in', [...ids]).execute()
    },
  }
}

function fromColumns<Row>(columns: Columns, fields: Fields): Row {
  const read = ([name, value]: [string, unknown]) => {
    const zero = fields[name] && zeroOf(fields[name])
    if (zero === false) return [name, value === 1]
    return [name, typeof zero === 'object' ? parsed(value, zero) : value]
  }
  return Object.fromEntries(Object.entries(columns).map(read)) as Row
}

function toColumns(row: object, fields: Fields): Columns {
  const written = ([name, value]: [string, unknown]) => {
    const zero = fields[name] && zeroOf(fields[name])
    if (zero === false) return [name, value ? 1 : 0]
    return [name, typeof zero === 'object' ? JSON.stringify(value) : value]
  }
  return Object.fromEntries(Object.entries(row).map(written))
}

function parsed(text: unknown, zero: unknown): unknown {
  const value = jsonOf(String(text))
  return Array.isArray(value) === Array.isArray(zero) && typeof value === 'object' && value !== null ? value : zero
}

/** The value of a kind where none is given: what PATCH without the field stores (contract http-api 3, "full replacement"). */
export function zeroOf(field: Field): unknown {
  switch (field.kind) {
    case 'flag':
      return false
    case 'refs':
    case 'list':
    case 'rules':
    case 'trend':
      return []
    case 'id-map':
    case 'part':
      return {}
    case 'number':
    case 'duration':
    case 'bytes':
    case 'rate':
    case 'percent':
    case 'ref':
      return 0
    case 'choice':
      return typeof Object.values(field.options)[0] === 'number' ? 0 : ''
    default:
      return ''
  }
}
