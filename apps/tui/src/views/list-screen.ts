import { actionLine, listLine } from '@qd/core/actions'
import { type AnyRow, type Resource, textKey } from '@qd/core/define'
import { buildTable, type Sort, type Table, type Width } from '@qd/core/view'
import { watchWithNeeds } from '../app/needs.ts'
import { perform } from '../app/perform.ts'
import type { Area, Screen } from '../app/screen.ts'
import type { Ui } from '../app/ui.ts'
import { type Line, line, mutedLine, span } from '../terminal/line.ts'
import { createTextInput, type TextInput } from '../terminal/text-input.ts'
import { paneLines, paneRows } from './detail-pane.ts'
import { filterLine } from './filter-line.ts'
import { headLine, layColumns } from './list-columns.ts'
import { actionMenu, copyMenu, sortMenu } from './list-menus.ts'
import { emptyLines, freshness } from './list-notes.ts'
import { longestTitle, rowLine } from './list-row.ts'
import { createListState, type ListState } from './list-state.ts'
import { facetSummary } from './list-summary.ts'

/** A list of any resource. */
export interface ListScreen extends Screen {
  readonly state: ListState
  readonly resource: Resource
  setFilter(filter: string): void
}

/** Room for which class of width (design/looks/tokens.md 9). */
function widthClass(columns: number): Width {
  if (columns < 80) return 'narrow'
  return columns < 110 ? 'normal' : 'wide'
}
const compactBelow = 72

