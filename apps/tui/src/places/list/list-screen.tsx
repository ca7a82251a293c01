import { actionLine, keepAsking, listLine } from '@qd/core/actions'
import type { Cancel } from '@qd/core/api'
import { type AnyRow, type Resource, textKey } from '@qd/core/define'
import { createListPages, rememberHostTarget, watchWithNeeds } from '@qd/core/store'
import { createCompletion } from '@qd/core/targets'
import { buildTable, createListModel, type ListModel, type Sort, type Table } from '@qd/core/view'
import { createState, observed } from '../../screen/state/observed.ts'
import type { Area, Screen } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { createTextInput, type TextInput } from '../../screen/terminal/text-input.ts'
import { actionMenu, columnPicker, copyMenu, filterMenu, sortMenu } from '../perform/list-menus.ts'
import { perform } from '../perform/perform.ts'
import { actionHints } from '../views/action-hints.ts'
import { paneRows } from '../views/detail-pane.ts'
import { showRaw } from '../views/log-screens.ts'
import { spokenRow } from '../views/spoken.ts'
import { stepCommands } from '../views/steps.ts'
import { createPane, List, type ListShown, listHead, listRoom } from './List.tsx'
import { createHostsOf } from './list-hosts.ts'
import { countText, facetSummary } from './list-notes.ts'
import { createListTable } from './list-table.ts'

export interface ListScreen extends Screen {
  readonly resource: Resource
  setFilter(filter: string): void
  readOn(on: string): void
}

/** What keys change of the list; the rest follows from its rows. */
const changing: readonly (keyof ListModel)[] = [
  ...(['move', 'moveTo', 'find', 'focusOn', 'mark', 'markRange', 'extend', 'markAll', 'clearMarks'] as const),
  ...(['sortBy', 'setFilter', 'setTyping', 'take'] as const),
]
const pageRows = 100
/** Distance to the last loaded record at which the next ones are requested. */
const nearRows = 10
const maxScroll = 1e6

