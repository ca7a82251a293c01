import type { Resource } from '@qd/core/define'
import type { Table } from '@qd/core/view'
import type { Area } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'
import { type Line, line, mutedLine, span } from '../terminal/line.ts'
import type { TextInput } from '../terminal/text-input.ts'
import { paneRows } from '../views/detail-pane.ts'
import { filterLine } from './filter-line.ts'
import { headLine, layColumns } from './list-columns.ts'
import { emptyLines, freshness } from './list-notes.ts'
import type { ListPane } from './list-pane.ts'
import { longestTitle, rowLine } from './list-row.ts'
import type { ListState } from './list-state.ts'

/** Below this a list has no heads and no meters. */
const compactBelow = 72

/** Lines above the first row. */
export function listHead({ columns }: Area): number {
  return columns < compactBelow ? 1 : 2
}

/** Rows of a list that an area has room for. */
export function listRoom(area: Area): number {
  return Math.max(1, area.rows - listHead(area) - paneRows(area))
}

/** What a list is drawn from. */
export interface ListDrawing {
  readonly resource: Resource
  readonly state: ListState
  readonly table: Table
  readonly area: Area
  /** The filter while it is typed. */
  readonly input: TextInput | null
  readonly pane: ListPane
  /** What may stand next in the filter that is typed. */
  readonly choices: readonly string[]
}

/** Filter, heads, rows or what stands in for them, and the pane of the focused one (looks/tui.md "List"). */
export function drawList(ui: Ui, { resource, state, table, area, input, pane, choices }: ListDrawing): Line[] {
  const { workspace, look } = ui
  const { translator, records } = workspace
  const { columns } = area
  const compact = columns < compactBelow
  const rows = records.peekAll(resource.name)
  const room = listRoom(area)
  const second = filterLine(
    { translator, input, filter: state.filter, problem: table.problem, choices, columns },
    marksAndFreshness(ui, resource, table, columns),
  )
  const laid = layColumns(table.columns, {
    resource,
    translator,
    width: columns,
    ascii: look.ascii,
    compact,
    longestTitle: longestTitle(resource, rows),
  })
  const isOld = workspace.isOld()
  const surface = workspace.surface()
  const listed = table.ids.slice(state.top, state.top + room).flatMap((id) => {
    const row = records.peek(resource.name, id)
    if (!row) return []
    const drawn = rowLine({
      look,
      surface,
      resource,
      row,
      columns: laid,
      width: columns,
      focused: id === state.focus,
      marked: state.marks.has(id),
      compact,
    })
    return [isOld ? mutedLine(drawn) : drawn]
  })
  const filter = input?.text ?? state.filter
  const body = listed.length > 0 ? listed : emptyLines(ui, resource, { filter, table, columns })
  const focused = state.focus === null ? undefined : records.peek(resource.name, state.focus)
  const below = focused ? pane.draw(focused, area) : []
  const missing = below.length > 0 ? Array.from({ length: Math.max(0, room - body.length) }, (): Line => []) : []
  return [second, ...(compact ? [] : [headLine(laid)]), ...body, ...missing, ...below]
}

function marksAndFreshness(
  ui: Ui,
  resource: Resource,
  { marked, hiddenMarks }: Pick<Table, 'marked' | 'hiddenMarks'>,
  columns: number,
): Line {
  const { t } = ui.workspace.translator
  const hidden =
    hiddenMarks === 0 ? '' : t(columns >= 110 ? 'ui.tui.list.hiddenLong' : 'ui.tui.list.hidden', { count: hiddenMarks })
  const marks = marked === 0 ? '' : [t('ui.tui.list.marked', { count: marked }), hidden].filter(Boolean).join(', ')
  const fresh = freshness(ui.workspace, resource, ui.io.now())
  return line([marks, fresh].filter(Boolean).join('  '), 'muted').concat(span(' '))
}