/** Builds the list of a resource. */
export function createListScreen(ui: Ui, resource: Resource): ListScreen {
  const { desk } = ui
  const { records, view, shelf } = desk
  const { translator } = desk
  const shelfPart = `sort:${resource.name}`
  const state = createListState(resource, { sort: shelf.read('main', shelfPart) as Sort })
  let input: TextInput | null = null
  let area: Area = { columns: 80, rows: 20 }
  let cached: { key: string; table: Table } | null = null

  const filter = () => input?.text ?? state.filter
  const table = (): Table => {
    const second = Math.floor(ui.io.now() / 1000)
    const parts = [records.version$(resource.name).peek(), records.list$(resource.name).peek().ids.length, second]
    const key = JSON.stringify([...parts, filter(), state.sort, input !== null, area.columns, [...state.marks]])
    if (cached?.key === key) return cached.table
    const request = {
      resource,
      rows: records.peekAll(resource.name),
      view,
      width: widthClass(area.columns),
      sort: state.sort,
      filter: filter(),
      typing: input !== null,
      marks: state.marks,
    }
    cached = { key, table: buildTable(request) }
    return cached.table
  }
  let room = 20
  /** Keys may come between two frames: they mean the rows as they stand now. */
  const settle = () => state.settle(table().ids, (id) => records.peek(resource.name, id) !== undefined, room)
  const focusedRow = () => (state.focus === null ? undefined : records.peek(resource.name, state.focus))
  /** Marked rows, else the focused one. */
  const chosen = (): readonly AnyRow[] => {
    settle()
    const marked = [...state.marks].flatMap((id) => records.peek(resource.name, id) ?? [])
    const focused = focusedRow()
    return marked.length > 0 ? marked : focused ? [focused] : []
  }
  /** Opening and editing are about the row under the bar, whatever is marked. */
  const rowsFor = (name: string): readonly AnyRow[] =>
    ['open', 'edit', 'duplicate'].includes(name) ? [focusedRow()].filter((row) => row !== undefined) : chosen()

  const marksAndFreshness = ({ marked, hiddenMarks }: Table, columns: number): Line => {
    const { t } = translator
    const long = columns >= 110
    const hidden =
      hiddenMarks === 0 ? '' : t(long ? 'ui.tui.list.hiddenLong' : 'ui.tui.list.hidden', { count: hiddenMarks })
    const marks = marked === 0 ? '' : [t('ui.tui.list.marked', { count: marked }), hidden].filter(Boolean).join(', ')
    const fresh = freshness(desk, resource, ui.io.now())
    return line([marks, fresh].filter(Boolean).join('  '), 'muted').concat(span(' '))
  }

  const commands: Readonly<Record<string, () => void>> = {
    next: () => state.move(1),
    previous: () => state.move(-1),
    first: () => state.moveTo('first'),
    last: () => state.moveTo('last'),
    pageDown: () => state.move(Math.max(1, area.rows - 4)),
    pageUp: () => state.move(-Math.max(1, area.rows - 4)),
    mark() {
      state.mark()
      state.move(1)
    },
    markRange: () => state.markRange(),
    extendDown: () => state.extend(1),
    extendUp: () => state.extend(-1),
    markAll: () => state.markAll(),
    filter() {
      input = createTextInput(state.filter)
    },
    sort: () =>
      ui.open(
        sortMenu(ui, resource, state.sort, (field) => {
          state.order(field)
          shelf.write('main', shelfPart, state.sort)
          ui.changed()
        }),
      ),
    rowActions: () => ui.open(actionMenu(ui, resource, chosen())),
    copyMenu: () => ui.open(copyMenu(ui, resource, chosen())),
    reload() {
      desk.retryNow()
      void ui.during(records.refresh([resource.name]))
    },
  }

  const screen: ListScreen = {
    key: `list:${resource.name}`,
    layer: 'page',
    resource,
    state,
    chosen,
    place: () => [translator.say(textKey.many(resource.name))],
    count(short) {
      const { ids, total } = table()
      if (ids.length === total) return String(total)
      return short ? `${ids.length}/${total}` : translator.t('ui.tui.list.ofTotal', { shown: ids.length, total })
    },
    summary: (short) =>
      facetSummary(table().facets, translator, short ? 'short' : area.columns >= 110 ? 'long' : 'normal'),
    isTyping: () => input !== null,
    setFilter(text) {
      input = null
      state.setFilter(text)
      ui.changed()
    },
    hints() {
      const { t } = translator
      if (input)
        return [
          { chord: 'Enter', label: t('ui.tui.hints.keepFilter') },
          { chord: 'Escape', label: t('ui.tui.hints.leaveField') },
        ]
      const actions = Object.values(resource.actions).flatMap((action) => (action.key.tui ? [action] : []))
      return [
        ...actions.map(({ key, name }) => ({ chord: key.tui!, label: hintWord(name, resource) })),
        { chord: 'x', label: t('ui.tui.hints.mark') },
        { chord: ':', label: t('ui.tui.hints.command') },
        { chord: '/', label: t('ui.tui.hints.filter') },
        { chord: '?', label: t('ui.tui.hints.keys') },
        { chord: '.', label: t('ui.tui.hints.actions') },
      ]
    },
    command({ command, action }) {
      settle()
      if (action) void perform(ui, action, action.on === 'none' ? [] : rowsFor(action.name))
      else if (commands[command]) commands[command]()
      else return false
      ui.changed()
      return true
    },
    input(event) {
      if (!input) return
      if (event.type === 'key' && event.chord === 'Enter') {
        state.setFilter(input.text.trim())
        input = null
      } else if (event.type === 'key' && ['ArrowDown', 'ArrowUp'].includes(event.chord)) {
        state.move(event.chord === 'ArrowDown' ? 1 : -1)
      } else input.input(event)
      ui.changed()
    },
    escape() {
      if (input) {
        state.setFilter(input.text.trim())
        input = null
      } else if (state.filter !== '') state.setFilter('')
      else if (state.marks.size > 0) state.clearMarks()
      else return false
      ui.changed()
      return true
    },
    enter: () => watchWithNeeds(records, resource),
    cliLine: () => {
      const rows = chosen()
      const open = resource.actions.open
      if (state.marks.size > 0 && resource.actions.delete) return listLine(resource, filter())
      return rows[0] && open && state.marks.size === 0 && filter() === ''
        ? actionLine(open, rows, view)
        : listLine(resource, filter())
    },
    draw(given) {
      area = given
      const { columns } = area
      const compact = columns < compactBelow
      const now = table()
      const isOld = desk.isOld()
      const second = filterLine(
        { resource, translator, input, filter: state.filter, problem: now.problem, columns },
        marksAndFreshness(now, columns),
      )
      const rows = records.peekAll(resource.name)
      const paneHeight = paneRows(area)
      const head = compact ? 1 : 2
      room = Math.max(1, area.rows - head - paneHeight)
      settle()
      const laid = layColumns(now.columns, {
        resource,
        translator,
        width: columns,
        ascii: ui.look.ascii,
        compact,
        longestTitle: longestTitle(resource, rows),
      })
      const surface = desk.surface()
      const listed = now.ids.slice(state.top, state.top + room).flatMap((id) => {
        const row = records.peek(resource.name, id)
        if (!row) return []
        const drawn = rowLine({
          look: ui.look,
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
      const body =
        listed.length > 0 ? listed : emptyLines(ui, resource, { filter: filter(), total: now.total, columns })
      const focused = focusedRow()
      const pane = paneHeight > 0 && focused ? paneLines(ui, { resource, row: focused, columns, rows: paneHeight }) : []
      const filled =
        pane.length > 0 ? [...body, ...Array.from({ length: Math.max(0, room - body.length) }, () => [])] : body
      return [second, ...(compact ? [] : [headLine(laid)]), ...filled, ...pane]
    },
  }
  const hintWord = (name: string, { name: of }: Resource) => {
    const key = `ui.tui.verbs.${name}`
    return translator.has(key) ? translator.say(key) : translator.say(textKey.action(of, name))
  }
  return screen
}