export function createListScreen(ui: Ui, resource: Resource): ListScreen {
  const { workspace } = ui
  const { records, view, remembered } = workspace
  const { translator } = workspace
  const rememberedPart = `sort:${resource.name}`
  const list = observed(
    createListModel(resource, remembered.read('main', rememberedPart) as Sort | undefined),
    changing,
  )
  const pages = createListPages({ records, setTimer: ui.io.setTimer, list, size: pageRows })
  const state = createState({ input: null as TextInput | null, top: 0 })
  let area: Area = { columns: 80, rows: 20 }

  const hosts = createHostsOf(ui, resource)
  const listedFor = createListTable(ui, resource)
  const listed = () => {
    const { filter, typing, sort, marks } = list
    return listedFor({ filter, typing, sort, marks, paged: pages.paged(), columns: area.columns })
  }
  const table = (): Table => listed().table
  /** The fields for which hosts are read while this list is on screen. */
  let asked = ''
  let stopAsking: Cancel | null = null
  const askFor = (fields: readonly string[]) => {
    if (!stopAsking || fields.join() === asked) return
    asked = fields.join()
    stopAsking()
    stopAsking = keepAsking(workspace.client, fields, ui.io.setTimer)
  }
  const loadMore = () => {
    if (list.index + nearRows >= records.list$(resource.name).peek().ids.length) void pages.more()
  }
  /** The last filter becomes the search, as in vim. */
  const find = (by: 1 | -1) => {
    const rows = records.peekAll(resource.name)
    const { sort, marks, sought } = list
    list.find(new Set(buildTable({ resource, rows, view, width: 'wide', sort, marks, filter: sought }).ids), by)
    loadMore()
  }
  const settle = () => {
    const shown = table()
    askFor(shown.asked)
    list.settle(shown.ids)
    list.land()
    list.keepMarks((id) => records.peek(resource.name, id) !== undefined)
    const { index, ids } = list
    const room = listRoom(area, resource)
    const top = Math.max(0, Math.min(state.top, ids.length - room))
    state.top = Math.max(index - room + 1, Math.min(top, index))
  }
  const focusedRow = () => (list.cursor === null ? undefined : records.peek(resource.name, list.cursor))
  /** Selected rows, else the focused one. */
  const chosen = (): readonly AnyRow[] => {
    settle()
    const marked = [...list.marks].flatMap((id) => records.peek(resource.name, id) ?? [])
    const focused = focusedRow()
    return marked.length > 0 ? marked : focused ? [focused] : []
  }
  /** Open and Edit use the focused row, whatever is selected. */
  const rowsFor = (name: string): readonly AnyRow[] =>
    ['open', 'details', 'edit', 'duplicate'].includes(name)
      ? [focusedRow()].filter((row) => row !== undefined)
      : chosen()

  const pane = createPane()
  const completion = createCompletion(resource, view)
  const go = (by: number) => {
    if (pane.focused) return pane.scroll(by)
    list.move(by)
    loadMore()
  }
  /** Once all matches are loaded. */
  const whenWhole = (run: () => void) =>
    void ui.bring(pages.all(), (isWhole) => {
      settle()
      if (isWhole) run()
    })
  /** Selects all matches, even unloaded ones, or deselects them. */
  const markAll = () => {
    const { problem, matched, ids } = table()
    if (problem) return
    if (matched <= ids.length) return list.markAll()
    whenWhole(() => {
      list.markAll()
      const { marked } = table()
      if (marked > 0) ui.say(translator.t('ui.tui.list.markedAll', { count: marked }))
    })
  }

  function goToRow(place: 'last' | number): void {
    list.moveTo(place)
    const { matched, ids } = table()
    if (matched > ids.length && (place === 'last' || place >= ids.length)) whenWhole(() => list.moveTo(place))
  }

  const order = (field: string) => {
    list.sortBy(field)
    remembered.write('main', rememberedPart, list.sort)
    pages.ask()
  }
  const keepFilter = (text: string) => {
    state.input = null
    list.setFilter(text)
    list.setTyping(false)
  }
  const commands: Readonly<Record<string, () => void>> = {
    ...stepCommands(go, () => listRoom(area, resource)),
    first: () => (pane.focused ? pane.scroll(-maxScroll) : list.moveTo('first')),
    last() {
      if (pane.focused) pane.scroll(maxScroll)
      else goToRow('last')
    },
    pane: () => pane.turn(area),
    mark() {
      list.mark()
      list.move(1)
    },
    markRange: () => list.markRange(),
    extendDown: () => list.extend(1),
    extendUp: () => list.extend(-1),
    markAll,
    filter() {
      state.input = createTextInput(list.filter)
      list.setTyping(true)
    },
    findNext: () => find(1),
    findPrevious: () => find(-1),
    sort: () => ui.open(sortMenu(ui, resource, list.sort, order)),
    columns: () => ui.open(columnPicker(ui, resource)),
    savedFilters: () =>
      ui.open(
        filterMenu(ui, resource, { filter: list.filter, sort: list.sort }, (saved) => {
          list.take(saved)
          pages.ask()
        }),
      ),
    rowActions: () => ui.open(actionMenu(ui, resource, chosen())),
    raw: () => showRaw(ui, resource, chosen()),
    copyMenu: () => ui.open(copyMenu(ui, resource, chosen())),
    reload() {
      workspace.retryNow()
      void ui.during(records.refresh([resource.name]))
    },
  }

  const show = (given: Area): ListShown => {
    area = given
    if (paneRows(area) === 0) pane.leave()
    settle()
    return {
      ...listed(),
      list,
      top: state.top,
      input: state.input,
      pane,
      hosts: hosts.line(area.columns),
      asks: hosts.asks(area.columns),
      choices: state.input ? completion.choices(state.input.text) : [],
    }
  }

  const screen: ListScreen = {
    key: `list:${resource.name}`,
    layer: 'page',
    isList: true,
    resource,
    chosen,
    place: () => [[translator.say(textKey.many(resource.name)), hosts.on()].filter(Boolean).join(' · ')],
    count: (short) => countText(ui, table(), short),
    summary: (short) =>
      facetSummary(table().facets, workspace, short ? 'short' : area.columns >= 110 ? 'long' : 'normal'),
    isTyping: () => state.input !== null,
    kept() {
      const { t } = translator
      const text = list.filter.trim()
      return [
        ...(list.marks.size > 0 ? [t('ui.tui.list.marked', { count: list.marks.size })] : []),
        ...(text === '' ? [] : [t('ui.tui.quit.filter', { filter: text })]),
      ]
    },
    searches: () => list.sought !== '',
    waits() {
      const { loadedAt, status } = records.list$(resource.name).peek()
      return loadedAt === null && status !== 'failed' && workspace.loss() === null
    },
    setFilter(text) {
      keepFilter(text)
      pages.ask()
    },
    readOn(on) {
      rememberHostTarget(on, remembered)
      hosts.choose(on)
    },
    hints() {
      if (state.input) return { Tab: 'complete', Enter: 'keepFilter', Escape: 'leaveField' }
      const actions = actionHints(ui, resource, chosen())
      if (pane.focused) return { j: 'scroll', Tab: 'list', ...actions, '?': 'keys', Escape: 'back' }
      return { ...actions, x: 'mark', ':': 'command', '/': 'filter', '?': 'keys', '.': 'actions' }
    },
    command({ command, action }) {
      settle()
      if (action) void perform(ui, action, action.on === 'none' ? [] : rowsFor(action.name))
      else if (command.startsWith('sort:')) order(command.slice('sort:'.length))
      else if (commands[command]) commands[command]()
      else return false
      return true
    },
    goToRow(number) {
      settle()
      if (!pane.focused) return goToRow(number - 1)
      pane.scroll(-maxScroll)
      pane.scroll(number - 1)
    },
    input(event) {
      if (!state.input) return
      if (event.type === 'key' && event.chord === 'Enter') {
        keepFilter(state.input.text.trim())
      } else if (event.type === 'key' && ['ArrowDown', 'ArrowUp'].includes(event.chord)) {
        go(event.chord === 'ArrowDown' ? 1 : -1)
      } else if (event.type === 'key' && ['Tab', 'Shift+Tab'].includes(event.chord)) {
        state.input.set(completion.next(state.input.text, event.chord === 'Tab' ? 1 : -1))
      } else {
        completion.forget()
        state.input.input(event)
      }
      if (state.input) list.setFilter(state.input.text)
      pages.ask()
    },
    spoken() {
      settle()
      return spokenRow(ui, { resource, list, table: table() })
    },
    click(row) {
      const place = row - listHead(area, resource)
      const id = place < 0 || place >= listRoom(area, resource) ? undefined : table().ids[state.top + place]
      if (id === undefined) return false
      list.focusOn(id)
      return true
    },
    scroll(by) {
      if (pane.focused) return pane.scroll(by)
      settle()
      state.top = Math.max(0, Math.min(list.ids.length - listRoom(area, resource), state.top + by))
      // Moves the cursor only if it would be hidden.
      list.moveTo(Math.max(state.top, Math.min(state.top + listRoom(area, resource) - 1, list.index)))
      loadMore()
    },
    escape() {
      if (state.input) keepFilter(state.input.text.trim())
      else if (pane.focused) pane.leave()
      else if (list.filter !== '') list.setFilter('')
      else if (list.marks.size > 0) list.clearMarks()
      else return false
      pages.ask()
      return true
    },
    enter() {
      pages.ask()
      asked = ''
      stopAsking = () => undefined
      const leave = resource.host ? hosts.enter() : watchWithNeeds(records, resource)
      return () => {
        leave()
        stopAsking?.()
        stopAsking = null
      }
    },
    cliLine: () => {
      const rows = chosen()
      const open = resource.actions.open
      if (list.marks.size > 0 && resource.actions.delete) return listLine(resource, list.filter)
      return rows[0] && open && list.marks.size === 0 && list.filter === ''
        ? actionLine(open, rows, view)
        : listLine(resource, list.filter)
    },
    View: () => <List resource={resource} show={show} />,
  }
  return screen
}
