import { observable, when } from '@legendapp/state'
import { resources } from '@qd/core/resources'
import { loadMissing } from '@qd/core/store'
import { Box } from 'ink'
import { widthOf } from '../../base/output/width.ts'
import { useArea, useLive, useScreenStyle, useValue } from '../../screen/hooks.ts'
import { keyText } from '../../screen/state/actions.ts'
import type { Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { createTextInput } from '../../screen/terminal/text-input.ts'
import { firstVisible, fitText, pressedAt, Rule, TextInput, Words } from '../../screen/ui/rows.tsx'
import { ownAliases } from '../perform/switch.ts'
import { type CommandChoice, commandChoices, inOurWords } from './command-words.ts'

const historyPart = 'command-history'
const historyLength = 50

function roomOf(rows: number): number {
  return Math.max(1, Math.min(rows - 3, 8))
}

/** The `:` line with completion and history (looks/tui.md). */
export function createCommandLine(ui: Ui): Overlay {
  const { records, remembered, translator } = ui.workspace
  const { t } = translator
  const input = createTextInput()
  const saved = remembered.read('main', historyPart)
  const history = Array.isArray(saved) ? saved.filter((entry) => typeof entry === 'string') : []
  let past = -1
  const focus$ = observable(0)
  loadMissing(records, resources)

  const aliases = ownAliases(ui)
  const choices = (): CommandChoice[] => commandChoices(ui, input.text, aliases)
  const remember = (text: string) =>
    remembered.write('main', historyPart, [text, ...history.filter((entry) => entry !== text)].slice(0, historyLength))
  const isLoading = () =>
    resources.some(({ name, wire }) => wire.shape === 'many' && records.list$(name).status.get() === 'loading')
  /** Runs after a named record has loaded, unless the line changed. */
  const runLater = () => {
    const { text } = input
    void when(
      () => !isLoading(),
      () => {
        if (ui.overlay === overlay && input.text === text) run()
      },
    )
  }
  const run = () => {
    const choice = choices()[focus$.get()]
    if (!choice && isLoading()) return runLater()
    if (!choice) return ui.say(t('ui.tui.command.unknown', { text: input.text }), 'bad')
    // After a blank the first choice is inserted, not run.
    const isNamed = !/\s$/.test(input.text)
    if (choice.text.endsWith(' ') || (!isNamed && choice.text !== inOurWords(input.text.trim(), aliases)))
      return complete()
    if (choice.reason) return ui.say(`${choice.text}: ${choice.reason}`, 'warn')
    remember(choice.text)
    ui.close(overlay)
    choice.run()
  }
  const complete = () => {
    const choice = choices()[focus$.get()]
    if (!choice) return
    const again = choice.text === input.text.trimEnd()
    input.set(again ? `${choice.text} ` : choice.text)
    focus$.set(0)
  }
  const up = () => {
    if (focus$.get() > 0) focus$.set(focus$.get() - 1)
    else if (past + 1 < history.length) {
      past += 1
      input.set(history[past] ?? '')
    }
  }
  const down = () => {
    if (past >= 0) {
      past -= 1
      input.set(history[past] ?? '')
    } else focus$.set(Math.min(choices().length - 1, focus$.get() + 1))
  }
  const overlay: Overlay = {
    layer: 'palette',
    isTyping: () => true,
    cliLine: () => choices()[focus$.get()]?.cli ?? null,
    hints: () => [
      { chord: 'Tab', label: t('ui.tui.hints.complete') },
      { chord: 'Enter', label: t('ui.tui.hints.run') },
      { chord: 'ArrowUp', label: t('ui.tui.hints.history') },
      { chord: 'Ctrl+y', label: t('ui.tui.hints.copyCli') },
      { chord: 'Escape', label: t('ui.tui.hints.back') },
    ],
    keys: { Enter: run, Tab: complete, ArrowUp: up, ArrowDown: down },
    input(event) {
      if (event.type === 'key' && event.chord === 'Backspace' && input.text === '') ui.close(overlay)
      else if (input.input(event)) {
        focus$.set(0)
        past = -1
      }
    },
    spoken() {
      const all = choices()
      const focus = focus$.get()
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
    click(row, _column, { rows }) {
      const at = pressedAt(row, { count: choices().length, focus: focus$.get(), room: roomOf(rows) })
      if (at === null) return false
      focus$.set(at)
      return true
    },
    View: Shown,
  }
  function Shown() {
    const focus = useValue(focus$)
    const { columns, rows } = useArea()
    const { all, typed } = useLive(() => ({ all: choices(), typed: input.text }))
    const room = roomOf(rows)
    const top = firstVisible(all.length, focus, room)
    const cells = Math.min(Math.floor(columns / 2), Math.max(20, ...all.map(({ text }) => widthOf(text))) + 2)
    const cli = all[focus]?.cli
    return (
      <Box flexDirection="column" flexShrink={0}>
        <Rule title=":" cells={columns} />
        {all.slice(top, top + room).map((choice, row) => (
          <Choice
            key={row}
            choice={choice}
            typed={typed.trimStart()}
            isFocused={top + row === focus}
            {...{ cells, columns }}
          />
        ))}
        {all.length === 0 && <Words styleRole="muted">{`   ${t('ui.tui.command.unknown', { text: typed })}`}</Words>}
        <Words>
          <Words styleRole="accent">{' :'}</Words>
          <TextInput input={input} cells={columns - 4} />
        </Words>
        <Words styleRole="muted">{cli ? ` = ${cli}` : ' '}</Words>
      </Box>
    )
  }
  return overlay
}

interface ChoiceProps {
  readonly choice: CommandChoice
  readonly typed: string
  readonly isFocused: boolean
  readonly cells: number
  readonly columns: number
}

function Choice({ choice, typed, isFocused, cells, columns }: ChoiceProps) {
  const style = useScreenStyle()
  const { text, detail, reason, chord } = choice
  const shown = fitText(text, cells)
  const met = text.startsWith(typed) ? typed.length : 0
  const key = chord ? `${keyText({ style }, chord)} ` : ''
  return (
    <Words styleRole={isFocused ? 'focus' : 'text'}>
      <Words styleRole="accent">{isFocused ? ' ▌ ' : '   '}</Words>
      <Words styleRole={reason ? 'muted' : 'accent'}>{shown.slice(0, met)}</Words>
      <Words styleRole={reason ? 'muted' : 'text'} bold={isFocused && !reason}>
        {shown.slice(met)}
      </Words>
      <Words styleRole="muted">{fitText(reason ?? detail, columns - 3 - cells - widthOf(key))}</Words>
      <Words styleRole="key">{key}</Words>
    </Words>
  )
}
