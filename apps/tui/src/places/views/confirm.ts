import { actionLine, type Confirm, sayText, usedBy, usersOf, wordsToType } from '@qd/core/actions'
import type { AnyRow } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { watchAllowed } from '@qd/core/store'
import { usedByGroups } from '@qd/core/view'
import { stateSpan } from '../../screen/fields/marks.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { blank, fitLine, type Line, line, span, wrapText } from '../../screen/terminal/line.ts'
import { askQuestion } from './question.tsx'

const objectsShown = 12

/** Asks for confirmation: the spec's words, the objects or targets, how many are online. */
export async function ask(ui: Ui, confirm: Confirm, rows: readonly AnyRow[]): Promise<boolean> {
  const { translator, view, records, session } = ui.workspace
  const { action, kind, objects, resource } = confirm
  const say = (ref: Confirm['title']) => sayText(translator, ref)
  const words = wordsToType(confirm, translator)
  const go = objects.length > 1 ? `${say(confirm.go)} ${objects.length}` : say(confirm.go)
  const lists = kind === 'delete' ? usersOf(resource) : []
  // Unloaded lists are read while the question is open.
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
      ...targetLines(confirm, ui, cells),
      ...warningLines(confirm, ui, cells),
      ...usedByLines(confirm, ui, cells),
    ],
  }).finally(stop)
}

function objectLines({ objects, counts }: Confirm, ui: Ui, cells: number): Line[] {
  const { t, say } = ui.workspace
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

function commandLines({ command }: Confirm, cells: number): Line[] {
  if (command === null) return []
  return wrapText(plainText(command), cells - 2)
    .slice(0, 4)
    .map((text) => [span('$ ', 'muted'), span(text)])
}

function targetLines({ targetPreview }: Confirm, ui: Ui, cells: number): Line[] {
  if (!targetPreview) return []
  const { translator, view, format, t } = ui.workspace
  const { online, offline } = targetPreview.targets
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
    line(sayText(translator, targetPreview.sentence), 'bold'),
    ...part([span('●', 'ok')], t('ui.preview.online', { count: online.length }), online),
    ...part([span('■', 'bad')], t('ui.preview.offline', { count: offline.length }), offline),
  ]
}

export function warningLines({ warnings }: Pick<Confirm, 'warnings'>, { workspace }: Ui, cells: number): Line[] {
  return warnings.flatMap((warning) =>
    wrapText(plainText(sayText(workspace.translator, warning)), cells - 2).map((text, index) => [
      span(index === 0 ? '▲ ' : '  ', 'warn'),
      span(text, 'warnWord'),
    ]),
  )
}

function usedByLines({ kind, resource, objects }: Confirm, { workspace }: Ui, cells: number): Line[] {
  if (kind !== 'delete') return []
  const found = usedBy(
    resource,
    objects.map(({ id }) => id),
    workspace.view,
  )
  return usedByGroups(workspace, found).flatMap(({ label, links }) => {
    const names = workspace.format.list(links.slice(0, 5).map(({ title }) => title))
    const text = workspace.t('ui.tui.confirm.named', { many: label, names })
    return wrapText(text, cells).map((wrapped) => line(wrapped, 'muted'))
  })
}

export function askToQuit(ui: Ui, lost: readonly string[]): Promise<boolean> {
  const { t } = ui.workspace
  return askQuestion(ui, {
    title: t('ui.tui.quit.title'),
    go: t('ui.tui.quit.go'),
    body: (cells) => lost.flatMap((text) => wrapText(plainText(text), cells).map((one) => line(one))),
  })
}

export function askToLeave(ui: Ui, changes: number): Promise<boolean> {
  const { t } = ui.workspace
  return askQuestion(ui, {
    title: t('ui.tui.confirm.leaveTitle'),
    go: t('ui.tui.confirm.leave'),
    bad: true,
    body: t('ui.tui.confirm.leaveText', { count: changes }),
  })
}
