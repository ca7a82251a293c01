import { batch, type Observable, observable } from '@legendapp/state'
import { type HostEntry, type Listed, type PageQuery, same } from '../actions/index.ts'
import type { AnyRow, BadRow } from '../define/index.ts'
import type { AppError } from '../errors/index.ts'

/** How a list stands. Rows of before stay while a new answer is on its way, and when it fails. */
export interface ListState {
  /** `empty`: nothing asked yet; `loading`: a request is under way. */
  status: 'empty' | 'loading' | 'ready' | 'failed'
  /** In the server's order. */
  ids: readonly number[]
  /** Items that could not be read, with their reasons. */
  bad: readonly BadRow[]
  /** How many match what was asked, where the server pages; `ids` are the first of them. */
  total: number | null
  /** The whole list, whatever was asked, where the server pages: how many there are, and per option of the facet field. */
  pages: Listed['pages']
  /** How each host stands whose records these are; empty for records of the database. */
  hosts: readonly HostEntry[]
  /** What the server was asked when it sent these rows. */
  query: PageQuery
  /** Why the last request failed; null after a good one. */
  error: AppError | null
  /** Epoch ms of the answer that the rows come from; null without one. */
  loadedAt: number | null
}

/** One record; undefined while it is not known. */
export interface Row$ {
  /** The record as it is now: another object once it changed. Who observes this is told when it changes, comes or goes. */
  get(): AnyRow | undefined
  /** The store's own object, which is patched in place. */
  peek(): AnyRow | undefined
}

/** Records by id, an observable each. */
export interface Rows {
  /** The same observable each time, also for a record that comes later. */
  row$(id: number): Row$
  /** The store's own object: never sort or change it. */
  peek(id: number): AnyRow | undefined
  /** Takes a record, field by field where it is known. Returns whether anything changed. */
  write(row: AnyRow): boolean
  remove(id: number): void
  /** Removes every record. */
  clear(): void
}

/**
 * Records of one kind: plain objects in a map, and for each that somebody looks at an observable count of its changes. Patching a
 * thousand that nobody sees costs next to nothing.
 */
export function createRows(): Rows {
  const rows = new Map<number, Record<string, unknown> & AnyRow>()
  const watched = new Map<number, { count$: Observable<number>; row$: Row$ }>()
  /** What observers have seen of a record since it changed: it is patched in place, and React goes by another object. */
  const snapshots = new Map<number, AnyRow>()
  const changed = (id: number) => {
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
    write(row) {
      const { id } = row
      const known = rows.get(id)
      if (!known) {
        rows.set(id, { ...row })
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
  }
}

/** The records of one resource. */
export interface Collection {
  readonly list$: Observable<ListState>
  readonly rows: Rows
  /** Records that were asked for one by one; where the wire has such a call, it tells more than the list. */
  readonly details: Rows
  /** Rises when records came, went or changed, but not with live figures; for indexes over the whole list. */
  readonly version$: Observable<number>
  /**
   * Takes an answer: rows that stayed are patched, those that are gone are removed. Of a list that the server pages the others are only
   * not listed any more: they may be marked, and a selection that leaves them out does not mean that they are gone.
   */
  take(
    rows: readonly AnyRow[],
    state: Omit<ListState, 'ids' | 'error' | 'hosts'> & Partial<Pick<ListState, 'hosts'>>,
  ): void
  /** Takes one record that was asked for by itself. */
  put(row: AnyRow): void
  /** Takes records that were asked for beside the list; they are known, not listed. */
  know(rows: readonly AnyRow[]): void
  /** Sets fields of a known record; with `quiet` the version stays (live figures). Unknown ids are passed over. */
  patch(id: number, changes: Readonly<Record<string, unknown>>, quiet?: boolean): void
  remove(ids: readonly number[]): void
  /** Shows fields other than the server has them, through every answer, until it is lifted: `undone` shows the server's again, `kept` waits for its next answer. */
  overlay(id: number, changes: Fields): Lift
  /** Back to nothing asked and nothing known. */
  empty(): void
}

type Fields = Readonly<Record<string, unknown>>

/** Ends an overlay. */
export type Lift = (how: 'undone' | 'kept') => void

/** A run with its output may weigh megabytes; only so many of those that were opened stay. */
const maxDetails = 20

/** An empty collection. */
export function createCollection(): Collection {
  const list$ = observable<ListState>(emptyList())
  const rows = createRows()
  const details = createRows()
  const parts = [rows, details]
  const version$ = observable(0)
  let newest: number[] = []
  const raise = () => version$.set((version) => version + 1)
  /** Per record: what is shown on top, oldest first, and the server's own values below. */
  const overlays = new Map<number, { base: Fields; tops: Fields[] }>()
  const covered = (row: AnyRow): AnyRow => {
    const over = overlays.get(row.id)
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
        const ids = fresh.map((row) => row.id)
        const kept = new Set(ids)
        const changed = fresh.map((row) => rows.write(covered(row))).some(Boolean)
        if (state.total === null) for (const id of before) if (!kept.has(id)) rows.remove(id)
        if (changed || !same(ids, before)) raise()
        list$.assign({ ...state, ids: same(ids, before) ? before : ids, error: null })
      })
    },
    put(row) {
      batch(() => {
        if (details.write(row)) raise()
        newest = [row.id, ...newest.filter((id) => id !== row.id)]
        for (const id of newest.splice(maxDetails)) details.remove(id)
      })
    },
    know(fresh) {
      batch(() => {
        if (fresh.map((row) => rows.write(covered(row))).some(Boolean)) raise()
      })
    },
    patch(id, changes, quiet = false) {
      batch(() => {
        let changed = false
        for (const part of parts) if (part.peek(id)) changed = part.write(covered({ ...changes, id })) || changed
        if (changed && !quiet) raise()
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
      const show = (fields: Fields) => rows.peek(id) && rows.write({ ...fields, id }) && raise()
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
