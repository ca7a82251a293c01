import { type AnyRow, type Field, fieldOf, fieldValue, type Resource, type View } from '../define/index.ts'
import { type SortKey, sortKey } from '../fields/index.ts'
import { compareNatural, type NaturalKey, naturalKey } from './natural.ts'

/** Which column a list is ordered by. */
export interface Sort {
  readonly field: string
  readonly order: 'asc' | 'desc'
}

/** What one value is ordered by; null for an unknown one. */
type OrderKey = number | NaturalKey | null

/** What one row is ordered by. `title` is null if the title decides nothing. */
export interface RowOrder {
  readonly id: number
  readonly key: OrderKey
  /** By the field that decides between equal rows of the resource's own order; null otherwise. */
  readonly tie: OrderKey
  readonly title: OrderKey
}

/**
 * Reads from a row what it is ordered by; null for an unknown field. The reader is made once per pass over the rows. Pure.
 */
export function rowOrder(resource: Resource, sort: Sort, view: View): ((row: AnyRow) => RowOrder) | null {
  const field = Object.hasOwn(resource.fields, sort.field) ? resource.fields[sort.field] : undefined
  if (!field) return null
  const title = fieldOf(resource, resource.title)
  const ties = sort.field === resource.sort.field ? resource.sort.ties : undefined
  const tie = ties === undefined || ties === 'id' ? null : { name: ties, field: fieldOf(resource, ties) }
  const keyOf = (row: AnyRow, name: string, definition: Field): OrderKey =>
    orderKey(sortKey(definition, fieldValue(resource, row, name, view), view))
  return (row) => ({
    id: row.id,
    key: keyOf(row, sort.field, field),
    tie: tie && keyOf(row, tie.name, tie.field),
    title: ties === 'id' || sort.field === resource.title ? null : keyOf(row, resource.title, title),
  })
}

/** Compares two rows by their keys. An unknown value comes last in both directions. Equal rows are ordered by the resource's `ties`, then by title, then by ID. */
export function compareOrders({ order }: Pick<Sort, 'order'>): (a: RowOrder, b: RowOrder) => number {
  const direction = order === 'asc' ? 1 : -1
  return (a, b) =>
    compare(a.key, b.key, direction) || compare(a.tie, b.tie, direction) || compare(a.title, b.title, 1) || a.id - b.id
}

/** The rows in order, as a new list; by an unknown field as they were. */
export function sortRows<Row extends AnyRow>(resource: Resource, rows: readonly Row[], sort: Sort, view: View): Row[] {
  const orderOf = rowOrder(resource, sort, view)
  if (!orderOf) return [...rows]
  const compareRows = compareOrders(sort)
  const keyed = rows.map((row) => ({ row, order: orderOf(row) }))
  return keyed.sort((a, b) => compareRows(a.order, b.order)).map(({ row }) => row)
}

const orderKey = (key: SortKey): OrderKey => (typeof key === 'string' ? naturalKey(key) : key)

/** Numbers by value, texts as people count (web-2 before web-10), numbers before texts. */
function compareKeys(a: number | NaturalKey, b: number | NaturalKey): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1
  return typeof b === 'number' ? 1 : compareNatural(a, b)
}

function compare(a: OrderKey, b: OrderKey, direction: 1 | -1): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  return compareKeys(a, b) * direction
}
