import { actionLine } from '@qd/core/actions'
import { textKey } from '@qd/core/define'
import type { AppError } from '@qd/core/errors'
import { plainLines, plainText } from '@qd/core/fields'
import { nounOf, type Translator } from '@qd/core/i18n'
import { ItemState, type Rollout, type RunCounts, type RunItem, run, sortItems } from '@qd/core/resources'
import { createRunWatch } from '@qd/core/store'
import type { Io } from '../../base/io.ts'
import { copy } from '../../screen/state/copy.ts'
import { createKept } from '../../screen/state/kept.ts'
import { createState } from '../../screen/state/observed.ts'
import type { Area, Screen } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { filledTo, type Line, line, span, spread } from '../../screen/terminal/line.ts'
import { createTextInput, type TextInput } from '../../screen/terminal/text-input.ts'
import { LiveRows } from '../../screen/ui/rows.tsx'
import { actionMenu } from '../perform/list-menus.ts'
import { perform } from '../perform/perform.ts'
import { actionHints } from '../views/action-hints.ts'
import { createOutputScreen } from '../views/output-screen.tsx'
import { spokenItem } from '../views/spoken.ts'
import { stepCommands } from '../views/steps.ts'
import { countsLine, itemHead, itemRow, itemStatus, longestName, outputPane, rolloutLine } from './run-lines.ts'

export interface RunShown {
  readonly counts: RunCounts
  readonly rollout: Rollout
  readonly search: { readonly input: TextInput | null; readonly filter: string; readonly found: number } | null
  readonly items: readonly RunItem[]
  readonly focused: RunItem | null
  readonly longest: number
  readonly folded: number
  readonly paneRows: number
}

/** Results of a run by server, above the output of the focused one; null while loading. */
export function runLines(ui: Ui, shown: RunShown | null, { columns, rows }: Area): readonly Line[] {
  const { t } = ui.workspace
  if (!shown) return [[], line(`    ${t('ui.list.loading')}`, 'muted')]
  const { counts, rollout, search, items, focused, longest, folded, paneRows } = shown
  const drawn = [
    countsLine(counts, columns),
    ...(rollout ? [rolloutLine(ui, rollout, counts, columns)] : []),
    ...(search ? [searchLine(search, columns)] : []),
    itemHead(ui, columns, longest),
    ...items.map((item) => itemRow(ui, item, { columns, longest, focused: item === focused })),
    ...(folded > 0 ? [line(`  … ${t('ui.tui.run.folded', { count: folded })}`, 'muted')] : []),
  ]
  const pane = focused && paneRows > 0 ? outputPane(ui, focused, { columns, rows: paneRows }) : []
  return filledTo(rows, [...filledTo(rows - paneRows, drawn), ...pane])
}

function searchLine({ input, filter, found }: NonNullable<RunShown['search']>, columns: number): Line {
  const text = input ? input.draw(40) : [span(filter)]
  return spread([span(' '), span('/', 'muted'), ...text], [span(`${found} `, 'muted')], columns)
}

const pageRows = 8
const openStates: readonly ItemState[] = [ItemState.waiting, ItemState.sent, ItemState.running]

