import type { Resource } from '../define/index.ts'
import { isNumeric } from '../fields/index.ts'
import type { Sort } from '../targets/index.ts'

export { type Sort, sortRows } from '../targets/index.ts'

/** What a press on a column's head leads to: numbers begin with the largest, words with the first; the second press turns it, the third goes back to the resource's own order. */
export function nextSort(resource: Resource, current: Sort, field: string): Sort {
  const first = isNumeric(resource.fields[field]!.kind) ? 'desc' : 'asc'
  if (current.field !== field) return { field, order: first }
  if (current.order === first) return { field, order: first === 'asc' ? 'desc' : 'asc' }
  return field === resource.sort.field ? { field, order: first } : resource.sort
}
