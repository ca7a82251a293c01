import { type AppCommandId, createSearch, type SearchEntry, sayText, searchPrefixes } from '@qd/core/actions'
import type { Action } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { resources } from '@qd/core/resources'
import { perform } from '../perform/perform.ts'
import { profileNames } from '../perform/switch.ts'
import { copy } from '../state/copy.ts'
import { keyText } from '../state/key-text.ts'
import { loadAll } from '../state/needs.ts'
import type { Overlay } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'
import { fitLine, type Line, line, ruleLine, span, spread, withRoles } from '../terminal/line.ts'
import { createTextInput } from '../terminal/text-input.ts'

/** Searches records, actions and pages, with the same search and order as the palette of the web console. */
export function createPalette(ui: Ui, runCommand: (id: AppCommandId) => void): Overlay {
  const { workspace } = ui
  const { translator, frecency } = workspace
  const { t } = translator
  const input = createTextInput()
  const here = ui.screen?.resource ?? null
  const chosen = ui.screen?.chosen?.() ?? []
  const search = createSearch({
    front: 'tui',
    resources,
    surroundings: () => ({ ...workspace.surroundings(), say: translator }),
    frecency,
    connections: profileNames(ui).filter((name) => name !== workspace.settings.profile),
  })
  loadAll(workspace.records, resources)
  let pick: Action | null = null
  let focus = 0
  /** Which entry stands in which line; -1 for headings. */
  let places: readonly number[] = []

  const groups = () => {
    const scope = here && chosen.length > 0 && !pick ? { resource: here, rows: chosen } : null
    const found = search.query({
      query: input.text,
      scope,
      here: here?.name ?? null,
      pick,
      files: ui.screen?.files?.folder() ?? null,
    }).groups
    // The terminal has its own ground: themes are the web console's.
    return found.map((group) => ({
      ...group,
      hits: group.hits.filter(({ entry }) => !entry.key.startsWith('command:theme')),
    }))
  }
  const entries = (): SearchEntry[] => groups().flatMap(({ hits }) => hits.map(({ entry }) => entry))
  const choose = (entry: SearchEntry | undefined) => {
    if (!entry) return
    if (entry.reason) return ui.say(sayText(translator, entry.reason), 'warn')
    const { goal } = entry
    frecency.use(entry.key.replace(/:do$/, ''))
    if (goal.kind === 'pick') {
      pick = goal.action
      input.set('')
      focus = 0
      return ui.changed()
    }
    ui.close(palette)
    if (goal.kind === 'action') void perform(ui, goal.action, goal.rows, goal.given)
    else if (goal.kind === 'command') runCommand(goal.command.id)
    else if (goal.kind === 'file') ui.screen?.files?.open(goal.name)
    else if (goal.kind === 'create')
      void ui.places.openForm(
        { resource: goal.resource.name, mode: 'create', id: null },
        { [goal.resource.title]: goal.title },
      )
    else {
      const open = resources.find(({ name }) => name === goal.resource)?.actions.open
      const row = workspace.records.peek(goal.resource, goal.id)
      if (open && row) void perform(ui, open, [row])
    }
  }
  const move = (by: number) => {
    focus = Math.max(0, Math.min(entries().length - 1, focus + by))
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    'Ctrl+n': () => move(1),
    'Ctrl+p': () => move(-1),
    PageDown: () => move(8),
    PageUp: () => move(-8),
    Enter: () => choose(entries()[focus]),
  }
  const palette: Overlay = {
    layer: 'palette',
    isTyping: () => true,
    closed: () => undefined,
    cliLine: () => entries()[focus]?.cli ?? null,
    hints: () => [
      { chord: 'Enter', label: t('ui.tui.hints.choose') },
      { chord: 'Ctrl+y', label: t('ui.tui.hints.copyCli') },
      { chord: 'Escape', label: t('ui.tui.hints.back') },
    ],
    command({ command }) {
      if (command === 'escape' && pick) {
        pick = null
        focus = 0
        ui.changed()
        return true
      }
      if (command !== 'copyCli') return false
      const text = entries()[focus]?.cli
      if (text) copy(ui, text)
      return true
    },
    input(event) {
      const key = event.type === 'key' ? keys[event.chord] : undefined
      if (key) key()
      else if (event.type === 'key' && event.chord === 'Backspace' && input.text === '') pick = null
      else if (input.input(event)) focus = 0
      ui.changed()
    },
    spoken() {
      const all = entries()
      const entry = all[focus]
      const detail = entry?.reason ? sayText(translator, entry.reason) : (entry?.detail ?? '')
      const text = entry
        ? [entry.title, detail].filter(Boolean).join(', ')
        : t('ui.palette.nothing', { query: input.text })
      return [
        t('ui.tui.spoken.field', { name: t('ui.tui.palette.title'), text: input.text || t('ui.tui.spoken.empty') }),
        t('ui.tui.spoken.choice', { index: Math.min(focus + 1, all.length), count: all.length, text }),
      ]
    },
    click(row) {
      const place = places[row - 1] ?? -1
      if (place < 0) return false
      focus = place
      return true
    },
    draw({ columns, rows }) {
      let index = -1
      const all = groups().flatMap(({ label, hits }): { line: Line; at: number }[] => [
        { line: line(` ${sayText(translator, label)}`, 'muted'), at: -1 },
        ...hits.map(({ entry, ranges }) => {
          index += 1
          return { line: entryLine(ui, entry, ranges, { columns, focused: index === focus }), at: index }
        }),
      ])
      const room = Math.max(1, Math.min(rows - 2, 14))
      const at = Math.max(
        0,
        all.findIndex((one) => one.at === focus),
      )
      const top = Math.max(0, Math.min(at - Math.floor(room / 2), all.length - room))
      places = all.slice(top, top + room).map((one) => one.at)
      const none = all.length === 0 ? [line(`   ${t('ui.palette.nothing', { query: input.text })}`, 'muted')] : []
      const title = pick
        ? `${t('ui.tui.palette.title')} › ${translator.say(`resources.${pick.resource}.actions.${pick.name}`)}`
        : t('ui.tui.palette.title')
      const prefixes = searchPrefixes
        .filter(({ only }) => only !== 'user' && (only !== 'files' || ui.screen?.files))
        .map(({ prefix, label }) => `${prefix} ${sayText(translator, label)}`)
      return [
        ruleLine([span(title, 'bold')], columns),
        ...all.slice(top, top + room).map((one) => one.line),
        ...none,
        spread(
          [span(' › ', 'accent'), ...input.draw(columns - 45)],
          [span(`${prefixes.join('  ')} `, 'muted')],
          columns,
        ),
      ]
    },
  }
  return palette
}

