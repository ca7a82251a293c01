import {
  type AppCommandId,
  createSearch,
  type SearchEntry,
  type SearchGroup,
  type SearchHit,
  sayText,
  searchPrefixes,
} from '@qd/core/actions'
import type { Action } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { resources } from '@qd/core/resources'
import { loadMissing } from '@qd/core/store'
import { Box } from 'ink'
import { widthOf } from '../../base/output/width.ts'
import { useArea, useLive, useScreenStyle, useUi, useValue } from '../../screen/hooks.ts'
import { keyText } from '../../screen/state/actions.ts'
import { createState } from '../../screen/state/observed.ts'
import type { Area, Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { fitLine, lineWidth, span } from '../../screen/terminal/line.ts'
import { createTextInput } from '../../screen/terminal/text-input.ts'
import type { Role } from '../../screen/terminal/theme.ts'
import { fitText, Pieces, Rule, SearchLine, Words } from '../../screen/ui/rows.tsx'
import { perform } from '../perform/perform.ts'
import { profileNames } from '../perform/switch.ts'
import { createRowFocus } from '../views/search-field.ts'

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
  loadMissing(workspace.records, resources)
  const state = createState({ pick: null as Action | null })
  const groups = () => {
    const { pick } = state
    const scope = here && chosen.length > 0 && !pick ? { resource: here, rows: chosen } : null
    const found = search.query({
      query: input.text,
      scope,
      here: here?.name ?? null,
      pick,
      files: ui.screen?.files?.folder() ?? null,
    }).groups
    // The terminal has its own theme.
    return found.map((group) => ({
      ...group,
      hits: group.hits.filter(({ entry }) => !entry.key.startsWith('command:theme')),
    }))
  }
  const entries = (): SearchEntry[] => groups().flatMap(({ hits }) => hits.map(({ entry }) => entry))
  const { focus$, move, moves } = createRowFocus(() => entries().length - 1)
  const choose = (entry: SearchEntry | undefined) => {
    if (!entry) return
    if (entry.reason) return ui.say(sayText(translator, entry.reason), 'warn')
    const { goal } = entry
    frecency.use(entry.key.replace(/:do$/, ''))
    if (goal.kind === 'pick') {
      state.pick = goal.action
      input.set('')
      return focus$.set(0)
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
  const keys = {
    ...moves,
    'Ctrl+n': () => move(1),
    'Ctrl+p': () => move(-1),
    Enter: () => choose(entries()[focus$.get()]),
  }
  const palette: Overlay = {
    layer: 'palette',
    isTyping: () => true,
    cliLine: () => entries()[focus$.get()]?.cli ?? null,
    hints: () => [
      { chord: 'Enter', label: t('ui.tui.hints.choose') },
      { chord: 'Ctrl+y', label: t('ui.tui.hints.copyCli') },
      { chord: 'Escape', label: t('ui.tui.hints.back') },
    ],
    command({ command }) {
      if (command === 'escape' && state.pick) {
        state.pick = null
        focus$.set(0)
        return true
      }
      return false
    },
    keys,
    input(event) {
      if (event.type === 'key' && event.chord === 'Backspace' && input.text === '') state.pick = null
      else if (input.input(event)) focus$.set(0)
    },
    spoken() {
      const all = entries()
      const focus = focus$.get()
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
    click(row, _column, area) {
      const place = visibleRows(rowsOf(groups()), focus$.get(), area)[row - 1]
      if (!place?.hit) return false
      focus$.set(place.at)
      return true
    },
    View: Shown,
  }
  function Shown() {
    const focus = useValue(focus$)
    const area = useArea()
    const { all, pick, typed } = useLive(() => ({ all: rowsOf(groups()), pick: state.pick, typed: input.text }))
    const name = pick && translator.say(`resources.${pick.resource}.actions.${pick.name}`)
    const prefixes = searchPrefixes
      .filter(({ only }) => only !== 'user' && (only !== 'files' || ui.screen?.files))
      .map(({ prefix, label }) => `${prefix} ${sayText(translator, label)}`)
    return (
      <Box flexDirection="column" flexShrink={0}>
        <Rule title={[t('ui.tui.palette.title'), name].filter(Boolean).join(' › ')} cells={area.columns} />
        {visibleRows(all, focus, area).map(({ heading, hit, at }, row) =>
          hit ? (
            <Entry key={row} {...hit} isFocused={at === focus} columns={area.columns} />
          ) : (
            <Words key={row} styleRole="muted">{` ${sayText(translator, heading!)}`}</Words>
          ),
        )}
        {all.length === 0 && <Words styleRole="muted">{`   ${t('ui.palette.nothing', { query: typed })}`}</Words>}
        <SearchLine
          mark=" › "
          styleRole="accent"
          input={input}
          columns={area.columns}
          cells={area.columns - 45}
          right={`${prefixes.join('  ')} `}
        />
      </Box>
    )
  }
  return palette
}

interface PaletteRow {
  readonly heading?: SearchGroup['label']
  readonly hit?: SearchHit
  readonly at: number
}

function rowsOf(groups: readonly Pick<SearchGroup, 'label' | 'hits'>[]): PaletteRow[] {
  let index = 0
  return groups.flatMap(({ label, hits }): PaletteRow[] => [
    { heading: label, at: -1 },
    ...hits.map((hit) => ({ hit, at: index++ })),
  ])
}

function visibleRows(all: readonly PaletteRow[], focus: number, { rows }: Area): readonly PaletteRow[] {
  const room = Math.max(1, Math.min(rows - 2, 14))
  const place = Math.max(
    0,
    all.findIndex(({ at }) => at === focus),
  )
  const top = Math.max(0, Math.min(place - Math.floor(room / 2), all.length - room))
  return all.slice(top, top + room)
}

function Entry({ entry, ranges, isFocused, columns }: SearchHit & { isFocused: boolean; columns: number }) {
  const style = useScreenStyle()
  const { translator } = useUi().workspace
  const isOff = entry.reason !== null
  const plain: Role = isOff ? 'muted' : isFocused ? 'bold' : 'text'
  const title = fitLine(
    pieceRanges(entry.title, ranges).map(({ text, hit }) => span(plainText(text), hit && !isOff ? 'accent' : plain)),
    Math.min(44, columns - 30),
  )
  const detail = entry.reason ? sayText(translator, entry.reason) : plainText(entry.detail)
  const key = entry.chord.tui ? `${keyText({ style }, entry.chord.tui)} ` : ''
  return (
    <Words styleRole={isFocused ? 'focus' : 'text'}>
      <Words styleRole="accent">{isFocused ? ' ▌ ' : '   '}</Words>
      <Pieces line={title} />
      <Words styleRole="muted">{fitText(` ${detail}`, columns - 3 - lineWidth(title) - widthOf(key))}</Words>
      <Words styleRole="key">{key}</Words>
    </Words>
  )
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
