import type { AnyRow, Resource } from '@qd/core/define'
import { resources } from '@qd/core/resources'
import { countOptions, inOrderOf } from '@qd/core/targets'
import {
  buildTable,
  type Counted,
  type Marks,
  type Paged,
  type Sort,
  type Surface,
  sortRows,
  type Table,
  type Width,
  withMarks,
} from '@qd/core/view'
import { createKept } from '../../screen/state/kept.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { longestTitle } from './list-row.ts'

export interface ListQuestion {
  readonly filter: string
  readonly typing: boolean
  readonly sort: Sort
  readonly marks: Marks
  readonly paged: Paged | undefined
  readonly columns: number
}

export interface Listed {
  readonly table: Table
  readonly surface: Surface
  /** New identity when other data that rows depend on may have changed. */
  readonly around: unknown
  readonly longestTitle: number
}

/** How long an order may stand. */
const keptSeconds = 10
const none: Marks = new Set()

/** Width class (looks/tokens.md 9). */
function widthClass(columns: number): Width {
  if (columns < 80) return 'narrow'
  return columns < 110 ? 'normal' : 'wide'
}

/** Memoized table: recomputed for new records, each second, and for other parameters. */
export function createListTable(ui: Ui, resource: Resource): (question: ListQuestion) => Listed {
  const { records, view, savedLists, surface } = ui.workspace
  const order = createKept<Pick<Listed, 'longestTitle'> & { readonly rows: readonly AnyRow[] }>()
  const counts = createKept<Counted>()
  const answer = createKept<Listed>()
  const marked = createKept<Listed>()
  let orderedAt = 0
  return ({ filter, typing, sort, marks, paged, columns }) => {
    const width = widthClass(columns)
    const chosen = savedLists.list$(resource).get().columns
    const second = Math.floor(ui.io.now() / 1000)
    const records$ = [records.version$(resource.name).peek(), records.list$(resource.name).peek().ids]
    const pages = JSON.stringify(paged)
    const moment = { ...view }
    // A key of the filter doesn’t wait for a new order.
    const keptFor = typing || isWritten(resource, sort) ? keptSeconds : 1
    if (Math.abs(second - orderedAt) >= keptFor) orderedAt = second
    const { rows, longestTitle: longest } = order([...records$, sort, pages, orderedAt], (before) => {
      const all = records.peekAll(resource.name)
      const listed = paged ? all : sortRows(resource, inOrderOf(before?.rows ?? [], all), sort, moment)
      return { rows: listed, longestTitle: longestTitle(resource, all) }
    })
    // The server sorts and counts a paged list.
    const counted = paged ? undefined : counts([rows, second], () => ({ counts: countOptions(resource, rows, moment) }))
    const all = { resource, rows, paged }
    const asked = [rows, second, filter, typing, width, JSON.stringify(chosen)]
    const listed = answer(asked, () => ({
      table: buildTable({ ...all, view: moment, width, sort, typing, marks: none, filter, columns: chosen, counted }),
      surface: { ...surface(), view: moment },
      around: resources.map(({ name }) => records.version$(name).peek()).join(),
      longestTitle: longest,
    }))
    return marked([listed, marks], () => ({ ...listed, table: withMarks(listed.table, { rows, marks, paged }) }))
  }
}

/** Written fields change only with the list's version. */
const isWritten = ({ initial, title }: Resource, { field }: Sort) => field in initial && title in initial
