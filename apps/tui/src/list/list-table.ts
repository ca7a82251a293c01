import type { AnyRow, Resource } from '@qd/core/define'
import { resources } from '@qd/core/resources'
import {
  buildTable,
  type Marks,
  type Paged,
  type Sort,
  type Surface,
  type Table,
  type Width,
  withMarks,
} from '@qd/core/view'
import type { Ui } from '../state/ui.ts'
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

/** Room for which class of width (looks/tokens.md 9). */
function widthClass(columns: number): Width {
  if (columns < 80) return 'narrow'
  return columns < 110 ? 'normal' : 'wide'
}

/** Answers what a list shows; made anew with its records, each second, and for another question. */
export function createListTable(ui: Ui, resource: Resource): (question: ListQuestion) => Listed {
  const { records, view, savedLists, surface } = ui.workspace
  let parts: readonly unknown[] = []
  let listed: Listed | null = null
  let marked: Marks | null = null
  return ({ filter, typing, sort, marks, paged, columns }) => {
    const width = widthClass(columns)
    const chosen = savedLists.list$(resource).peek().columns
    const second = Math.floor(ui.io.now() / 1000)
    const version = records.version$(resource.name).peek()
    const { ids } = records.list$(resource.name).peek()
    const now = [version, ids, second, filter, typing, sort, width, JSON.stringify([paged, chosen])]
    const isSame = listed !== null && now.every((part, at) => part === parts[at])
    if (isSame && marked === marks) return listed!
    const all = records.peekAll(resource.name)
    if (isSame) listed = { ...listed!, table: withMarks(listed!.table, { rows: all, marks, paged }) }
    else {
      // One moment for all rows, which would each reckon it.
      const moment = { ...view }
      const rows = paged ? all : inOrderOf(listed?.table.ids ?? [], all)
      listed = {
        table: buildTable({ resource, rows, view: moment, width, sort, typing, marks, filter, columns: chosen, paged }),
        surface: { ...surface(), view: moment },
        around: resources.map(({ name }) => records.version$(name).peek()).join(),
        longestTitle: longestTitle(resource, rows),
      }
    }
    parts = now
    marked = marks
    return listed
  }
}

/** These rows in the order of before, new ones behind: putting in order what nearly is takes a pass. */
function inOrderOf(ids: readonly number[], rows: readonly AnyRow[]): readonly AnyRow[] {
  const left = new Map(rows.map((row) => [row.id, row]))
  const before = ids.flatMap((id) => {
    const row = left.get(id) ?? []
    left.delete(id)
    return row
  })
  return [...before, ...left.values()]
}
