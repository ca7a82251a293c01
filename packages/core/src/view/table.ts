import { askedOf } from '../actions/index.ts'
import {
  type AnyRow,
  type FieldKind,
  fieldKey,
  fieldOf,
  isSupported,
  type Resource,
  type Show,
  textKey,
  type View,
} from '../define/index.ts'
import { isNumeric } from '../fields/index.ts'
import {
  countOptions,
  parseSelection,
  predicateOf,
  type SelectionProblem,
  type Sort,
  selectedFields,
  selectRows,
  sortRows,
} from '../targets/index.ts'
import { type Facet, facetsOf } from './facets.ts'
import type { Marks } from './marks.ts'

/** Web: under 600, 890 and 1180 px, else wide; terminal: under 80 and 110 columns (looks/tokens.md 9). */
export type Width = 'phone' | 'narrow' | 'normal' | 'wide'

export interface Column {
  readonly field: string
  readonly kind: FieldKind
  readonly label: string
  /** Text key of the label for little room. */
  readonly short: string
  /** Text key of a unit that the head has instead of every cell. */
  readonly unit: 'ui.units.head.percent' | 'ui.units.head.rate' | null
  readonly numeric: boolean
  readonly show: Show
  /** Replaced by the sentence of a record without data. */
  readonly live: boolean
  readonly order: Sort['order'] | null
}

export interface Table {
  readonly columns: readonly Column[]
  readonly ids: readonly number[]
  readonly total: number
  /** Number of matching rows; more than `ids` until a paged list is fully loaded. */
  readonly matched: number
  /** The server hasn’t responded yet to this filter and order of a paged list. */
  readonly isComing: boolean
  readonly marked: number
  readonly hiddenMarks: number
  readonly facets: readonly Facet[]
  /** Of the columns, the order and the filter: those for which hosts are read while it’s on screen. */
  readonly asked: readonly string[]
  /** What is wrong with the filter. Nothing is listed until it is fixed, so that nothing is selected by mistake. */
  readonly problem: SelectionProblem | null
}

export interface TableRequest {
  readonly resource: Resource
  readonly rows: readonly AnyRow[]
  readonly view: View
  readonly width: Width
  readonly sort?: Sort
  readonly filter: string
  /** The filter is still being typed, so its last word may be incomplete. */
  readonly typing?: boolean
  readonly marks: Marks
  /** The user’s columns besides the title; absent or null: those of the definition. */
  readonly columns?: readonly string[] | null
  /** The server filters, sorts and counts; `rows` are the first matches in its order. */
  readonly paged?: Paged | undefined
  /** What is the same for every filter, cached; absent: computed here. */
  readonly counted?: Counted | undefined
}

/** The rows are sorted already, and this many have each option of the facet field (`countOptions`). */
export interface Counted {
  readonly counts: Readonly<Record<string, number>>
}

export interface Paged {
  readonly all: number
  readonly matched: number
  /** All records per option of the facet field. */
  readonly counts: Readonly<Record<string, number>>
  /** Whether the rows are the response to this filter and order, or still to earlier ones. */
  readonly isCurrent: boolean
}

/** Filters, sorts and counts; the cost is proportional to the rows. */
export function buildTable(request: TableRequest): Table {
  const { resource, rows, view, width, sort = resource.sort, filter, typing, paged, counted } = request
  const parsed = parseSelection(resource, filter, { partial: typing ?? false, view })
  const isAnswer = paged?.isCurrent ?? false
  const isWhole = filter.trim() === ''
  const arranged = arrangedRows(request, sort)
  const ids = parsed.ok ? listed() : []
  const columns = columnsFor(resource, width, { sort, chosen: request.columns ?? null, view })
  const shown = [...columns.map(({ field }) => field), sort.field, ...selectedFields(parsed.selection)]
  const table = {
    columns,
    ids,
    total: paged?.all ?? rows.length,
    matched: paged && isAnswer && parsed.ok ? paged.matched : ids.length,
    isComing: resource.wire.paging === 'server' && !isAnswer && parsed.ok,
    marked: 0,
    hiddenMarks: 0,
    facets: facetsOf(
      resource,
      paged?.counts ?? (counted ?? arranged)?.counts ?? countOptions(resource, rows, view),
      view,
    ),
    asked: askedOf(resource, shown, view),
    problem: parsed.ok ? null : parsed.problem,
  }
  return withMarks(table, request)

  function listed(): readonly number[] {
    if (isAnswer) return idsOf(rows)
    if (arranged && isWhole) return arranged.ids
    if (arranged) {
      // Tested in their own order, in which they lie in memory.
      const fits = rows.map(predicateOf(parsed.selection, resource, view))
      // The same list, which nobody then compares or draws again.
      if (!fits.includes(false)) return arranged.ids
      return arranged.ids.filter((_, place) => fits[Number(arranged.places[place])])
    }
    const selected = isWhole ? rows : selectRows(parsed.selection, resource, rows, view)
    return idsOf(counted ? selected : sortRows(resource, selected, sort, view))
  }
}

