import { type Observable, observable } from '@legendapp/state'
import type { Resource } from '@qd/core/define'
import type { Sort } from '@qd/core/view'
import { ports } from '../ports.ts'
import { session } from '../state/stores.ts'

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

/** By person and list, `7:server`. It outlives a sign-out, as it holds nothing of the records. */
const storageKey = 'lists'
const known = new Map<string, Observable<SavedList>>()

function read(): Readonly<Record<string, unknown>> {
  try {
    const stored: unknown = JSON.parse(ports.storage.get(storageKey) ?? '{}')
    return typeof stored === 'object' && stored !== null ? { ...stored } : {}
  } catch {
    return {}
  }
}

/** What cannot be read is left out. */
function toSaved(stored: unknown): SavedList {
  const { columns, filters } = (stored ?? {}) as { columns?: unknown; filters?: unknown }
  const isText = (value: unknown): value is string => typeof value === 'string'
  const isFilter = (value: SavedFilter | null): value is SavedFilter =>
    isText(value?.filter) && isText(value.sort?.field) && ['asc', 'desc'].includes(value.sort.order)
  return {
    columns: Array.isArray(columns) ? columns.filter(isText) : null,
    filters: Array.isArray(filters) ? filters.filter(isFilter) : [],
  }
}

/** What the person who is signed in has saved for a list; kept in this browser with every change. */
export function savedList$(resource: Resource): Observable<SavedList> {
  const key = `${session.viewer().id}:${resource.name}`
  const found = known.get(key)
  if (found) return found
  const list$ = observable<SavedList>(toSaved(read()[key]))
  list$.onChange(() => ports.storage.set(storageKey, JSON.stringify({ ...read(), [key]: list$.peek() })))
  known.set(key, list$)
  return list$
}
