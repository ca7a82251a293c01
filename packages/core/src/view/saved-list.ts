import { same } from '../actions/index.ts'
import type { Resource } from '../define/index.ts'
import type { Sort } from './order.ts'
import { columnsFor } from './table.ts'

/** A filter that somebody wants to come back to, with the order of its rows. */
export interface SavedFilter {
  filter: string
  sort: Sort
}

/** What a person has set for good in one list: the columns, null for those of the definition, and filters. */
export interface SavedList {
  columns: readonly string[] | null
  filters: readonly SavedFilter[]
}

/** Reads what was stored; what cannot be read is left out. */
export function toSavedList(stored: unknown): SavedList {
  const { columns, filters } = (stored ?? {}) as { columns?: unknown; filters?: unknown }
  const isText = (value: unknown): value is string => typeof value === 'string'
  const isFilter = (value: SavedFilter | null): value is SavedFilter =>
    isText(value?.filter) && isText(value.sort?.field) && ['asc', 'desc'].includes(value.sort.order)
  return {
    columns: Array.isArray(columns) ? columns.filter(isText) : null,
    filters: Array.isArray(filters) ? filters.filter(isFilter) : [],
  }
}

/** The fields that stand as columns where there is room for all of them. */
export function shownColumns(resource: Resource, { columns }: SavedList): string[] {
  return columnsFor(resource, 'wide', { chosen: columns }).map(({ field }) => field)
}

/** The same list with these fields as columns; those of the definition are kept as such. */
export function withColumns(resource: Resource, saved: SavedList, fields: readonly string[]): SavedList {
  const usual = shownColumns(resource, { ...saved, columns: null })
  return { ...saved, columns: same([...fields].sort(), [...usual].sort()) ? null : fields }
}

/** The saved filter of these words; absent where they are not saved. */
export const savedFilterOf = ({ filters }: SavedList, filter: string): SavedFilter | undefined =>
  filters.find((one) => one.filter === filter.trim())

/** Saves a filter with the order of its rows, or forgets it where it is saved. */
export function turnFilter(saved: SavedList, { filter, sort }: SavedFilter): SavedList {
  const words = filter.trim()
  const filters = savedFilterOf(saved, words)
    ? saved.filters.filter((one) => one.filter !== words)
    : [...saved.filters, { filter: words, sort: { ...sort } }]
  return { ...saved, filters }
}
