import {
  type AnyRow,
  type FieldKind,
  fieldKey,
  fieldOf,
  isTold,
  type Resource,
  type Show,
  textKey,
  type View,
} from '../define/index.ts'
import { isNumeric } from '../fields/index.ts'
import {
  countOptions,
  parseSelection,
  type SelectionProblem,
  type Sort,
  selectRows,
  sortRows,
} from '../targets/index.ts'
import { type Facet, facetsOf } from './facets.ts'
import type { Marks } from './marks.ts'

/** How much room a list has. Web: under 600, 890 and 1180 px, else wide; terminal: under 80 and 110 columns (looks/tokens.md 9). */
export type Width = 'phone' | 'narrow' | 'normal' | 'wide'

/** A column as it is shown now. */
export interface Column {
  readonly field: string
  readonly kind: FieldKind
  /** Key of the head's text. */
  readonly label: string
  /** Key of the label where there is little room. */
  readonly short: string
  /** Key of the unit that the head says instead of every cell; null for none. */
  readonly unit: 'ui.units.head.percent' | 'ui.units.head.rate' | null
  /** Right-aligned. */
  readonly numeric: boolean
  readonly show: Show
  /** Gives way to the sentence of a record without data. */
  readonly live: boolean
  /** The list is ordered by it. */
  readonly order: Sort['order'] | null
}

/** A list as it stands: which columns, which rows in which order. */
export interface Table {
  readonly columns: readonly Column[]
  /** Ids of the listed rows. */
  readonly ids: readonly number[]
  /** How many rows there are without the filter. */
  readonly total: number
  /** How many rows the filter lets through; more than `ids` while a list that the server pages is not loaded to its end. */
  readonly matched: number
  /** The server has not answered yet to this filter and order of a list that it pages. */
  readonly isComing: boolean
  readonly marked: number
  /** How many marked rows the filter hides. */
  readonly hiddenMarks: number
  readonly facets: readonly Facet[]
  /** What is wrong with the filter; nothing is listed until it is right, so that nothing is marked that was not meant. */
  readonly problem: SelectionProblem | null
}

/** What a list is made of. */
export interface TableRequest {
  readonly resource: Resource
  readonly rows: readonly AnyRow[]
  readonly view: View
  readonly width: Width
  readonly sort?: Sort
  /** Text of the selection language. */
  readonly filter: string
  /** The filter is still being typed, so its last word may be unfinished. */
  readonly typing?: boolean
  readonly marks: Marks
  /** The fields that a person chose to see besides the title; absent or null: those of the definition. */
  readonly columns?: readonly string[] | null
  /** The server filters, orders and counts: `rows` are the first of those that match, in its order. */
  readonly paged?: Paged | undefined
  /** What its rows have in common for every filter, from before; absent: made here. */
  readonly counted?: Counted | undefined
}

/** That its rows stand in its order already, and how many have each option of the facet field (`countOptions`): the same for every filter. */
export interface Counted {
  readonly counts: Readonly<Record<string, number>>
}

/** What the server says of a list that comes in pages. */
export interface Paged {
  /** All records of the list, whatever the filter. */
  readonly all: number
  /** Those that the filter lets through. */
  readonly matched: number
  /** All records per option of the facet field. */
  readonly counts: Readonly<Record<string, number>>
  /** The rows are the answer to this filter and order; else to earlier ones, and a new answer is on its way. */
  readonly isCurrent: boolean
}

/** Filters, orders and counts. Pure; its only cost is proportional to the rows. */
export function buildTable(request: TableRequest): Table {
  const { resource, rows, view, width, sort = resource.sort, filter, typing, paged, counted } = request
  const parsed = parseSelection(resource, filter, { partial: typing ?? false, view })
  const isAnswer = paged?.isCurrent ?? false
  const ids = parsed.ok ? idsOf(isAnswer ? rows : ordered()) : []
  const table = {
    columns: columnsFor(resource, width, { sort, chosen: request.columns ?? null, view }),
    ids,
    total: paged?.all ?? rows.length,
    matched: paged && isAnswer && parsed.ok ? paged.matched : ids.length,
    isComing: resource.wire.paging === 'server' && !isAnswer && parsed.ok,
    marked: 0,
    hiddenMarks: 0,
    facets: facetsOf(resource, paged?.counts ?? counted?.counts ?? countOptions(resource, rows, view), view),
    problem: parsed.ok ? null : parsed.problem,
  }
  return withMarks(table, request)

  function ordered(): readonly AnyRow[] {
    const listed = filter.trim() === '' ? rows : selectRows(parsed.selection, resource, rows, view)
    return counted ? listed : sortRows(resource, listed, sort, view)
  }
}

/** The table with these marks; the rest of it stays as it was made. */
export function withMarks(table: Table, { rows, marks, paged }: Pick<TableRequest, 'rows' | 'marks' | 'paged'>): Table {
  if (marks.size === 0) return { ...table, marked: 0, hiddenMarks: 0 }
  // Marked rows of a list that comes in pages may not be here.
  const marked = paged ? marks.size : rows.filter(({ id }) => marks.has(id)).length
  return { ...table, marked, hiddenMarks: marked - table.ids.filter((id) => marks.has(id)).length }
}

const idsOf = (rows: readonly AnyRow[]) => rows.map(({ id }) => id)

/** The columns that a width has room for, in the order of the definition; where a person chose (`chosen`), those and the title. Fields that the server does not tell have none. */
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
  const told = columns.filter(({ field }) => isTold(resource.fields[field], view))
  return told.map(({ field, show, live }) => {
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

/** The fields a person may choose as columns: those of the definition first, then all others that say something in a cell. The title and the state beside it always stand. */
export function choosableColumns(resource: Resource, view: Pick<View, 'supports'> = {}): string[] {
  const own = resource.columns.map(({ field }) => field)
  const others = Object.entries(resource.fields)
    .filter(([field, { kind, hidden, formOnly }]) => !hidden && !formOnly && kind !== 'part' && !own.includes(field))
    .map(([field]) => field)
  return [...own, ...others].filter(
    (field) => field !== resource.title && field !== resource.state?.field && isTold(resource.fields[field], view),
  )
}

/** What was chosen has room before anything else; a column of the definition keeps its own rank. */
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