interface Arranged extends Counted {
  readonly key: string
  /** In the order of the list, and the place of each in the rows. */
  readonly ids: readonly number[]
  readonly places: readonly number[]
}

const kept = new WeakMap<readonly AnyRow[], Arranged>()

/** Rows of hosts change only when they are read again, into another array: their order and counts are kept, so that a key of the filter sorts nothing. */
function arrangedRows({ resource, rows, view, paged, counted }: TableRequest, sort: Sort): Arranged | null {
  const { host, fields, derived, title, facet } = resource
  // What other records tell may change without these.
  const used = [sort.field, resource.sort.ties ?? title, title, facet ?? title]
  const isOwn = used.every((field) => !(field in derived) && !('to' in (fields[field] ?? {})))
  if (!host || paged || counted || !isOwn) return null
  const key = `${resource.name} ${sort.field} ${sort.order}`
  const before = kept.get(rows)
  if (before?.key === key) return before
  const sorted = sortRows(resource, rows, sort, view)
  const placeOf = new Map(rows.map((row, place) => [row, place]))
  const next = {
    key,
    ids: idsOf(sorted),
    places: sorted.map((row) => placeOf.get(row) ?? 0),
    counts: countOptions(resource, rows, view),
  }
  kept.set(rows, next)
  return next
}

export function withMarks(table: Table, { rows, marks, paged }: Pick<TableRequest, 'rows' | 'marks' | 'paged'>): Table {
  if (marks.size === 0) return { ...table, marked: 0, hiddenMarks: 0 }
  // Selected rows of a paged list may not be loaded.
  const marked = paged ? marks.size : rows.filter(({ id }) => marks.has(id)).length
  return { ...table, marked, hiddenMarks: marked - table.ids.filter((id) => marks.has(id)).length }
}

const idsOf = (rows: readonly AnyRow[]) => rows.map(({ id }) => id)

/** The columns that fit a width, in the definition’s order; with `chosen`, those and the title. Leaves out fields that the server doesn’t support. */
export function columnsFor(
  resource: Resource,
  width: Width,
  {
    sort = resource.sort,
    chosen = null,
    view = {},
  }: { sort?: Sort; chosen?: readonly string[] | null; view?: Pick<View, 'supports'> } = {},
): Column[] {
  const defined = resource.columns.filter(({ field, show }) => fits(width, show, fieldOf(resource, field).kind))
  const columns = chosen === null ? defined : pick(resource, chosen)
  const supported = columns.filter(({ field }) => isSupported(resource.fields[field], view))
  return supported.map(({ field, show, live }) => {
    const { kind, short } = fieldOf(resource, field)
    const label = fieldKey(resource, field)
    return {
      field,
      kind,
      label,
      short: short ? textKey.short(resource.name, field) : label,
      unit: kind === 'percent' || kind === 'rate' ? (`ui.units.head.${kind}` as const) : null,
      numeric: isNumeric(kind),
      show,
      live,
      order: sort.field === field ? sort.order : null,
    }
  })
}

/** The fields that can be columns: the definition’s first, then all others with a cell. The title and its state are always shown. */
export function choosableColumns(resource: Resource, view: Pick<View, 'supports'> = {}): string[] {
  const own = resource.columns.map(({ field }) => field)
  const others = Object.entries(resource.fields)
    .filter(([field, { kind, hidden, formOnly }]) => !hidden && !formOnly && kind !== 'part' && !own.includes(field))
    .map(([field]) => field)
  return [...own, ...others].filter(
    (field) => field !== resource.title && field !== resource.state?.field && isSupported(resource.fields[field], view),
  )
}

/** Chosen columns are always shown; a column of the definition keeps its own rank. */
function pick(resource: Resource, chosen: readonly string[]): Resource['columns'] {
  const own = resource.columns.filter(
    ({ field, show }) => field === resource.title || (show !== 'detail' && chosen.includes(field)),
  )
  const added = choosableColumns(resource)
    .filter((field) => chosen.includes(field) && !own.some((column) => column.field === field))
    .map((field) => ({ field, show: 'always' as const, live: false }))
  return [...own, ...added]
}

/** A narrow list has no room for lists of names. */
function fits(width: Width, show: Show, kind: FieldKind): boolean {
  if (show === 'detail') return false
  if (show === 'always' || width === 'wide') return true
  if (show === 'wide' || width === 'phone') return false
  return width === 'normal' || kind !== 'refs'
}