export function createRunScreen(ui: Ui, id: number): Screen {
  const { workspace } = ui
  const { translator, format, t, say } = workspace
  const state = createState({ index: 0, top: 0, filter: '', input: null as TextInput | null })
  let focus: number | null = null
  let head = 2
  let shown = 0

  const { records } = workspace
  const onRead = (error: AppError | null) => error && ui.fail(error)
  const watch = createRunWatch({ records, setTimer: ui.io.setTimer, onRead }, id)
  const row = () => workspace.records.detail$('run', id).get()
  const wanted = () => (state.input?.text ?? state.filter).trim().toLowerCase()
  const search = createRunSearch(ui.io, translator)
  const sorted = createKept<readonly RunItem[]>()
  const parts = () => (row()?.items ?? []) as readonly RunItem[]
  const items = () => {
    const all = parts()
    return search.matching(
      sorted([all], () => sortItems(all)),
      wanted(),
    )
  }
  const focused = () => items()[state.index]
  const at = (next: number) => {
    const all = items()
    state.index = Math.max(0, Math.min(all.length - 1, next))
    focus = all[state.index]?.server_id ?? null
  }
  const openOutput = () => {
    const item = focused()
    if (!item) return
    const now = () => parts().find(({ server_id }) => server_id === item.server_id) ?? item
    ui.push(
      createOutputScreen(ui, {
        title: plainText(item.server_name),
        output: now,
        isOpen: () => openStates.includes(now().state),
        statusLine: () => itemStatus(ui, now()),
        enter: watch.enter,
      }),
    )
  }
  const commands: Readonly<Record<string, () => void>> = {
    ...stepCommands(
      (by) => at(state.index + by),
      () => pageRows,
      0,
    ),
    first: () => at(0),
    last: () => at(items().length - 1),
    filter() {
      state.input = createTextInput(state.filter)
    },
    reload() {
      workspace.retryNow()
      void watch.load()
    },
    copyMenu: () => copy(ui, plainLines(focused()?.output ?? '')),
    'action:run.open': openOutput,
    rowActions: () => row() && ui.open(actionMenu(ui, run, [row()!])),
  }
  const show = (area: Area): RunShown | null => {
    const record = row()
    if (!record) return null
    const all = items()
    const kept = focus === null ? -1 : all.findIndex(({ server_id }) => server_id === focus)
    // An unmoved cursor stays on the first row, where failures go.
    state.index = kept >= 0 ? kept : Math.max(0, Math.min(state.index, all.length - 1))
    const rollout = record.rollout as Rollout
    const isSearching = state.input !== null || state.filter !== ''
    const paneRows = area.rows >= 14 ? Math.min(14, Math.max(5, Math.floor(area.rows / 3))) : 0
    head = 2 + (rollout ? 1 : 0) + (isSearching ? 1 : 0)
    const room = Math.max(1, area.rows - head - paneRows)
    const folded = foldedCount(all, room, state.index)
    const listed = room - (folded > 0 ? 1 : 0)
    const { index } = state
    const top = Math.max(0, Math.min(state.top, all.length - listed))
    state.top = Math.max(index - listed + 1, Math.min(top, index))
    shown = Math.min(listed, all.length - state.top)
    return {
      ...{ rollout, folded, paneRows },
      counts: record.counts as RunCounts,
      search: isSearching ? { input: state.input, filter: state.filter, found: all.length } : null,
      items: all.slice(state.top, state.top + listed),
      focused: all[state.index] ?? null,
      longest: longestName(all),
    }
  }

  const screen: Screen = {
    key: `run:${id}`,
    layer: 'page',
    resource: run,
    commands,
    place: () =>
      [
        say(textKey.many('run')),
        plainText(String(row()?.name ?? '')),
        `${nounOf(say(textKey.one('run')), translator.language)} ${id}`,
      ].filter(Boolean),
    summary(short) {
      const at = row()?.created_at
      return typeof at === 'string' && !short
        ? line(t('ui.tui.run.started', { time: format.clock(Date.parse(at)) }), 'muted')
        : []
    },
    isTyping: () => state.input !== null,
    hints() {
      const { Enter: _open, ...actions } = row() ? actionHints(ui, run, [row()!]) : {}
      return { Enter: 'output', ...actions, y: 'copy', '/': 'filter', Escape: 'back' }
    },
    command({ action }) {
      const record = row()
      if (action && record) void perform(ui, action, [record]).then(watch.load)
      return action !== null && record !== undefined
    },
    input(event) {
      if (!state.input) return
      if (event.type === 'key' && event.chord === 'Enter') {
        state.filter = state.input.text
        state.input = null
      } else state.input.input(event)
    },
    spoken() {
      const item = focused()
      return item ? spokenItem(ui, item, { index: state.index, count: items().length }) : []
    },
    click(row) {
      if (row < head || row >= head + shown) return false
      at(state.top + row - head)
      return true
    },
    escape() {
      if (state.input) {
        state.filter = state.input.text
        state.input = null
      } else if (state.filter !== '') state.filter = ''
      else return false
      return true
    },
    enter: watch.enter,
    chosen: () => [row()].filter((record) => record !== undefined),
    cliLine: () => (row() ? actionLine(run.actions.open, [row()!], workspace.view) : null),
    View: () => <LiveRows lines={(area) => runLines(ui, show(area), area)} />,
  }
  return screen
}

/** Successes hidden at the end while the focus is above. */
function foldedCount(items: readonly RunItem[], room: number, index: number): number {
  if (items.length <= room) return 0
  const hidden = items.slice(room - 1)
  return index < room - 1 && hidden.every(({ state }) => state === ItemState.success) ? hidden.length : 0
}

const sliceMs = 10

export function createRunSearch(io: Pick<Io, 'now' | 'setTimer'>, translator: Translator) {
  const state = createState({ answer: [] as readonly RunItem[] })
  let searched: { items: readonly RunItem[]; word: string } = { items: [], word: '' }
  let found = new Set<RunItem>()
  let cancel = () => {}

  const begin = (items: readonly RunItem[], word: string) => {
    cancel()
    searched = { items, word }
    const byState = word.startsWith('state:')
    const wanted = byState ? word.slice('state:'.length) : word
    const isNamed = ({ state, server_name }: RunItem) =>
      [server_name, state.replace('_', '-'), translator.say(`ui.run.states.${state}`)].some((text) =>
        text.toLowerCase().includes(wanted),
      )
    found = new Set(items.filter(isNamed))
    state.answer = items.filter((item) => found.has(item))
    if (!byState && wanted !== '') searchOutputs(items, new RegExp(escaped(wanted), 'i'), 0)
  }
  const searchOutputs = (items: readonly RunItem[], pattern: RegExp, from: number) => {
    const endsAt = io.now() + sliceMs
    let at = from
    const before = found.size
    for (; at < items.length && (at === from || io.now() < endsAt); at += 1) {
      const item = items[at]!
      if (!found.has(item) && pattern.test(item.output)) found.add(item)
    }
    if (found.size > before) {
      state.answer = items.filter((item) => found.has(item))
    }
    if (at < items.length) cancel = io.setTimer(() => searchOutputs(items, pattern, at), 0)
  }
  return {
    matching(items: readonly RunItem[], word: string) {
      if (items !== searched.items || word !== searched.word) begin(items, word)
      return state.answer
    },
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
