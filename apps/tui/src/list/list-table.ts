import type { AnyRow, Resource } from '@qd/core/define'
import { resources } from '@qd/core/resources'
import {
  buildTable,
  type Counted,
  countRows,
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

/** All records of a list at a moment, whatever is asked of them. */
interface Whole extends Pick<Listed, 'around' | 'longestTitle'> {
  /** What it was made from. */
  readonly parts: readonly unknown[]
  readonly counted: Counted | undefined
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
  let whole: Whole | null = null
  return ({ filter, typing, sort, marks, paged, columns }) => {
    const width = widthClass(columns)
    const chosen = savedLists.list$(resource).peek().columns
    const second = Math.floor(ui.io.now() / 1000)
    const version = records.version$(resource.name).peek()
    const { ids } = records.list$(resource.name).peek()
    const ofWhole = [version, ids, second, sort, JSON.stringify(paged)]
    const now = [...ofWhole, filter, typing, width, JSON.stringify(chosen)]
    const isSame = listed !== null && isAlike(now, parts)
    if (isSame && marked === marks) return listed!
    const rows = records.peekAll(resource.name)
    if (isSame) listed = { ...listed!, table: withMarks(listed!.table, { rows, marks, paged }) }
    else {
      if (!whole || !isAlike(ofWhole, whole.parts)) whole = { parts: ofWhole, ...lookAt(rows, sort, paged) }
      const { counted, longestTitle, around } = whole
      // One moment for all rows, which would each reckon it.
      const moment = { ...view }
      const request = { resource, rows, view: moment, width, sort, typing, marks, filter, columns: chosen, paged }
      listed = {
        table: buildTable({ ...request, counted }),
        surface: { ...surface(), view: moment },
        around,
        longestTitle,
      }
    }
    parts = now
    marked = marks
    return listed
  }

  /** The server orders and counts what comes in pages. */
  function lookAt(rows: readonly AnyRow[], sort: Sort, paged: Paged | undefined): Omit<Whole, 'parts'> {
    return {
      counted: paged
        ? undefined
        : countRows({ resource, rows: inOrderOf(whole?.counted?.rows ?? [], rows), view: { ...view }, sort }),
      around: resources.map(({ name }) => records.version$(name).peek()).join(),
      longestTitle: longestTitle(resource, rows),
    }
  }
}

const isAlike = (now: readonly unknown[], before: readonly unknown[]) =>
  now.length === before.length && now.every((part, at) => part === before[at])

/** These rows in the order of before, new ones behind: putting in order what nearly is takes a pass. */
function inOrderOf(before: readonly AnyRow[], rows: readonly AnyRow[]): readonly AnyRow[] {
  const left = new Set(rows)
  return [...before.filter((row) => left.delete(row)), ...left]
}
