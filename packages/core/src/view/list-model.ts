import { same } from '../actions/index.ts'
import { type Resource, textKey } from '../define/index.ts'
import { defined } from '../errors.ts'
import { nounOf, type Translator } from '../i18n/index.ts'
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

export function toggleSavedFilter(saved: SavedList, { filter, sort }: SavedFilter): SavedList {
  const words = filter.trim()
  const filters = savedFilterOf(saved, words)
    ? saved.filters.filter((one) => one.filter !== words)
    : [...saved.filters, { filter: words, sort: { ...sort } }]
  return { ...saved, filters }
}

export type ListPlace = 'first' | 'last' | number

/** A list without presentation: filter, order, selection and cursor. Whoever draws it reads it again after `onChange`. */
export interface ListModel {
  readonly resource: Resource
  readonly filter: string
  /** The filter has the focus, so its last word may be incomplete. */
  readonly typing: boolean
  /** The last nonempty filter, for “find next”. */
  readonly sought: string
  readonly sort: Sort
  readonly marks: Marks
  /** The ID of the row that keys act on. It may not be listed now. */
  readonly cursor: number | null
  readonly ids: readonly number[]
  readonly index: number
  /** The cursor’s row, or the one in its place after it disappeared; null in an empty list. */
  readonly nearest: number | null
  /** Whether a different order is due while this one is held. */
  readonly isReordered: boolean
  onChange(run: () => void): () => void

  settle(fresh: readonly number[]): void
  /** Keeps the order of rows sorted by live metrics while any of these reasons applies. */
  hold(by: 'pointer' | 'focus', isOn: boolean): void
  release(): void

  move(by: number): void
  moveTo(place: ListPlace): void
  /** Moves the cursor to the nearest row if its own isn’t listed. */
  land(): void
  find(matching: ReadonlySet<number>, by: 1 | -1): void
  focusOn(id: number): void

  mark(): void
  markRange(): void
  extend(by: number): void
  /** Selects all of these (default: the listed rows), or deselects them if all are selected. */
  markAll(ids?: readonly number[]): void
  setMarks(ids: Iterable<number>): void
  clearMarks(): void
  keepMarks(exists: (id: number) => boolean): void

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
  let fresh: readonly number[] = []
  /** The row that was selected or deselected last. */
  let anchor: number | null = null
  /** Whether the rows match this filter and order, so that their order can be held. */
  let isCurrent = false

