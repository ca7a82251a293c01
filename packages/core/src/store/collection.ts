import { batch, type Observable, ObservableHint, observable } from '@legendapp/state'
import { type HostEntry, type Listed, type PageQuery, same } from '../actions/index.ts'
import type { AnyRow, BadRow } from '../define/index.ts'
import type { AppError } from '../errors.ts'

/** Earlier rows stay during a request and if it fails. */
export interface ListState {
  /** `empty`: never requested. */
  status: 'empty' | 'loading' | 'ready' | 'failed'
  ids: readonly number[]
  bad: readonly BadRow[]
  /** Number of matches of a paged list, whose first ones are `ids`. */
  total: number | null
  /** Totals of a paged list regardless of the query. */
  pages: Listed['pages']
  /** How each host stands whose records these are; empty for records of the database. */
  hosts: readonly HostEntry[]
  query: PageQuery
  error: AppError | null
  /** Epoch ms of the response with these rows. */
  loadedAt: number | null
}

export interface Row$ {
  get(): AnyRow | undefined
  /** The store’s own object, which is patched in place. */
  peek(): AnyRow | undefined
}

export interface Rows {
  /** The same observable each time, also for a record that doesn’t exist yet. */
  row$(id: number): Row$
  /** The store’s own object: never change it. */
  peek(id: number): AnyRow | undefined
  /** Writes a record field by field; with `id`, only some fields of a known one. Returns whether anything changed. */
  write(row: Fields, id?: number): boolean
  remove(id: number): void
  clear(): void
  /** How often a record was added, changed or removed. */
  changes(): number
}

/** Plain objects in a map, with an observable only for those that are watched: patching a thousand unwatched rows costs next to nothing. */
export function createRows(): Rows {
  const rows = new Map<number, Record<string, unknown> & AnyRow>()
  const watched = new Map<number, { count$: Observable<number>; row$: Row$ }>()
  /** Copies that observers got since the last change: rows are patched in place, but React compares objects. */
  const snapshots = new Map<number, AnyRow>()
  let changes = 0
  const changed = (id: number) => {
    changes += 1
    snapshots.delete(id)
    watched.get(id)?.count$.set((count) => count + 1)
  }
  const remove = (id: number) => {
    if (rows.delete(id)) changed(id)
  }
  return {
    row$(id) {
      const known = watched.get(id)
      if (known) return known.row$
      const count$ = observable(0)
      const peek = () => rows.get(id)
      const get = () => {
        count$.get()
        const row = peek()
        if (row && !snapshots.has(id)) snapshots.set(id, { ...row })
        return snapshots.get(id)
      }
      const row$ = { peek, get }
      watched.set(id, { count$, row$ })
      return row$
    },
    peek: (id) => rows.get(id),
    write(row, id = Number(row.id)) {
      const known = rows.get(id)
      if (!known) {
        rows.set(id, { ...(row as AnyRow) })
        changed(id)
        return true
      }
      let isChanged = false
      for (const field in row) {
        if (same(known[field], row[field])) continue
        known[field] = row[field]
        isChanged = true
      }
      if (isChanged) changed(id)
      return isChanged
    },
    remove,
    clear() {
      for (const id of [...rows.keys()]) remove(id)
    },
    changes: () => changes,
  }
}

export interface Collection {
  readonly list$: Observable<ListState>
  readonly rows: Rows
  /** Records that were loaded one by one; some resources return more fields then. */
  readonly details: Rows
  /** Increases when records are added, removed or changed, except by live metrics. */
  readonly version$: Observable<number>
  /** Applies a response: patches, adds and removes rows. In a paged list missing rows are only unlisted, because the query may exclude them. */
  take(
    rows: readonly AnyRow[],
    state: Omit<ListState, 'ids' | 'error' | 'hosts'> & Partial<Pick<ListState, 'hosts'>>,
  ): void
  put(row: AnyRow): void
  /** Lists a saved record; a new one at the end. */
  save(row: AnyRow): void
  /** Adds records without listing them. */
  know(rows: readonly AnyRow[]): void
  /** Sets fields of a known record; with `keepsVersion` the version stays (live metrics). */
  patch(id: number, changes: Readonly<Record<string, unknown>>, keepsVersion?: boolean): void
  remove(ids: readonly number[]): void
  /** Shows other fields than the server’s through every response, until lifted: `undone` restores the server’s, `kept` waits for its next response. */
  overlay(id: number, changes: Fields): Lift
  empty(): void
}

