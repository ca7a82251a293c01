import { type AnyRow, type FieldKind, fieldKey, type Resource, type Show, type View } from '../define/index.ts'
import { isNumeric } from '../fields/index.ts'
import { parseSelection, type SelectionProblem, selectRows } from '../targets/index.ts'
import { type Facet, facetsOf } from './facets.ts'
import type { Marks } from './marks.ts'
import { type Sort, sortRows } from './order.ts'

/** How much room a list has. Web: under 600, 890 and 1180 px, else wide; terminal: under 80 and 110 columns (looks/tokens.md 9). */
export type Width = 'phone' | 'narrow' | 'normal' | 'wide'

/** A column as it is shown now. */
export interface Column {
  readonly field: string
  readonly kind: FieldKind
  /** Key of the head's text. */
  readonly label: string
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
  readonly marked: number
  /** How many marked rows the filter hides. */
  readonly hiddenMarks: number
  readonly facets: readonly Facet[]
  /** What is wrong with the filter; what could be understood of it is applied. */
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
}

/** Filters, orders and counts. Pure; its only cost is proportional to the rows. */
export function buildTable({
  resource,
  rows,
  view,
  width,
  sort = resource.sort,
  filter,
  typing,
  marks,
}: TableRequest): Table {
  const parsed = parseSelection(resource, filter, { partial: typing ?? false })
  const listed = filter.trim() === '' ? rows : selectRows(parsed.selection, resource, rows, view)
  const ids = sortRows(resource, listed, sort, view).map(({ id }) => id)
  const marked = rows.filter(({ id }) => marks.has(id)).length
  return {
    columns: columnsFor(resource, width, sort),
    ids,
    total: rows.length,
    marked,
    hiddenMarks: marked - ids.filter((id) => marks.has(id)).length,
    facets: facetsOf(resource, rows, view),
    problem: parsed.ok ? null : parsed.problem,
  }
}

/** The columns that a width has room for, in the order of the definition. */
export function columnsFor(resource: Resource, width: Width, sort: Sort = resource.sort): Column[] {
  return resource.columns
    .filter(({ field, show }) => fits(width, show, resource.fields[field]!.kind))
    .map(({ field, show, live }) => {
      const { kind } = resource.fields[field]!
      return {
        field,
        kind,
        label: fieldKey(resource, field),
        unit: kind === 'percent' || kind === 'rate' ? (`ui.units.head.${kind}` as const) : null,
        numeric: isNumeric(kind),
        show,
        live,
        order: sort.field === field ? sort.order : null,
      }
    })
}

/** A narrow list has no room for lists of names. */
function fits(width: Width, show: Show, kind: FieldKind): boolean {
  if (show === 'detail') return false
  if (show === 'always' || width === 'wide') return true
  if (show === 'wide' || width === 'phone') return false
  return width === 'normal' || kind !== 'refs'
}
