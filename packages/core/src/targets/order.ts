import { type AnyRow, fieldOf, fieldReader, type Resource, type View } from '../define/index.ts'
import { type SortKey, sortKey } from '../fields/index.ts'

/** Printable ASCII except digits and letters, in collation order; digits and letters follow. */
const signs = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$'

let collator: Intl.Collator | undefined

/** A sort key: made once per text, compared many times. */
interface NaturalKey {
  readonly text: string
  /** Sorts by code units like the text; null if only the collator knows the order. */
  readonly plain: string | null
}

/** Caches keys: a live list is sorted every second by the same names. */
let known = new Map<string, NaturalKey>()
const maxKnown = 20_000

export function naturalKey(text: string): NaturalKey {
  const before = known.get(text)
  if (before) return before
  const key = { text, plain: /^[ -~]*$/.test(text) ? partsOf(text).map(plainPart).join('') : null }
  if (known.size >= maxKnown) known = new Map()
  known.set(text, key)
  return key
}

/** Compares in natural order (web-2 before web-10), ignoring case. Creating a collator takes 7 ms, so printable ASCII, which most names are, does without it. */
export function compareNatural(a: NaturalKey, b: NaturalKey): number {
  if (a.plain !== null && b.plain !== null) return Number(a.plain > b.plain) - Number(a.plain < b.plain)
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  return collator.compare(a.text, b.text)
}

/** Runs of digits without leading zeros, and all other characters one by one. */
const partsOf = (text: string) => text.match(/0*(?:[1-9]\d*|0(?!\d))|\D/g) ?? []

/** Signs, then numbers (first by their length), then letters, which begin at 97. */
function plainPart(part: string): string {
  if (/^\d/.test(part)) {
    const digits = part.replace(/^0+(?=\d)/, '')
    return String.fromCharCode(signs.length, digits.length) + digits
  }
  const sign = signs.indexOf(part)
  return sign < 0 ? part.toLowerCase() : String.fromCharCode(sign)
}

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
