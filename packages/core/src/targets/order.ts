import { type AnyRow, fieldOf, fieldReader, type Resource, type View } from '../define/index.ts'
import { type SortKey, sortKey } from '../fields/index.ts'
import { compareNatural, type NaturalKey, naturalKey } from './natural.ts'

export interface Sort {
  readonly field: string
  readonly order: 'asc' | 'desc'
}

type OrderKey = number | NaturalKey | null

/** Sort keys of a row. `title` is null if it doesn’t matter. */
export interface RowOrder {
  readonly id: number
  readonly key: OrderKey
  /** Key of the field that breaks ties in the resource’s own order. */
  readonly tie: OrderKey
  readonly title: OrderKey
}

/** Returns a reader of sort keys for many rows; null for an unknown field. */
export function rowOrder(resource: Resource, sort: Sort, view: View): ((row: AnyRow) => RowOrder) | null {
  if (!Object.hasOwn(resource.fields, sort.field)) return null
  const ties = sort.field === resource.sort.field ? resource.sort.ties : undefined
  const keyOf = (name: string): ((row: AnyRow) => OrderKey) => {
    const definition = fieldOf(resource, name)
    const read = fieldReader(resource, name, view)
    return (row) => orderKey(sortKey(definition, read(row), view))
  }
  const none = () => null
  const key = keyOf(sort.field)
  const tie = ties === undefined || ties === 'id' ? none : keyOf(ties)
  const title = ties === 'id' || sort.field === resource.title ? none : keyOf(resource.title)
  return (row) => ({ id: row.id, key: key(row), tie: tie(row), title: title(row) })
}

/** Unknown values come last in both directions. Ties are broken by the resource’s `ties`, then title, then ID. */
export function compareOrders({ order }: Pick<Sort, 'order'>): (a: RowOrder, b: RowOrder) => number {
  const direction = order === 'asc' ? 1 : -1
  return (a, b) =>
    compare(a.key, b.key, direction) || compare(a.tie, b.tie, direction) || compare(a.title, b.title, 1) || a.id - b.id
}

/** A new sorted list; an unknown field changes nothing. */
export function sortRows<Row extends AnyRow>(resource: Resource, rows: readonly Row[], sort: Sort, view: View): Row[] {
  const orderOf = rowOrder(resource, sort, view)
  if (!orderOf) return [...rows]
  const compareRows = compareOrders(sort)
  const keyed = rows.map((row) => ({ row, order: orderOf(row) }))
  return keyed.sort((a, b) => compareRows(a.order, b.order)).map(({ row }) => row)
}

const orderKey = (key: SortKey): OrderKey => (typeof key === 'string' ? naturalKey(key) : key)

/** Natural order, numbers before texts. */
function compareKeys(a: number | NaturalKey, b: number | NaturalKey): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1
  return typeof b === 'number' ? 1 : compareNatural(a, b)
}

function compare(a: OrderKey, b: OrderKey, direction: 1 | -1): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  return compareKeys(a, b) * direction
}

/** These rows in the order that they had before, which makes sorting them nearly linear. */
export function inOrderOf(before: readonly AnyRow[], rows: readonly AnyRow[]): readonly AnyRow[] {
  const left = new Set(rows)
  return [...before.filter((row) => left.delete(row)), ...left]
}
