import { type AnyRow, type Field, fieldValue, type Resource, type View } from '../define/index.ts'
import { isNumeric, type SortKey, sortKey } from '../fields/index.ts'
import { compareNatural } from './natural.ts'

/** Which column a list is ordered by. */
export interface Sort {
  readonly field: string
  readonly order: 'asc' | 'desc'
}

/** The order of two raw sort keys: numbers by value, texts as people count (web-2 before web-10), numbers before texts. */
function compareKeys(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return compareNatural(a, b)
  return typeof a === 'number' ? -1 : 1
}

/** The rows in order, as a new list. What is not known comes last in both directions; equal rows stand by title, then by id, and rows of equal weight by id as the server has them. */
export function sortRows<Row extends AnyRow>(resource: Resource, rows: readonly Row[], sort: Sort, view: View): Row[] {
  const field = resource.fields[sort.field]
  if (!field) return [...rows]
  const title = resource.fields[resource.title]!
  const isWeight = sort.field === resource.sort.field && field.kind === 'number'
  const keyOf = (row: AnyRow, name: string, definition: Field): SortKey =>
    sortKey(definition, fieldValue(resource, row, name, view), view)
  const keyed = rows.map((row) => ({
    row,
    key: keyOf(row, sort.field, field),
    title: isWeight || sort.field === resource.title ? null : keyOf(row, resource.title, title),
  }))
  const direction = sort.order === 'asc' ? 1 : -1
  keyed.sort((a, b) => compare(a.key, b.key, direction) || compare(a.title, b.title, 1) || a.row.id - b.row.id)
  return keyed.map(({ row }) => row)
}

function compare(a: SortKey, b: SortKey, direction: 1 | -1): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  return compareKeys(a, b) * direction
}

/** What a press on a column's head leads to: numbers begin with the largest, words with the first; the second press turns it, the third goes back to the resource's own order. */
export function nextSort(resource: Resource, current: Sort, field: string): Sort {
  const first = isNumeric(resource.fields[field]!.kind) ? 'desc' : 'asc'
  if (current.field !== field) return { field, order: first }
  if (current.order === first) return { field, order: first === 'asc' ? 'desc' : 'asc' }
  return field === resource.sort.field ? { field, order: first } : resource.sort
}