function entryLine(
  ui: Ui,
  entry: SearchEntry,
  ranges: readonly (readonly [number, number])[],
  { columns, focused }: { columns: number; focused: boolean },
): Line {
  const off = entry.reason !== null
  const pieces: Line = pieceRanges(entry.title, ranges).map(({ text, hit }) =>
    span(
      plainText(text),
      ...(off ? (['muted'] as const) : hit ? (['accent'] as const) : focused ? (['bold'] as const) : []),
    ),
  )
  const detail = entry.reason ? sayText(ui.workspace.translator, entry.reason) : plainText(entry.detail)
  const key = entry.chord.tui ? [span(`${keyText(ui, entry.chord.tui)} `, 'key')] : []
  const drawn = spread(
    [
      span(focused ? ' ▌ ' : '   ', 'accent'),
      ...fitLine(pieces, Math.min(44, columns - 30)),
      span(` ${detail}`, 'muted'),
    ],
    key,
    columns,
  )
  return focused ? withRoles(drawn, 'focus') : drawn
}

function pieceRanges(text: string, ranges: readonly (readonly [number, number])[]): { text: string; hit: boolean }[] {
  const pieces: { text: string; hit: boolean }[] = []
  let at = 0
  for (const [start, end] of ranges) {
    if (start > at) pieces.push({ text: text.slice(at, start), hit: false })
    pieces.push({ text: text.slice(start, end), hit: true })
    at = end
  }
  return at < text.length ? [...pieces, { text: text.slice(at), hit: false }] : pieces
}
