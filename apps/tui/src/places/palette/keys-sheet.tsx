import { observable } from '@legendapp/state'
import { type KeyBinding, keyGroups, keyLines, sayText } from '@qd/core/actions'
import { type Tone, textKey } from '@qd/core/define'
import { ItemState, itemTones, server } from '@qd/core/resources'
import { stateSpan } from '../../screen/fields/marks.ts'
import { keysHere, keyText } from '../../screen/state/actions.ts'
import type { Area, Keys, Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { blank, cutLine, fitLine, type Line, line, ruleLine, span, wrapText } from '../../screen/terminal/line.ts'
import { leaveKeys } from '../../screen/terminal/shell-escape.ts'
import { LiveRows } from '../../screen/ui/rows.tsx'
import { createSearchField } from '../views/list-overlay.tsx'

const keyCells = 10
const gapCells = 2
const searchCells = 26

export function createKeysSheet(ui: Ui): Overlay {
  const { translator, t, say } = ui.workspace
  const resource = ui.screen?.resource ?? null
  const top$ = observable(0)
  const search = createSearchField({ onText: () => top$.set(0) })
  const { input, isIn$ } = search
  let lowest = 0
  const scroll = (by: number) => () => top$.set(Math.max(0, Math.min(lowest, top$.get() + by)))
  const keys: Keys = {
    Enter: search.leave,
    ArrowDown: scroll(1),
    ArrowUp: scroll(-1),
    PageDown: scroll(10),
    PageUp: scroll(-10),
  }
  const letters: Keys = {
    j: { hint: 'scroll', run: scroll(1) },
    k: scroll(-1),
    Space: scroll(10),
    '/': { hint: 'filter', run: () => search.take({ type: 'key', chord: '/' }) },
  }

  const here = ui.screen?.layer ?? 'page'
  // Page keys don't apply while another layer, such as a file list, has the keys.
  const isHere = ({ layers }: KeyBinding) => here === 'page' || layers.some((layer) => layer !== 'page')
  /** Keys of a command on one line: `j ↓`. */
  const entries = keyLines(keysHere(ui).filter(isHere)).map(({ group, chords, label }) => ({
    ...{ group, label: sayText(translator, label) },
    keys: chords.map((chord) => keyText(ui, chord)).join(' '),
  }))
  const found = () =>
    entries.filter(({ keys, label }) => `${keys} ${label}`.toLowerCase().includes(input.text.toLowerCase()))
  const sheet: Overlay = {
    layer: 'menu',
    isTyping: () => isIn$.get(),
    leaves: 'close',
    get keys() {
      return { ...(isIn$.get() ? {} : letters), ...keys }
    },
    input(event) {
      const chord = event.type === 'key' ? event.chord : ''
      if (chord === '?' && (!isIn$.get() || input.text === '')) ui.close(sheet)
      else search.take(event)
    },
    spoken: () => found().map(({ keys, label }) => `${keys}  ${label}`),
    View: () => <LiveRows lines={shownLines} />,
  }
  function shownLines({ columns, rows }: Area): readonly Line[] {
    const isIn = isIn$.get()
    const across = columns >= 110 ? 4 : columns >= 72 ? 3 : 1
    const cells = Math.floor((columns - 2) / across)
    const all = found()
    const blocks = keyGroups.map((group): Line[] => {
      const own = all.filter((entry) => entry.group === group)
      if (own.length === 0) return []
      const head = say(`ui.keyGroups.${group}`).toLocaleUpperCase(translator.language)
      return [
        ...wrapText(head, cells - gapCells).map((text) => line(text, 'muted')),
        ...own.flatMap((entry) => entryLines(entry, cells - gapCells)),
        [],
      ]
    })
    const page = resource && [span(' › ', 'muted'), span(say(textKey.many(resource.name)))]
    const title = [span(t('ui.tui.keys.title'), 'bold'), ...(page ?? [])]
    const room = rows - 3
    const lines = [...flow(blocks, across, cells), ...noteLines(ui, columns)]
    lowest = Math.max(0, lines.length - room)
    const top = Math.min(top$.get(), lowest)
    return [
      [
        ...ruleLine(title, columns - searchCells),
        span(' / ', isIn ? 'accent' : 'muted'),
        ...input.draw(18, { focused: isIn }),
      ],
      [],
      ...lines.slice(top, top + room).map((drawn) => [blank(1), ...cutLine(drawn, columns - 1)]),
    ]
  }
  return sheet
}

function entryLines({ keys, label }: { keys: string; label: string }, cells: number): Line[] {
  return wrapText(label, cells - keyCells).map((text, index) => [
    ...fitLine([span(index === 0 ? keys : '', 'key')], keyCells),
    span(text),
  ])
}

function flow(blocks: readonly (readonly Line[])[], across: number, cells: number): Line[] {
  const total = blocks.reduce((sum, block) => sum + block.length, 0)
  const height = Math.ceil(total / across)
  const columns: Line[][] = Array.from({ length: across }, () => [])
  let at = 0
  for (const block of blocks) {
    if (columns[at]!.length > 0 && columns[at]!.length + block.length > height + 3 && at < across - 1) at += 1
    columns[at]!.push(...block)
  }
  const tallest = Math.max(...columns.map((column) => column.length))
  return Array.from({ length: tallest }, (_, row) =>
    columns.flatMap((column) => [...fitLine(column[row] ?? [], cells - gapCells), blank(gapCells)]),
  )
}

function noteLines(ui: Ui, columns: number): Line[] {
  const { t, say } = ui.workspace
  const tones = { online: 'ok', warning: 'warn', offline: 'bad', never: 'muted' } as const
  const legend = (state: string, tone: Tone, key: string) => [stateSpan(state, tone), span(` ${say(key)}   `)]
  const marks = Object.entries(tones).flatMap(([state, tone]) =>
    legend(state, tone, `resources.server.options.status.${state}`),
  )
  const items = Object.values(ItemState).flatMap((state) => legend(state, itemTones[state], `ui.run.states.${state}`))
  const notes = [
    ...(['typing', 'counts', 'escape'] as const).map((note) => t(`ui.tui.keys.${note}`)),
    t('ui.tui.keys.shell', { key: server.actions.shell.key.tui!, keys: leaveKeys }),
  ]
  return [
    ...notes.flatMap((note) => wrapText(note, columns - 3).map((text) => line(text))),
    [],
    [...fitLine(line(t('ui.tui.keys.states'), 'muted'), 14), ...marks],
    [...fitLine(line(t('ui.tui.keys.runs'), 'muted'), 14), ...items],
  ]
}
