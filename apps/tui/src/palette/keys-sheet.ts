import { type KeyBinding, keyGroups, keyTable, sayText } from '@qd/core/actions'
import { textKey } from '@qd/core/define'
import { ItemState, itemTones, server } from '@qd/core/resources'
import { stateSpan } from '../fields/marks.ts'
import { keyText } from '../state/key-text.ts'
import type { Overlay } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'
import { blank, cutLine, fitLine, type Line, line, ruleLine, span, spread, wrapText } from '../terminal/line.ts'
import { leaveKeys } from '../terminal/shell-escape.ts'
import { createTextInput } from '../terminal/text-input.ts'

const keyCells = 10
const gapCells = 2

/** Every key that works on the present screen, from the one key table; what is typed searches it (behaviours P-34, T-20). */
export function createKeysSheet(ui: Ui): Overlay {
  const { translator, session } = ui.workspace
  const { t, say } = translator
  const resource = ui.screen?.resource ?? null
  const bindings = keyTable(resource, 'tui', {
    viewer: session.viewer(),
    files: ui.screen?.files !== undefined,
    search: ui.screen?.searches?.() ?? false,
  })
  const input = createTextInput()
  let top = 0

  const entries = merged(ui, bindings)
  const sheet: Overlay = {
    layer: 'menu',
    isTyping: () => true,
    command: () => false,
    closed: () => undefined,
    hints: () => [
      { chord: 'ArrowDown', label: t('ui.tui.hints.scroll') },
      { chord: 'Escape', label: t('ui.tui.hints.close') },
    ],
    input(event) {
      const chord = event.type === 'key' ? event.chord : ''
      const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }
      if (chord === '?' && input.text === '') ui.close(sheet)
      else if (steps[chord]) top = Math.max(0, top + steps[chord])
      else if (input.input(event)) top = 0
      ui.changed()
    },
    spoken: () =>
      entries
        .filter(({ keys, label }) => `${keys} ${label}`.toLowerCase().includes(input.text.toLowerCase()))
        .map(({ keys, label }) => `${keys}  ${label}`),
    draw({ columns, rows }) {
      const across = columns >= 110 ? 4 : columns >= 72 ? 3 : 1
      const cells = Math.floor((columns - 2) / across)
      const typed = input.text.toLowerCase()
      const blocks = keyGroups.map((group): Line[] => {
        const found = entries.filter(
          (entry) => entry.group === group && `${entry.keys} ${entry.label}`.toLowerCase().includes(typed),
        )
        if (found.length === 0) return []
        const head = say(`ui.keyGroups.${group}`).toLocaleUpperCase(translator.language)
        return [
          ...wrapText(head, cells - gapCells).map((text) => line(text, 'muted')),
          ...found.flatMap((entry) => entryLines(entry, cells - gapCells)),
          [],
        ]
      })
      const body = flow(blocks, across, cells)
      const page = resource ? say(textKey.many(resource.name)) : ''
      const title = [span(t('ui.tui.keys.title'), 'bold'), ...(page ? [span(' › ', 'muted'), span(page)] : [])]
      const notes = noteLines(ui, columns)
      const room = rows - 3
      const all = [...body, ...notes]
      top = Math.max(0, Math.min(top, all.length - room))
      const search = spread(
        ruleLine(title, columns - 26),
        [span(' / ', 'muted'), ...fitLine(input.draw(18), 22), blank(1)],
        columns,
      )
      return [search, [], ...all.slice(top, top + room).map((drawn) => [blank(1), ...cutLine(drawn, columns - 1)])]
    },
  }
  return sheet
}

/** A key and what it does; a long word goes on below. */
function entryLines({ keys, label }: { keys: string; label: string }, cells: number): Line[] {
  return wrapText(label, cells - keyCells).map((text, index) => [
    ...fitLine([span(index === 0 ? keys : '', 'key')], keyCells),
    span(text),
  ])
}

/** Keys of one command on one line: `j ↓`. */
function merged(ui: Ui, bindings: readonly KeyBinding[]) {
  const found = new Map<string, { group: KeyBinding['group']; keys: string; label: string }>()
  for (const { chord, command, label, group } of bindings) {
    const known = found.get(`${group} ${command}`)
    const keys = keyText(ui, chord)
    if (known) known.keys += ` ${keys}`
    else found.set(`${group} ${command}`, { group, keys, label: sayText(ui.workspace.translator, label) })
  }
  return [...found.values()]
}

/** Blocks one below the other in so many columns of about the same height. */
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

/** What Escape does, and what the marks mean. */
function noteLines(ui: Ui, columns: number): Line[] {
  const { t, say } = ui.workspace.translator
  const states = (['online', 'warning', 'offline', 'never'] as const).map(
    (option) => [option, say(`resources.server.options.status.${option}`)] as const,
  )
  const tones = { online: 'ok', warning: 'warn', offline: 'bad', never: 'muted' } as const
  const marks = states.flatMap(([option, word]): Line => [stateSpan(option, tones[option]), span(` ${word}   `)])
  const items = Object.values(ItemState).flatMap(
    (state): Line => [stateSpan(state, itemTones[state]), span(` ${say(`ui.run.states.${state}`)}   `)],
  )
  return [
    ...wrapText(t('ui.tui.keys.typing'), columns - 3).map((text) => line(text)),
    ...wrapText(t('ui.tui.keys.escape'), columns - 3).map((text) => line(text)),
    ...wrapText(t('ui.tui.keys.shell', { key: server.actions.shell!.key.tui!, keys: leaveKeys }), columns - 3).map(
      (text) => line(text),
    ),
    [],
    [...fitLine(line(t('ui.tui.keys.states'), 'muted'), 14), ...marks],
    [...fitLine(line(t('ui.tui.keys.runs'), 'muted'), 14), ...items],
  ]
}