  const changed = () => {
    for (const run of [...listeners]) run()
  }
  const isHeld = () =>
    holders.size > 0 &&
    (model.sort.field === resource.state?.field ||
      resource.columns.some(({ field, live }) => live && field === model.sort.field))
  const arrange = (keeps: boolean) => {
    const next = keeps && isHeld() ? inOldOrder(model.ids, fresh) : fresh
    model.ids = sameIds(model.ids, next) ? model.ids : next
    const found = model.cursor === null ? -1 : model.ids.indexOf(model.cursor)
    if (found >= 0) model.index = found
  }
  const at = (place: number) => {
    if (model.ids.length === 0) return
    model.index = Math.max(0, Math.min(model.ids.length - 1, place))
    model.cursor = defined(model.ids[model.index])
  }
  const isListed = () => model.cursor !== null && model.ids[model.index] === model.cursor
  const step = (by: number) => at(isListed() ? model.index + by : 0)
  const setFilter = (next: string) => {
    if (next !== model.filter) isCurrent = false
    model.filter = next
    if (!model.typing) model.sought = next || model.sought
  }
  const setSort = (next: Sort) => {
    if (!same(next, model.sort)) isCurrent = false
    model.sort = next
  }
  const telling =
    <Given extends unknown[]>(run: (...given: Given) => void) =>
    (...given: Given) => {
      run(...given)
      changed()
    }
  const model: { -readonly [Key in keyof ListModel]: ListModel[Key] } = {
    resource,
    filter: '',
    typing: false,
    sought: '',
    sort: saved ? known(saved) : resource.sort,
    marks: new Set(),
    cursor: null,
    ids: [],
    index: 0,
    get nearest() {
      return isListed() ? model.cursor : (model.ids[Math.min(model.index, model.ids.length - 1)] ?? null)
    },
    get isReordered() {
      return !sameIds(model.ids, fresh)
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
    moveTo: telling((place) => at(place === 'first' ? 0 : place === 'last' ? model.ids.length - 1 : place)),
    land: telling(() => {
      // Keep the index for rows that are being reloaded.
      if (model.ids.length === 0) model.cursor = null
      else if (!isListed()) at(model.index)
    }),
    find: telling((matching, by) => {
      const around = model.ids.map((_, away) => (model.index + by * (away + 1) + model.ids.length) % model.ids.length)
      const next = around.find((place) => matching.has(defined(model.ids[place])))
      if (next !== undefined) at(next)
    }),
    focusOn: telling((id) => {
      model.cursor = id
      const found = model.ids.indexOf(id)
      if (found >= 0) model.index = found
    }),
    mark: telling(() => {
      if (model.cursor === null) return
      model.marks = toggleMark(model.marks, model.cursor)
      anchor = model.cursor
    }),
    markRange: telling(() => {
      if (model.cursor === null) return
      anchor ??= model.cursor
      model.marks = markRange(model.marks, model.ids, anchor, model.cursor)
    }),
    extend: telling((by) => {
      const from = model.cursor
      step(by)
      if (from === null || model.cursor === null) return
      model.marks = markRange(model.marks, model.ids, from, model.cursor)
      anchor = model.cursor
    }),
    markAll: telling((all = model.ids) => {
      model.marks = toggleAll(model.marks, all)
    }),
    setMarks: telling((all) => {
      model.marks = new Set(all)
    }),
    clearMarks: telling(() => {
      model.marks = new Set()
      anchor = null
    }),
    keepMarks: telling((exists) => {
      model.marks = keepMarks(model.marks, exists)
    }),
    sortBy: telling((field) => setSort(nextSort(resource, model.sort, field))),
    setFilter: telling(setFilter),
    setTyping: telling((isTyping) => {
      model.typing = isTyping
      if (!model.typing) model.sought = model.filter || model.sought
    }),
    take: telling((next) => {
      setFilter(next.filter)
      setSort(known(next.sort))
    }),
  }
  return model
}

const sameIds = (a: readonly number[], b: readonly number[]) =>
  a === b || (a.length === b.length && a.every((id, place) => id === b[place]))

/** Keeps the old order; new rows come last. */
function inOldOrder(old: readonly number[], now: readonly number[]): readonly number[] {
  const here = new Set(now)
  const known = new Set(old)
  return [...old.filter((id) => here.has(id)), ...now.filter((id) => !known.has(id))]
}

/** Up to this many pages are all shown (product spec 2). */
const allUpTo = 5

/** The pages of a pager: all of few, else the first, the last and those around the current one; null is a gap. */
export function pagesShown(page: number, count: number): readonly (number | null)[] {
  const all = Array.from({ length: count }, (_, index) => index + 1)
  if (count <= allUpTo) return all
  const shown = all.filter((one) => one === 1 || one === count || Math.abs(one - page) <= 1)
  return shown.flatMap((one, index) => (index > 0 && one - defined(shown[index - 1]) > 1 ? [null, one] : [one]))
}

/** The resource’s own text, else "No servers yet" with the noun as it is written inside a sentence. */
export function emptyTitle(translator: Translator, resource: Pick<Resource, 'name'>): string {
  const { t, say, language } = translator
  const own = `ui.empty.${resource.name}.title`
  if (translator.has(own)) return say(own)
  const [first = '', ...rest] = t('ui.empty.title', { names: nounOf(say(textKey.many(resource.name)), language) })
  // Some languages begin the sentence with the noun.
  return first.toLocaleUpperCase(language) + rest.join('')
}
