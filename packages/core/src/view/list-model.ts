import { same } from '../actions/index.ts'
import type { Resource } from '../define/index.ts'
import { defined } from '../errors/index.ts'
import { keepMarks, type Marks, markRange, toggleAll, toggleMark } from './marks.ts'
import { nextSort, type Sort } from './order.ts'
import { columnsFor } from './table.ts'

export interface SavedFilter {
  filter: string
  sort: Sort
}

/** A user’s settings for one list. `columns`: null for those of the definition. */
export interface SavedList {
  columns: readonly string[] | null
  filters: readonly SavedFilter[]
}

/** Ignores what can’t be read. */
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

/** The columns of a wide list. */
export function shownColumns(resource: Resource, { columns }: SavedList): string[] {
  return columnsFor(resource, 'wide', { chosen: columns }).map(({ field }) => field)
}

/** Sets the columns; the definition’s own are stored as null. */
export function withColumns(resource: Resource, saved: SavedList, fields: readonly string[]): SavedList {
  const usual = shownColumns(resource, { ...saved, columns: null })
  return { ...saved, columns: same([...fields].sort(), [...usual].sort()) ? null : fields }
}

export const savedFilterOf = ({ filters }: SavedList, filter: string): SavedFilter | undefined =>
  filters.find((one) => one.filter === filter.trim())

/** Saves a filter with its order, or removes it if it is saved. */
export function toggleSavedFilter(saved: SavedList, { filter, sort }: SavedFilter): SavedList {
  const words = filter.trim()
  const filters = savedFilterOf(saved, words)
    ? saved.filters.filter((one) => one.filter !== words)
    : [...saved.filters, { filter: words, sort: { ...sort } }]
  return { ...saved, filters }
}

/** An end of the list, or an index. */
export type ListPlace = 'first' | 'last' | number

/** A list without presentation: filter, order, selection and cursor. Whoever draws it reads it again after `onChange`. */
export interface ListModel {
  readonly resource: Resource
  /** The query as typed. */
  readonly filter: string
  /** The filter has the focus, so its last word may be incomplete. */
  readonly typing: boolean
  /** The last nonempty filter, for “find next”. */
  readonly sought: string
  readonly sort: Sort
  readonly marks: Marks
  /** The ID of the row that keys act on. It may not be listed now. */
  readonly cursor: number | null
  /** The listed rows in display order. */
  readonly ids: readonly number[]
  /** The last index of the cursor. */
  readonly index: number
  /** The cursor’s row, or the one in its place after it disappeared; null in an empty list. */
  readonly nearest: number | null
  /** Whether a different order is due while this one is held. */
  readonly isReordered: boolean
  /** Returns a function that unsubscribes. */
  onChange(run: () => void): () => void

  /** Updates the rows as filtered and sorted now. */
  settle(fresh: readonly number[]): void
  /** Keeps the order of rows sorted by live metrics while any of these reasons applies. */
  hold(by: 'pointer' | 'focus', isOn: boolean): void
  /** Applies the current order. */
  release(): void

  move(by: number): void
  moveTo(place: ListPlace): void
  /** Moves the cursor to the nearest row if its own isn’t listed. */
  land(): void
  /** Moves to the next or previous of these records, wrapping around. */
  find(matching: ReadonlySet<number>, by: 1 | -1): void
  focusOn(id: number): void

  /** Selects or deselects the cursor’s row. */
  mark(): void
  /** Selects from the last selected row to the cursor. */
  markRange(): void
  /** Moves the cursor and selects both rows. */
  extend(by: number): void
  /** Selects all of these (default: the listed rows), or deselects them if all are selected. */
  markAll(ids?: readonly number[]): void
  setMarks(ids: Iterable<number>): void
  clearMarks(): void
  /** Deselects deleted records. */
  keepMarks(exists: (id: number) => boolean): void

  /** Handles a click on a column head. */
  sortBy(field: string): void
  setFilter(filter: string): void
  setTyping(isTyping: boolean): void
  /** Applies a filter with its order; an unknown field means the resource’s own order. */
  take(saved: SavedFilter): void
}

