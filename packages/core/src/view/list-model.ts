import { same } from '../actions/index.ts'
import type { Resource } from '../define/index.ts'
import { defined } from '../errors/index.ts'
import { keepMarks, type Marks, markRange, toggleAll, toggleMark } from './marks.ts'
import { nextSort, type Sort } from './order.ts'
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

/** Where a row stands: an end of the list, or a place counted from 0. */
export type ListPlace = 'first' | 'last' | number

/** A list without looks: its filter, order, marks, and cursor. Whoever draws it asks again after `onChange`. */
export interface ListModel {
  readonly resource: Resource
  /** Text of the selection language, as it is typed. */
  readonly filter: string
  /** The filter has the focus, so its last word may be unfinished. */
  readonly typing: boolean
  /** The last filter that was not empty, also when it is gone: what “find next” looks for. */
  readonly sought: string
  readonly sort: Sort
  readonly marks: Marks
  /** The row that keys act on; null before the first. It may be of a record that is not listed now. */
  readonly cursor: number | null
  /** The listed rows in the order on screen. */
  readonly ids: readonly number[]
  /** The place where the cursor last was among the listed rows. */
  readonly index: number
  /** The row of the cursor, or the one that took its place when it went away; null in an empty list. */
  readonly nearest: number | null
  /** The order is held, and another one is due. */
  readonly isReordered: boolean
  /** Calls back after each change by one of these calls. Returns the function that ends it. */
  onChange(run: () => void): () => void

  /** Takes the rows as they are filtered and ordered now. */
  settle(fresh: readonly number[]): void
  /** Rows that live metrics order keep their places while this is on for any of these reasons. */
  hold(by: 'pointer' | 'focus', isOn: boolean): void
  /** Takes the order of now. */
  release(): void

  move(by: number): void
  moveTo(place: ListPlace): void
  /** Moves the cursor to the nearest row if its own is not listed; in an empty list there is none. */
  land(): void
  /** Moves to the next of these records, or the previous one, around the ends; stays if there is none. */
  find(matching: ReadonlySet<number>, by: 1 | -1): void
  focusOn(id: number): void

  /** Marks the row of the cursor, or takes its mark. */
  mark(): void
  /** Marks from the row that was marked last to that of the cursor. */
  markRange(): void
  /** Moves the cursor and marks both rows. */
  extend(by: number): void
  /** Marks all of these; if all of them are marked, takes their marks. Default: the listed rows. */
  markAll(ids?: readonly number[]): void
  setMarks(ids: Iterable<number>): void
  clearMarks(): void
  /** Takes the marks of records that no longer exist. */
  keepMarks(exists: (id: number) => boolean): void

  /** What a press on this column’s head does. */
  sortBy(field: string): void
  setFilter(filter: string): void
  setTyping(isTyping: boolean): void
  /** Takes a filter with an order of its own; by an unknown field, the resource’s own. */
  take(saved: SavedFilter): void
}

/** Opens the list of a resource in this order. */
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
  /** The row that was marked or unmarked last. */
  let anchor: number | null = null
  /** The rows are those of this filter and order, so their order can be held. */
  let isCurrent = false

  const changed = () => {
    for (const run of [...listeners]) run()
  }
  /** An order by something that stays moves at once. */
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
  /** A call that tells of its change. */
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
      // The place stays for rows that are on their way again.
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

/** The rows in the order that they had; new ones at the end. */
function inOldOrder(old: readonly number[], now: readonly number[]): readonly number[] {
  const here = new Set(now)
  const known = new Set(old)
  return [...old.filter((id) => here.has(id)), ...now.filter((id) => !known.has(id))]
}
