import type { AnyRow, Resource } from '@qd/core/define'
import { resources } from '@qd/core/resources'
import { countOptions } from '@qd/core/targets'
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
import type { Ui } from '../../screen/state/ui.ts'
import { longestTitle } from './list-row.ts'

/** What a list shows is asked for by. */
export interface ListQuestion {
  readonly filter: string
  readonly typing: boolean
  readonly sort: Sort
  readonly marks: Marks
  readonly paged: Paged | undefined
  /** Cells of its rows. */
  readonly columns: number
}

/** What a list shows. `surface` is made anew whenever its rows may say something else. */
export interface Listed {
  readonly table: Table
  readonly surface: Surface
  /** Made anew whenever they may say something else for another reason than their own values and the time. */
  readonly around: unknown
  /** Cells of the longest title. */
  readonly longestTitle: number
}

/** The feed of a Nezha dashboard may bring what people wrote without another version: an order by it is looked at so often. */
const writtenSeconds = 10
const none: Marks = new Set()

/** Room for which class of width (looks/tokens.md 9). */
function widthClass(columns: number): Width {
  if (columns < 80) return 'narrow'
  return columns < 110 ? 'normal' : 'wide'
}

/** Answers what a list shows; made anew with its records, each second, and for another question. */
export function createListTable(ui: Ui, resource: Resource): (question: ListQuestion) => Listed {
  const { records, view, savedLists, surface } = ui.workspace
  const order = createKept<Pick<Listed, 'longestTitle'> & { readonly rows: readonly AnyRow[] }>()
  const counts = createKept<Counted>()
  const answer = createKept<Listed>()
  const marked = createKept<Listed>()
  return ({ filter, typing, sort, marks, paged, columns }) => {
    const width = widthClass(columns)
    const chosen = savedLists.list$(resource).peek().columns
    const second = Math.floor(ui.io.now() / 1000)
    const records$ = [records.version$(resource.name).peek(), records.list$(resource.name).peek().ids]
    const pages = JSON.stringify(paged)
    // One moment for all rows, which would each reckon it.
    const moment = { ...view }
    const orderedBy = [
      ...records$,
      sort,
      pages,
      isWritten(resource, sort) ? Math.floor(second / writtenSeconds) : second,
    ]
    const { rows, longestTitle: longest } = order(orderedBy, (before) => {
      const all = records.peekAll(resource.name)
      const listed = paged ? all : sortRows(resource, inOrderOf(before?.rows ?? [], all), sort, moment)
      return { rows: listed, longestTitle: longestTitle(resource, all) }
    })
    // The server orders and counts what comes in pages.
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

/** What people write changes with another version of the list. */
const isWritten = ({ initial, title }: Resource, { field }: Sort) => field in initial && title in initial

/** Keeps a value while its parts are the same ones. */
function createKept<Value>(): (parts: readonly unknown[], make: (before: Value | null) => Value) => Value {
  let kept: { parts: readonly unknown[]; value: Value } | null = null
  return (parts, make) => {
    if (!kept?.parts.every((part, at) => part === parts[at])) kept = { parts, value: make(kept?.value ?? null) }
    return kept.value
  }
}

/** These rows in the order of before, new ones behind: putting in order what nearly is takes a pass. */
function inOrderOf(before: readonly AnyRow[], rows: readonly AnyRow[]): readonly AnyRow[] {
  const left = new Set(rows)
  return [...before.filter((row) => left.delete(row)), ...left]
}
