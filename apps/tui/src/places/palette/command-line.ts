import { when } from '@legendapp/state'
import { resources } from '@qd/core/resources'
import { loadMissing } from '@qd/core/store'
import { widthOf } from '../../base/output/width.ts'
import type { Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { type Span, span } from '../../screen/terminal/line.ts'
import { ownAliases } from '../perform/switch.ts'
import { createList, createSearchField } from '../views/list-overlay.tsx'
import { type CommandChoice, commandChoices, inOurWords } from './command-words.ts'

const historyPart = 'command-history'
const historyLength = 50

/** The `:` line with completion and history (looks/tui.md). */
export function createCommandLine(ui: Ui): Overlay {
  const { records, remembered, t } = ui.workspace
  const search = createSearchField({
    isAlwaysIn: true,
    onText() {
      list.first()
      past = -1
    },
    onEmptied: () => ui.close(list.overlay),
  })
  const { input } = search
  const saved = remembered.read('main', historyPart)
  const history = Array.isArray(saved) ? saved.filter((entry) => typeof entry === 'string') : []
  let past = -1
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
        if (ui.overlay === list.overlay && input.text === text) run()
      },
    )
  }
  const run = () => {
    const choice = list.focused()
    if (!choice && isLoading()) return runLater()
    if (!choice) return ui.say(t('ui.tui.command.unknown', { text: input.text }), 'bad')
    // After a blank the first choice is inserted, not run.
    const isNamed = !/\s$/.test(input.text)
    if (choice.text.endsWith(' ') || (!isNamed && choice.text !== inOurWords(input.text.trim(), aliases)))
      return complete()
    if (choice.reason) return ui.say(`${choice.text}: ${choice.reason}`, 'warn')
    remember(choice.text)
    ui.close(list.overlay)
    choice.run()
  }
  const complete = () => {
    const choice = list.focused()
    if (!choice) return
    const again = choice.text === input.text.trimEnd()
    input.set(again ? `${choice.text} ` : choice.text)
    list.first()
  }
  const up = () => {
    if (list.at() > 0) list.previous()
    else if (past + 1 < history.length) {
      past += 1
      input.set(history[past] ?? '')
    }
  }
  const down = () => {
    if (past >= 0) {
      past -= 1
      input.set(history[past] ?? '')
    } else list.next()
  }
  const list = createList(ui, {
    title: () => t('ui.keys.command'),
    items: choices,
    show: ({ text, detail, reason, chord }) => ({
      label: highlighted(text, input.text.trimStart()),
      detail,
      reason,
      chord,
    }),
    none: () => t('ui.tui.command.unknown', { text: input.text }),
    most: 8,
    labelCells: (columns, all) =>
      Math.min(Math.floor(columns / 2), Math.max(20, ...all.map(({ text }) => widthOf(text))) + 2),
    search: { ...search, mark: ' :' },
    foot(): string {
      const cli = list.focused()?.cli
      return cli ? ` = ${cli}` : ' '
    },
    keys: {
      Tab: { hint: 'complete', run: complete },
      Enter: { hint: 'run', run },
      ArrowUp: { hint: 'history', run: up },
      ArrowDown: down,
    },
    overlay: { layer: 'palette', cliLine: (): string | null => list.focused()?.cli ?? null },
  })
  return list.overlay
}

const highlighted = (text: string, typed: string): Span[] =>
  text.startsWith(typed) ? [span(typed, 'accent'), span(text.slice(typed.length))] : [span(text)]
