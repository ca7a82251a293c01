import { batch, type Observable, observable } from '@legendapp/state'
import type { AnyRow, BadRow } from '../define/index.ts'
import type { AppError } from '../errors/index.ts'
import { same } from './same.ts'

/** How a list stands. Rows of before stay while a new answer is on its way, and when it fails. */
export interface ListState {
  /** `empty`: nothing asked yet; `loading`: a request is under way. */
  status: 'empty' | 'loading' | 'ready' | 'failed'
  /** In the server's order. */
  ids: readonly number[]
  /** Items that could not be read, with their reasons. */
  bad: readonly BadRow[]
  /** Of all pages, where the server pages. */
  total: number | null
  /** Why the last request failed; null after a good one. */
  error: AppError | null
  /** Epoch ms of the answer that the rows come from; null without one. */
  loadedAt: number | null
}

/** The records of one resource. Never sort or change what `get()` and `peek()` answer: it is the store itself. */
export interface Collection {
  readonly list$: Observable<ListState>
  readonly rows$: Observable<Record<number, AnyRow>>
  /** Rises when records came, went or changed, but not with live figures; for indexes over the whole list. */
  readonly version$: Observable<number>
  /** Takes an answer: rows that stayed are patched field by field, those that are gone are removed. */
  take(rows: readonly AnyRow[], state: Pick<ListState, 'bad' | 'total' | 'loadedAt' | 'status'>): void
  /** Takes one record without changing the list. */
  put(row: AnyRow): void
  /** Sets fields of a known record; with `quiet` the version stays (live figures). Unknown ids are passed over. */
  patch(id: number, changes: Readonly<Record<string, unknown>>, quiet?: boolean): void
  remove(ids: readonly number[]): void
}

/** An empty collection. */
export function createCollection(): Collection {
  const list$ = observable<ListState>(emptyList())
  const rows$ = observable<Record<number, AnyRow>>({})
  const version$ = observable(0)
  const raise = () => version$.set((version) => version + 1)

  /** Leaf-wise, so that cells of unchanged fields are not told. True when something changed. */
  const write = (row: AnyRow): boolean => {
    const known = rows$.peek()[row.id]
    if (!known) {
      rows$[row.id]!.set(row)
      return true
    }
    const fresh = Object.keys(row).filter((field) => !same(known[field], row[field]))
    for (const field of fresh) fieldOf(rows$, row.id, field).set(row[field])
    return fresh.length > 0
  }
  const drop = (ids: readonly number[]) => {
    for (const id of ids) rows$[id]!.delete()
  }
  return {
    list$,
    rows$,
    version$,
    take(rows, state) {
      batch(() => {
        const ids = rows.map((row) => row.id)
        const kept = new Set(ids)
        const gone = list$.peek().ids.filter((id) => !kept.has(id))
        const changed = rows.map(write).some(Boolean)
        drop(gone)
        if (changed || gone.length > 0 || !same(ids, list$.peek().ids)) raise()
        if (!same(ids, list$.peek().ids)) list$.ids.set(ids)
        list$.assign({ ...state, error: null })
      })
    },
    put(row) {
      batch(() => {
        if (write(row)) raise()
      })
    },
    patch(id, changes, quiet = false) {
      const known = rows$.peek()[id]
      if (!known) return
      batch(() => {
        const changed = write({ ...changes, id })
        if (changed && !quiet) raise()
      })
    },
    remove(ids) {
      const gone = new Set(ids)
      batch(() => {
        list$.ids.set(list$.peek().ids.filter((id) => !gone.has(id)))
        drop(ids)
        raise()
      })
    },
  }
}

/** The state of a list that nobody asked for yet. */
export function emptyList(): ListState {
  return { status: 'empty', ids: [], bad: [], total: null, error: null, loadedAt: null }
}

function fieldOf(rows$: Observable<Record<number, AnyRow>>, id: number, field: string): Observable<unknown> {
  return (rows$[id] as unknown as Record<string, Observable<unknown>>)[field]!
}
