import { actionLine, type Confirm, isTyped, sayText, usedBy, usersOf, wordsToType } from '@qd/core/actions'
import type { AnyRow } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { watchAllowed } from '@qd/core/store'
import { usedByGroups } from '@qd/core/view'
import { stateSpan } from '../fields/marks.ts'
import type { Overlay } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'
import { blank, fitLine, type Line, line, lineText, lineWidth, span, wrapText } from '../terminal/line.ts'
import { createTextInput } from '../terminal/text-input.ts'

/** A question with a button that goes on and one that does not, which has the focus (behaviours P-20, P-21, T-26). */
export interface Question {
  readonly title: string
  /** Lines of the box; `cells` is its inner width. */
  body(cells: number): readonly Line[]
  readonly go: string
  readonly bad: boolean
  /** Words to be typed before it goes on; null if a key is enough. */
  readonly words: string | null
  readonly cliLine: string | null
}

const boxCells = 56
const objectsShown = 12

/** Asks in a box over the screen, which is muted meanwhile. */
export function askQuestion(ui: Ui, question: Question): Promise<boolean> {
  const { translator } = ui.workspace
  const { t } = translator
  const { words } = question
  const input = words === null ? null : createTextInput()
  const isReady = () => isTyped(words, input?.text ?? '')
  return new Promise((resolve) => {
    let onGo = false
    let height = 0
    /** Column where the button that goes on begins. */
    let cancelEnd = 0
    let goes = false
    const close = (answer: boolean) => {
      goes = answer
      ui.close(overlay)
    }
    const choose = () => {
      if (!onGo) return close(false)
      if (isReady()) close(true)
      else ui.say(t('ui.tui.confirm.typeFirst', { words: words! }), 'warn')
    }
    const turn = () => {
      onGo = !onGo
      ui.changed()
    }
    const keys: Readonly<Record<string, () => void>> = {
      Enter: choose,
      Tab: turn,
      'Shift+Tab': turn,
      ...(input
        ? {}
        : { ArrowLeft: turn, ArrowRight: turn, h: turn, l: turn, n: () => close(false), y: () => close(true) }),
    }
    const overlay: Overlay = {
      layer: 'confirm',
      isTyping: () => true,
      command: () => false,
      closed: () => resolve(goes),
      cliLine: () => question.cliLine,
      hints: () => [
        { chord: 'Escape', label: t('ui.tui.hints.cancel') },
        ...(input ? [] : [{ chord: 'y', label: t('ui.tui.hints.yes') }]),
        { chord: 'Tab', label: t('ui.tui.hints.change') },
        { chord: 'Enter', label: t('ui.tui.hints.choose') },
        ...(question.cliLine ? [{ chord: 'Ctrl+y', label: t('ui.tui.hints.copyCli') }] : []),
      ],
      input(event) {
        const key = event.type === 'key' ? keys[event.chord] : undefined
        if (key) return key()
        if (input?.input(event)) ui.changed()
      },
      spoken: () => [
        t('ui.tui.spoken.question', { text: question.title }),
        ...question
          .body(boxCells)
          .map(lineText)
          .filter((text) => text.trim() !== ''),
        ...(words
          ? [t('ui.tui.spoken.field', { name: t('ui.tui.confirm.type', { words }), text: input?.text ?? '' })]
          : []),
        t('ui.tui.spoken.button', {
          index: onGo ? 2 : 1,
          count: 2,
          text: onGo ? question.go : t('ui.tui.confirm.cancel'),
        }),
      ],
      click(row, column) {
        if (row !== height - 2) return false
        onGo = column >= cancelEnd
        return true
      },
      draw({ columns, rows }) {
        const cells = Math.min(boxCells, columns - 2)
        const inner = cells - 4
        const typed: Line[] =
          input && words
            ? [[], [span(`${t('ui.tui.confirm.type', { words })} `), ...input.draw(Math.max(4, inner - 40))]]
            : []
        const cancel = button(t('ui.tui.confirm.cancel'), !onGo, true)
        const go = isReady() ? question.go : t('ui.tui.confirm.goLater', { go: question.go })
        const buttons: Line = [blank(2), ...cancel, blank(2), ...button(go, onGo, isReady(), question.bad)]
        const body = [...question.body(inner), ...typed, [], buttons].slice(-(rows - 2))
        height = body.length + 2
        cancelEnd = Math.floor((columns - cells) / 2) + 4 + lineWidth(cancel) + 1
        return boxed(question.title, body, { cells, columns })
      },
    }
    ui.open(overlay)
  })
}

function button(label: string, focused: boolean, usable: boolean, bad = false): Line {
  const roles = !usable ? (['muted'] as const) : focused ? ([bad ? 'bad' : 'text', 'bold'] as const) : ([] as const)
  return [span(focused ? '▌' : ' ', 'accent'), span(focused ? `[ ${label} ]` : `  ${label}  `, ...roles)]
}

/** Lines in a box with a title, centred. */
export function boxed(
  title: string,
  body: readonly Line[],
  { cells, columns }: { cells: number; columns: number },
): Line[] {
  const margin = blank(Math.floor((columns - cells) / 2))
  const head = ` ${title} `
  const rule = '─'.repeat(Math.max(0, cells - 3 - head.length))
  return [
    [margin, span('┌', 'rule'), span(head, 'bold'), span(`${rule}─┐`, 'rule')],
    ...body.map((drawn) => [margin, span('│ ', 'rule'), ...fitLine(drawn, cells - 4), span(' │', 'rule')]),
    [margin, span(`└${'─'.repeat(cells - 2)}┘`, 'rule')],
  ]
}

