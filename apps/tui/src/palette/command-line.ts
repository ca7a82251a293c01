import { resources } from '@qd/core/resources'
import { widthOf } from '../output/width.ts'
import { ownAliases } from '../perform/switch.ts'
import { copy } from '../state/copy.ts'
import { keyText } from '../state/key-text.ts'
import { loadAll } from '../state/needs.ts'
import type { Overlay } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'
import { fitLine, type Line, line, ruleLine, span, spread, withRoles } from '../terminal/line.ts'
import { createTextInput } from '../terminal/text-input.ts'
import { type CommandChoice, commandChoices, inOurWords } from './command-words.ts'

const historyPart = 'command-history'
const historyLength = 50

/** `:`, a line with the words of the CLI, completion and history (looks/tui.md). */
export function createCommandLine(ui: Ui): Overlay {
  const { remembered, translator } = ui.workspace
  const { t } = translator
  const input = createTextInput()
  const saved = remembered.read('main', historyPart)
  const history = Array.isArray(saved) ? saved.filter((entry) => typeof entry === 'string') : []
  let past = -1
  let focus = 0
  let top = 0
  let shown = 0
  loadAll(ui.workspace.records, resources)

  const aliases = ownAliases(ui)
  const choices = (): CommandChoice[] => commandChoices(ui, input.text, aliases)
  const remember = (text: string) =>
    remembered.write('main', historyPart, [text, ...history.filter((entry) => entry !== text)].slice(0, historyLength))
  const run = () => {
    const choice = choices()[focus]
    if (!choice) return ui.say(t('ui.tui.command.unknown', { text: input.text }), 'bad')
    // A blank names nobody: what stands first is only taken over, to be seen before it is run.
    const isNamed = !/\s$/.test(input.text)
    if (choice.text.endsWith(' ') || (!isNamed && choice.text !== inOurWords(input.text.trim(), aliases)))
      return complete()
    if (choice.reason) return ui.say(`${choice.text}: ${choice.reason}`, 'warn')
    remember(choice.text)
    ui.close(overlay)
    choice.run()
  }
  const complete = () => {
    const choice = choices()[focus]
    if (!choice) return
    const again = choice.text === input.text.trimEnd()
    input.set(again ? `${choice.text} ` : choice.text)
    focus = 0
    ui.changed()
  }
  const up = () => {
    if (focus > 0) focus -= 1
    else if (past + 1 < history.length) {
      past += 1
      input.set(history[past]!)
    }
  }
  const down = () => {
    if (past >= 0) {
      past -= 1
      input.set(past < 0 ? '' : history[past]!)
    } else focus = Math.min(choices().length - 1, focus + 1)
  }
  const keys: Readonly<Record<string, () => void>> = { Enter: run, Tab: complete, ArrowUp: up, ArrowDown: down }
  const overlay: Overlay = {
    layer: 'palette',
    isTyping: () => true,
    closed: () => undefined,
    cliLine: () => choices()[focus]?.cli ?? null,
    hints: () => [
      { chord: 'Tab', label: t('ui.tui.hints.complete') },
      { chord: 'Enter', label: t('ui.tui.hints.run') },
      { chord: 'ArrowUp', label: t('ui.tui.hints.history') },
      { chord: 'Ctrl+y', label: t('ui.tui.hints.copyCli') },
      { chord: 'Escape', label: t('ui.tui.hints.back') },
    ],
    command({ command }) {
      if (command !== 'copyCli') return false
      const text = choices()[focus]?.cli
      if (text) copy(ui, text)
      return true
    },
    input(event) {
      const key = event.type === 'key' ? keys[event.chord] : undefined
      if (key) key()
      else if (event.type === 'key' && event.chord === 'Backspace' && input.text === '') ui.close(overlay)
      else if (input.input(event)) {
        focus = 0
        past = -1
      }
      ui.changed()
    },
    spoken() {
      const all = choices()
      const { text, detail, reason } = all[focus] ?? {
        text: '',
        detail: t('ui.tui.command.unknown', { text: input.text }),
        reason: null,
      }
      return [
        t('ui.tui.spoken.field', { name: t('ui.keys.command'), text: input.text || t('ui.tui.spoken.empty') }),
        t('ui.tui.spoken.choice', {
          index: Math.min(focus + 1, all.length),
          count: all.length,
          text: [text, reason ?? detail].filter(Boolean).join(', '),
        }),
      ]
    },
    click(row) {
      if (row < 1 || row > shown) return false
      focus = top + row - 1
      return true
    },
    draw({ columns, rows }) {
      const all = choices()
      const room = Math.max(1, Math.min(rows - 3, 8))
      top = Math.max(0, Math.min(focus - room + 1, all.length - room))
      shown = Math.min(room, all.length)
      const cells = Math.min(Math.floor(columns / 2), Math.max(20, ...all.map(({ text }) => widthOf(text))) + 2)
      const lines = all
        .slice(top, top + room)
        .map((choice, offset) =>
          choiceLine(ui, choice, { typed: input.text, focused: top + offset === focus, cells, columns }),
        )
      const none = all.length === 0 ? [line(`   ${t('ui.tui.command.unknown', { text: input.text })}`, 'muted')] : []
      const cli = all[focus]?.cli
      return [
        ruleLine([span(':')], columns),
        ...lines,
        ...none,
        [span(' :', 'accent'), ...input.draw(columns - 4)],
        cli ? line(` = ${cli}`, 'muted') : [],
      ]
    },
  }
  return overlay
}

function choiceLine(
  ui: Ui,
  { text, detail, reason, chord }: CommandChoice,
  { typed, focused, cells, columns }: { typed: string; focused: boolean; cells: number; columns: number },
): Line {
  const met = text.startsWith(typed.trimStart()) ? typed.trimStart().length : 0
  const roles = reason ? (['muted'] as const) : focused ? (['bold'] as const) : ([] as const)
  const words: Line = [
    span(text.slice(0, met), ...(reason ? (['muted'] as const) : (['accent'] as const))),
    span(text.slice(met), ...roles),
  ]
  const key = chord ? [span(`${keyText(ui, chord)} `, 'key')] : []
  const drawn = spread(
    [span(focused ? ' ▌ ' : '   ', 'accent'), ...fitLine(words, cells), span(reason ?? detail, 'muted')],
    key,
    columns,
  )
  return focused ? withRoles(drawn, 'focus') : drawn
}