export function createListModel(resource: Resource, saved?: Sort): ListModel {
  const listeners = new Set<() => void>()
  const known = (sort: Sort) => (Object.hasOwn(resource.fields, sort.field) ? sort : resource.sort)
  const holders = new Set<'pointer' | 'focus'>()
  let filter = ''
  let typing = false
  let sought = ''
  let sort = saved ? known(saved) : resource.sort
  let marks: Marks = new Set()
  let cursor: number | null = null
  let ids: readonly number[] = []
  let fresh: readonly number[] = []
  let index = 0
  /** The row that was selected or deselected last. */
  let anchor: number | null = null
  /** Whether the rows match this filter and order, so that their order can be held. */
  let isCurrent = false

  const changed = () => {
    for (const run of [...listeners]) run()
  }
  /** Only orders by live metrics are held. */
  const isHeld = () =>
    holders.size > 0 &&
    (sort.field === resource.state?.field || resource.columns.some(({ field, live }) => live && field === sort.field))
  const arrange = (keeps: boolean) => {
    const next = keeps && isHeld() ? inOldOrder(ids, fresh) : fresh
    ids = sameIds(ids, next) ? ids : next
    const found = cursor === null ? -1 : ids.indexOf(cursor)
    if (found >= 0) index = found
  }
  const at = (place: number) => {
    if (ids.length === 0) return
    index = Math.max(0, Math.min(ids.length - 1, place))
    cursor = defined(ids[index])
  }
  const isListed = () => cursor !== null && ids[index] === cursor
  const step = (by: number) => at(isListed() ? index + by : 0)
  const setFilter = (next: string) => {
    if (next !== filter) isCurrent = false
    filter = next
    if (!typing) sought = next || sought
  }
  const setSort = (next: Sort) => {
    if (!same(next, sort)) isCurrent = false
    sort = next
  }
  const telling =
    <Given extends unknown[]>(run: (...given: Given) => void) =>
    (...given: Given) => {
      run(...given)
      changed()
    }
  return {
    resource,
    get filter() {
      return filter
    },
    get typing() {
      return typing
    },
    get sought() {
      return sought
    },
    get sort() {
      return sort
    },
    get marks() {
      return marks
    },
    get cursor() {
      return cursor
    },
    get ids() {
      return ids
    },
    get index() {
      return index
    },
    get nearest() {
      return isListed() ? cursor : (ids[Math.min(index, ids.length - 1)] ?? null)
    },
    get isReordered() {
      return !sameIds(ids, fresh)
    },
    onChange(run) {
      listeners.add(run)
      return () => listeners.delete(run)
    },
    settle(next) {
      if (fresh === next && isCurrent) return
      fresh = next
      arrange(isCurrent)
      isCurrent = true
    },
    hold(by, isOn) {
      if (holders.has(by) === isOn) return
      if (isOn) holders.add(by)
      else holders.delete(by)
      arrange(isCurrent)
      changed()
    },
    release: telling(() => arrange(false)),
    move: telling(step),
    moveTo: telling((place) => at(place === 'first' ? 0 : place === 'last' ? ids.length - 1 : place)),
    land: telling(() => {
      // Keep the index for rows that are being reloaded.
      if (ids.length === 0) cursor = null
      else if (!isListed()) at(index)
    }),
    find: telling((matching, by) => {
      const around = ids.map((_, away) => (index + by * (away + 1) + ids.length) % ids.length)
      const next = around.find((place) => matching.has(defined(ids[place])))
      if (next !== undefined) at(next)
    }),
    focusOn: telling((id) => {
      cursor = id
      const found = ids.indexOf(id)
      if (found >= 0) index = found
    }),
    mark: telling(() => {
      if (cursor === null) return
      marks = toggleMark(marks, cursor)
      anchor = cursor
    }),
    markRange: telling(() => {
      if (cursor === null) return
      anchor ??= cursor
      marks = markRange(marks, ids, anchor, cursor)
    }),
    extend: telling((by) => {
      const from = cursor
      step(by)
      if (from === null || cursor === null) return
      marks = markRange(marks, ids, from, cursor)
      anchor = cursor
    }),
    markAll: telling((all = ids) => {
      marks = toggleAll(marks, all)
    }),
    setMarks: telling((all) => {
      marks = new Set(all)
    }),
    clearMarks: telling(() => {
      marks = new Set()
      anchor = null
    }),
    keepMarks: telling((exists) => {
      marks = keepMarks(marks, exists)
    }),
    sortBy: telling((field) => setSort(nextSort(resource, sort, field))),
    setFilter: telling(setFilter),
    setTyping: telling((isTyping) => {
      typing = isTyping
      if (!typing) sought = filter || sought
    }),
    take: telling((next) => {
      setFilter(next.filter)
      setSort(known(next.sort))
    }),
  }
}

const sameIds = (a: readonly number[], b: readonly number[]) =>
  a === b || (a.length === b.length && a.every((id, place) => id === b[place]))

/** Keeps the old order; new rows come last. */
function inOldOrder(old: readonly number[], now: readonly number[]): readonly number[] {
  const here = new Set(now)
  const known = new Set(old)
  return [...old.filter((id) => here.has(id)), ...now.filter((id) => !known.has(id))]
}