/** Asks what an action must ask: the spec's words, what goes away or is reached, how many are online. */
export async function ask(ui: Ui, confirm: Confirm, rows: readonly AnyRow[]): Promise<boolean> {
  const { translator, view, records, session } = ui.workspace
  const { action, kind, objects, resource } = confirm
  const say = (ref: Confirm['title']) => sayText(translator, ref)
  const words = wordsToType(confirm, translator)
  const go = objects.length > 1 ? `${say(confirm.go)} ${objects.length}` : say(confirm.go)
  const lists = kind === 'delete' ? usersOf(resource) : []
  // Lists that nobody has looked at yet are read while the question stands.
  const stop = watchAllowed(records, lists, { viewer: session.viewer(), supports: session.supports })
  return askQuestion(ui, {
    title: say(confirm.title),
    go,
    bad: kind === 'delete',
    words,
    cliLine: actionLine(action, rows, view),
    body: (cells) => [
      ...(confirm.text ? [line(say(confirm.text)), []] : []),
      ...objectLines(confirm, ui, cells),
      ...commandLines(confirm, cells),
      ...reachLines(confirm, ui, cells),
      ...warningLines(confirm, ui, cells),
      ...usedByLines(confirm, ui, cells),
    ],
  }).finally(stop)
}

/** The objects by name with their marks, in two or three columns. */
function objectLines({ objects, counts }: Confirm, ui: Ui, cells: number): Line[] {
  const { t, say } = ui.workspace.translator
  const across = objects.length === 1 ? 1 : objects.length > 4 ? 3 : 2
  const width = Math.floor(cells / across)
  const shown = objects.slice(0, objectsShown)
  const rows = Math.ceil(shown.length / across)
  const lines = Array.from({ length: rows }, (_, row) =>
    shown.slice(row * across, (row + 1) * across).flatMap(({ name, state }): Line => {
      const mark = state && state.tone !== 'plain' ? [stateSpan(state.option, state.tone), blank(1)] : []
      return fitLine([...mark, span(plainText(name), 'bold')], width)
    }),
  )
  const rest = objects.length - shown.length
  const stand = counts.filter(({ tone }) => tone !== 'plain').map(({ count, label }) => `${count} ${say(label)}`)
  return [
    ...lines,
    ...(rest > 0 ? [line(t('ui.tui.confirm.more', { count: rest }), 'muted')] : []),
    ...(objects.length > 1 && stand.length > 0 ? [line(ui.workspace.format.list(stand), 'muted')] : []),
  ]
}

/** What will be run, as far as there is room for it. */
function commandLines({ command }: Confirm, cells: number): Line[] {
  if (command === null) return []
  return wrapText(plainText(command), cells - 2)
    .slice(0, 4)
    .map((text) => [span('$ ', 'muted'), span(text)])
}

/** The exact servers that are reached (D1). */
function reachLines({ reach }: Confirm, ui: Ui, cells: number): Line[] {
  if (!reach) return []
  const { translator, view, format } = ui.workspace
  const { t } = translator
  const { online, offline } = reach.targets
  const names = (ids: readonly number[]) =>
    format.list(ids.slice(0, 20).map((id) => plainText(view.title('server', id) ?? `#${id}`)))
  const part = (mark: Line, count: string, ids: readonly number[]): Line[] =>
    ids.length === 0
      ? []
      : [
          [...mark, span(` ${count}`)],
          ...wrapText(names(ids), cells - 2)
            .slice(0, 3)
            .map((text) => line(`  ${text}`, 'muted')),
        ]
  return [
    [],
    line(sayText(translator, reach.sentence), 'bold'),
    ...part([span('●', 'ok')], t('ui.preview.online', { count: online.length }), online),
    ...part([span('■', 'bad')], t('ui.preview.offline', { count: offline.length }), offline),
  ]
}

/** What the author of the action warns of, with the names it is true for. */
export function warningLines({ warnings }: Pick<Confirm, 'warnings'>, { workspace }: Ui, cells: number): Line[] {
  return warnings.flatMap((warning) =>
    wrapText(plainText(sayText(workspace.translator, warning)), cells - 2).map((text, index) => [
      span(index === 0 ? '▲ ' : '  ', 'warn'),
      span(text, 'warnWord'),
    ]),
  )
}

/** Records that name the objects: what their deletion would touch. */
function usedByLines({ kind, resource, objects }: Confirm, { workspace }: Ui, cells: number): Line[] {
  if (kind !== 'delete') return []
  const found = usedBy(
    resource,
    objects.map(({ id }) => id),
    workspace.view,
  )
  return usedByGroups(workspace, found).flatMap(({ label, links }) => {
    const names = workspace.format.list(links.slice(0, 5).map(({ title }) => title))
    const text = workspace.translator.t('ui.tui.confirm.named', { many: label, names })
    return wrapText(text, cells).map((wrapped) => line(wrapped, 'muted'))
  })
}

/** Asks before changes of a form are dropped. */
export function askToLeave(ui: Ui, changes: number): Promise<boolean> {
  const { t } = ui.workspace.translator
  return askQuestion(ui, {
    title: t('ui.tui.confirm.leaveTitle'),
    go: t('ui.tui.confirm.leave'),
    bad: true,
    words: null,
    cliLine: null,
    body: (cells) => wrapText(t('ui.tui.confirm.leaveText', { count: changes }), cells).map((text) => line(text)),
  })
}
