import type { Field, Resource } from '@qd/core/define'
import type { Kysely } from 'kysely'
import { jsonOf } from '../../kernel/json.ts'
import { updateRows } from '../db/update-rows.ts'
import type { Handle } from './commit.ts'
import type { StoredRow } from './rows.ts'

export interface Persist<Row extends StoredRow> {
  load(db: Handle): Promise<Row[]>
  insert(db: Handle, values: Omit<Row, 'id'>): Promise<number>
  update(db: Handle, changes: ReadonlyMap<number, Partial<Row>>): Promise<void>
  remove(db: Handle, ids: readonly number[]): Promise<void>
}

type Columns = Record<string, unknown>

/** Entities' tables; tables.test.ts checks their columns. */
export const entityTables = (db: Handle) => db as Kysely<Record<string, Columns & { id: number }>>

type Fields = Resource['fields']

/** One table, one column per field: flags as 0 and 1, lists and maps as JSON. Damaged JSON becomes the kind's zero, so that one bad row doesn't stop the others (S-49). */
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
    async update(db, changes) {
      const rows = [...changes].map(([id, changed]) => ({ ...toColumns(changed, fields), id }))
      await updateRows(entityTables(db), name, rows)
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

/** What PATCH stores for a missing field (contract http-api 3, "full replacement"). */
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
