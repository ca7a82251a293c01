import { actionLine } from '@qd/core/actions'
import { type AnyRow, textKey, titleOf } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { cron, reachedServers, server } from '@qd/core/resources'
import { rowStanding } from '@qd/core/view'
import { watchWithNeeds } from '../app/needs.ts'
import { perform } from '../app/perform.ts'
import type { Screen } from '../app/screen.ts'
import type { Ui } from '../app/ui.ts'
import { type Line, line, ruleLine, span, wrapText } from '../terminal/line.ts'
import { actionHints } from '../views/action-hints.ts'
import { factFields, factLines, figureLines, titleRule } from '../views/detail-pane.ts'
import { actionMenu, copyMenu } from '../views/list-menus.ts'
import { spokenRecord } from '../views/spoken.ts'

/** One server: what it is, its figures with the last minutes, its notes, and the tasks that reach it. */
export function createServerScreen(ui: Ui, id: number): Screen {
  const { desk } = ui
  const { records, translator, view } = desk
  const { t, say } = translator
  let top = 0
  let height = 10
  let total = 0
  const row = (): AnyRow | undefined => records.peek('server', id)
  const scroll = (by: number) => {
    top = Math.max(0, Math.min(total - height, top + by))
  }
  const commands: Readonly<Record<string, () => void>> = {
    next: () => scroll(1),
    previous: () => scroll(-1),
    pageDown: () => scroll(height),
    pageUp: () => scroll(-height),
    first: () => scroll(-total),
    last: () => scroll(total),
    rowActions: () => row() && ui.open(actionMenu(ui, server, [row()!])),
    copyMenu: () => row() && ui.open(copyMenu(ui, server, [row()!])),
    reload() {
      desk.retryNow()
      void ui.during(records.refresh(['server', 'server-group', 'cron']))
    },
  }
  const notes = (name: string, columns: number): Line[] => {
    const text = row()?.[name]
    if (typeof text !== 'string' || text.trim() === '') return []
    const lines = text.split('\n').flatMap((one) => wrapText(plainText(one), columns - 2))
    return [[], ruleLine([span(say(textKey.field('server', name)))], columns), ...lines.map((one) => line(` ${one}`))]
  }
  const tasks = (columns: number): Line[] => {
    const reaching = view.all('cron').filter((task) => {
      const reach = cron.reach!(task)
      return reachedServers(reach, { view, viewer: desk.session.viewer(), row: task }).targets.ids.includes(id)
    })
    if (reaching.length === 0) return []
    const lines = reaching.map((task) =>
      line(` ${plainText(titleOf(cron, task))}  ${plainText(String(task.scheduler))}`),
    )
    return [[], ruleLine([span(t('ui.tui.server.tasks'))], columns), ...lines]
  }
  return {
    key: `server:${id}`,
    layer: 'page',
    resource: server,
    place: () => [say(textKey.many('server')), row() ? plainText(titleOf(server, row()!)) : `#${id}`],
    count: () => '',
    summary: () => [],
    isTyping: () => false,
    hints: () => [
      ...(row() ? actionHints(ui, server, [row()!]).filter(({ chord }) => chord !== 'Enter') : []),
      { chord: 'y', label: t('ui.tui.hints.copy') },
      { chord: '.', label: t('ui.tui.hints.actions') },
      { chord: '?', label: t('ui.tui.hints.keys') },
      { chord: 'Escape', label: t('ui.tui.hints.back') },
    ],
    command({ command, action }) {
      const record = row()
      if (commands[command]) commands[command]()
      else if (action && action.name !== 'open' && record)
        void perform(ui, action, action.on === 'none' ? [] : [record])
      else return action?.name === 'open'
      ui.changed()
      return true
    },
    input: () => undefined,
    escape: () => false,
    spoken: () => (row() ? spokenRecord(ui, server, row()!) : [t('ui.tui.server.gone')]),
    enter() {
      const stops = [watchWithNeeds(records, server), watchWithNeeds(records, cron)]
      return () => {
        for (const stop of stops) stop()
      }
    },
    chosen: () => [row()].filter((record) => record !== undefined),
    cliLine: () => (row() ? actionLine(server.actions.open!, [row()!], view) : null),
    draw({ columns, rows }) {
      const record = row()
      if (!record) return [[], line(`    ${t('ui.tui.server.gone')}`, 'muted')]
      const standing = rowStanding(desk.surface(), server, record)
      const absence = standing?.absence ? [[], line(` ${standing.absence}`, 'bad')] : []
      const figures = figureLines(ui, server, record, columns)
      const lines = [
        titleRule(ui, server, record, columns),
        ...absence,
        [],
        ...factLines(ui, server, record, {
          columns,
          names: factFields(server).filter((name) => !name.endsWith('note')),
        }),
        ...(figures.length > 0 ? [[], ruleLine([span(t('ui.tui.server.figures'))], columns), ...figures] : []),
        ...tasks(columns),
        ...notes('note', columns),
        ...notes('public_note', columns),
      ]
      height = rows
      total = lines.length
      top = Math.max(0, Math.min(top, total - height))
      return lines.slice(top, top + rows)
    },
  }
}
