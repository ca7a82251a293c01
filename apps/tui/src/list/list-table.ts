import type { Resource } from '@qd/core/define'
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
    const rows = records.peekAll(resource.name)
    listed = isSame
      ? { ...listed!, table: withMarks(listed!.table, { rows, marks, paged }) }
      : {
          table: buildTable({ resource, rows, view, width, sort, typing, marks, filter, columns: chosen, paged }),
          surface: surface(),
          longestTitle: longestTitle(resource, rows),
        }
    parts = now
    marked = marks
    return listed
  }
}
