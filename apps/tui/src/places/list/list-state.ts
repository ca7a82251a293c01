import type { Resource } from '@qd/core/define'
import { keepMarks, type Marks, markRange, nextSort, type Sort, toggleAll, toggleMark } from '@qd/core/view'

/** Where a list stands apart from its records: focus, marks, order, filter. */
export interface ListState {
  readonly focus: number | null
  readonly marks: Marks
  readonly sort: Sort
  readonly filter: string
  /** The last filter that was set, also when it is gone: what `n` and `N` look for. */
  readonly sought: string
  /** First listed row on screen. */
  readonly top: number
  /** Place of the focused row among the listed ones. */
  readonly index: number
  /** Takes the rows as they stand now: the focus stays on its record, or on its neighbour when that went away. */
  settle(ids: readonly number[], exists: (id: number) => boolean, rows: number): void
  move(by: number): void
  /** Moves what is on screen; the focus goes along only as far as it must. */
  scroll(by: number): void
  /** To an end, or to a row counted from 0; the last one is as far as it goes. */
  moveTo(place: 'first' | 'last' | number): void
  /** Moves to the next of these records, or the previous one, around the ends; stays where there is none. */
  find(matching: ReadonlySet<number>, by: 1 | -1): void
  focusOn(id: number): void
  mark(): void
  /** Marks from the row of the last mark to the focused one. */
  markRange(): void
  /** Moves and marks both rows. */
  extend(by: number): void
  markAll(): void
  clearMarks(): void
  order(field: string): void
  /** Another filter with an order of its own. */
  take(filter: string, sort: Sort): void
  setFilter(filter: string): void
}

/** A list at its beginning, in the order of last time. */
export function createListState(resource: Resource, saved: { sort?: Sort } = {}): ListState {
  let ids: readonly number[] = []
  let index = 0
  let focus: number | null = null
  let marks: Marks = new Set()
  let anchor: number | null = null
  let sort = saved.sort && saved.sort.field in resource.fields ? saved.sort : resource.sort
  let filter = ''
  let sought = ''
  let top = 0
  let room = 1
  const at = (next: number) => {
    focus = null
    // The place stays for rows that are on their way again.
    if (ids.length === 0) return
    index = Math.max(0, Math.min(ids.length - 1, next))
    focus = ids[index] ?? null
  }
  return {
    get focus() {
      return focus
    },
    get marks() {
      return marks
    },
    get sort() {
      return sort
    },
    get filter() {
      return filter
    },
    get sought() {
      return sought
    },
    get top() {
      return top
    },
    get index() {
      return index
    },
    settle(fresh, exists, rows) {
      ids = fresh
      room = rows
      marks = keepMarks(marks, exists)
      const found = focus === null ? -1 : ids.indexOf(focus)
      at(found < 0 ? index : found)
      top = Math.max(0, Math.min(top, ids.length - rows))
      if (index < top) top = index
      if (index >= top + rows) top = index - rows + 1
    },
    move: (by) => at(index + by),
    scroll(by) {
      top = Math.max(0, Math.min(ids.length - room, top + by))
      at(Math.max(top, Math.min(top + room - 1, index)))
    },
    moveTo: (place) => at(place === 'first' ? 0 : place === 'last' ? ids.length - 1 : place),
    find(matching, by) {
      const away = ids.map((_, step) => (index + by * (step + 1) + ids.length) % ids.length)
      const next = away.find((place) => matching.has(ids[place]!))
      if (next !== undefined) at(next)
    },
    focusOn(id) {
      focus = id
      const found = ids.indexOf(id)
      if (found >= 0) index = found
    },
    mark() {
      if (focus === null) return
      marks = toggleMark(marks, focus)
      anchor = focus
    },
    markRange() {
      if (focus !== null) marks = markRange(marks, ids, anchor ?? focus, focus)
    },
    extend(by) {
      if (focus === null) return
      const from = focus
      at(index + by)
      marks = markRange(marks, ids, from, focus)
      anchor = focus
    },
    markAll() {
      marks = toggleAll(marks, ids)
    },
    clearMarks() {
      marks = new Set()
      anchor = null
    },
    order(field) {
      sort = nextSort(resource, sort, field)
    },
    take(next, order) {
      filter = next
      sought = next || sought
      sort = order.field in resource.fields ? order : resource.sort
    },
    setFilter(next) {
      filter = next
      sought = next || sought
    },
  }
}