type Fields = Readonly<Record<string, unknown>>

export type Lift = (how: 'undone' | 'kept') => void

/** A run with its output may have megabytes, so keep only this many. */
const maxDetails = 20

export function createCollection(): Collection {
  const list$ = observable<ListState>(emptyList())
  const rows = createRows()
  const details = createRows()
  const parts = [rows, details]
  const version$ = observable(0)
  let newest: number[] = []
  /** The last response. Rows of hosts come again as the same objects, which need no look while nothing else was written. */
  let taken: { rows: readonly AnyRow[]; changes: number } = { rows: [], changes: 0 }
  const raise = () => version$.set((version) => version + 1)
  /** Overlays by record, oldest first, with the server’s values below. */
  const overlays = new Map<number, { base: Fields; tops: Fields[] }>()
  const covered = (row: Fields, id = Number(row.id)): Fields => {
    const over = overlays.get(id)
    if (!over) return row
    over.base = { ...over.base, ...row }
    return Object.assign({}, row, ...over.tops)
  }
  return {
    list$,
    rows,
    details,
    version$,
    take(fresh, state) {
      batch(() => {
        const before = list$.peek().ids
        const known = rows.changes() === taken.changes ? taken.rows : []
        let changed = false
        for (const [at, row] of fresh.entries()) if (row !== known[at]) changed = rows.write(covered(row)) || changed
        const all = fresh.map((row) => row.id)
        const ids = same(all, before) ? before : all
        if (ids !== before && state.total === null) {
          const kept = new Set(ids)
          for (const id of before) if (!kept.has(id)) rows.remove(id)
        }
        taken = { rows: fresh, changes: rows.changes() }
        if (changed || ids !== before) raise()
        // Without the hint, observing a list walks all its IDs.
        list$.assign({ ...state, ids: ObservableHint.plain(ids), error: null })
      })
    },
    put(row) {
      batch(() => {
        if (details.write(row)) raise()
        newest = [row.id, ...newest.filter((id) => id !== row.id)]
        for (const id of newest.splice(maxDetails)) details.remove(id)
      })
    },
    save(row) {
      batch(() => {
        const { ids } = list$.peek()
        if (!ids.includes(row.id)) list$.ids.set([...ids, row.id])
        if (rows.write(covered(row)) || !ids.includes(row.id)) raise()
      })
    },
    know(fresh) {
      batch(() => {
        if (fresh.map((row) => rows.write(covered(row))).some(Boolean)) raise()
      })
    },
    patch(id, changes, keepsVersion = false) {
      batch(() => {
        let changed = false
        for (const part of parts) if (part.peek(id)) changed = part.write(covered(changes, id), id) || changed
        if (changed && !keepsVersion) raise()
      })
    },
    remove(ids) {
      const gone = new Set(ids)
      batch(() => {
        list$.ids.set(list$.peek().ids.filter((id) => !gone.has(id)))
        for (const id of ids) {
          rows.remove(id)
          details.remove(id)
        }
        raise()
      })
    },
    overlay(id, changes) {
      const over = overlays.get(id) ?? { base: { ...rows.peek(id) }, tops: [] }
      overlays.set(id, over)
      over.tops.push(changes)
      const show = (fields: Fields) => rows.peek(id) && rows.write(fields, id) && raise()
      show(changes)
      return (how) => {
        if (overlays.get(id) !== over) return
        over.tops = over.tops.filter((top) => top !== changes)
        if (how === 'kept') over.base = { ...over.base, ...changes }
        else show(Object.assign({}, over.base, ...over.tops))
        if (over.tops.length === 0) overlays.delete(id)
      }
    },
    empty() {
      overlays.clear()
      batch(() => {
        rows.clear()
        details.clear()
        newest = []
        list$.set(emptyList())
        raise()
      })
    },
  }
}

function emptyList(): ListState {
  return {
    status: 'empty',
    ids: [],
    bad: [],
    total: null,
    pages: null,
    hosts: [],
    query: {},
    error: null,
    loadedAt: null,
  }
}
