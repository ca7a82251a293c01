import { type Observable, observable } from '@legendapp/state'
import type { Resource } from '@qd/core/define'
import type { Sort } from '@qd/core/view'
import * as z from 'zod'
import { ports } from '../ports.ts'
import { session } from '../stores.ts'

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

const saved = z.object({
  columns: z.array(z.string()).nullable().catch(null),
  filters: z
    .array(z.object({ filter: z.string(), sort: z.object({ field: z.string(), order: z.enum(['asc', 'desc']) }) }))
    .catch([]),
})
/** By person and list, `7:server`. It outlives a sign-out, as it holds nothing of the records. */
const storageKey = 'lists'
const all = z.record(z.string(), saved)
const known = new Map<string, Observable<SavedList>>()

function read(): Record<string, SavedList> {
  try {
    return all.parse(JSON.parse(ports.storage.get(storageKey) ?? '{}'))
  } catch {
    return {}
  }
}

/** What the person who is signed in has saved for a list; kept in this browser with every change. */
export function savedList$(resource: Resource): Observable<SavedList> {
  const key = `${session.viewer().id}:${resource.name}`
  const found = known.get(key)
  if (found) return found
  const list$ = observable<SavedList>(read()[key] ?? { columns: null, filters: [] })
  list$.onChange(() => ports.storage.set(storageKey, JSON.stringify({ ...read(), [key]: list$.peek() })))
  known.set(key, list$)
  return list$
}
