import { type AnyRow, textKey, titleOf } from '@qd/core/define'
import { measured, metricName, plainText } from '@qd/core/fields'
import { errorText } from '@qd/core/i18n'
import { cron, reachedServers, server } from '@qd/core/resources'
import { type HistoryAnswer, historyAnswer } from '@qd/core/schemas'
import { rowStanding } from '@qd/core/view'
import { createLoaded } from '../app/loaded.ts'
import type { Screen } from '../app/screen.ts'
import type { Ui } from '../app/ui.ts'
import type { ChartPoint } from '../fields/chart.ts'
import { type Line, line, ruleLine, span, wrapText } from '../terminal/line.ts'
import { factFields, factLines, figureLines, titleRule } from '../views/detail-pane.ts'
import { type Chart, chartSection, chartText, createRanges, type Range } from './chart-section.ts'
import { incidentSection, incidentTexts } from './incident-lines.ts'
import { createRecordScreen } from './record-screen.ts'
import { createServerEvents } from './server-events.ts'

/** What is drawn of the history, and the figure of the host that is the whole of it. */
const metrics = [
  { metric: 'cpu', top: 100 },
  { metric: 'memory', whole: 'mem_total', top: 100 },
  { metric: 'disk', whole: 'disk_total', top: 100 },
  { metric: 'load1', top: null },
  { metric: 'net_in_speed', top: null },
  { metric: 'net_out_speed', top: null },
] as const satisfies readonly { metric: string; whole?: string; top: number | null }[]

const ranges = [{ hours: 1 }, { hours: 24 }, { hours: 168 }, { hours: 720 }] as const satisfies readonly Range[]
/** More points than a line has cells, so that each cell is a mean. */
const points = 240

function capital(text: string, language: string): string {
  return text.slice(0, 1).toLocaleUpperCase(language) + text.slice(1)
}

/** One server: what it is, its figures now and as they were, what happened to it, its notes, and the tasks that reach it. */
export function createServerScreen(ui: Ui, id: number): Screen {
  const { desk } = ui
  const { translator, view, format } = desk
  const { t, say } = translator
  const shown = createRanges<Range>(ranges, () => history.load())
  const history = createLoaded<HistoryAnswer>(ui, async () => {
    const to = view.now
    const from = to - shown.now.hours * 3_600_000
    const query = { servers: id, metric: metrics.map(({ metric }) => metric).join(','), from, to, points }
    return historyAnswer.parse(await desk.client.send({ method: 'GET', path: 'history', query }))
  })
  const events = createServerEvents(ui, id)
  const hasHistory = () => desk.session.supports('history')

  const charts = (row: AnyRow): Chart[] =>
    metrics.map((one) => {
      const { metric, top } = one
      const whole = 'whole' in one ? Number((row.host as Readonly<Record<string, unknown>>)[one.whole]) : 0
      const found = history.value?.series.find((series) => series.metric === metric)?.points ?? []
      const shares = found.map(([at, mean]): ChartPoint => [at, whole > 0 ? (mean / whole) * 100 : mean])
      return {
        name: capital(metricName(metric, translator), translator.language),
        points: shares,
        top,
        text: (value) => measured(metric, value, { translator, format }),
      }
    })
  const waiting = (): string | null => {
    if (history.value) return null
    return history.error ? errorText(translator, history.error).title : t('ui.list.loading')
  }
  const notes = (row: AnyRow, name: string, columns: number): Line[] => {
    const text = row[name]
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
  return createRecordScreen(ui, {
    resource: server,
    id,
    also: ['cron', 'incident'],
    commands: shown.commands,
    hints: () => (hasHistory() ? [{ chord: ']', label: t('ui.tui.hints.range') }] : []),
    reload() {
      history.load()
      events.load()
    },
    enter() {
      if (!hasHistory()) return () => undefined
      const stops = [history.watch(), events.watch()]
      return () => {
        for (const stop of stops) stop()
      }
    },
    spoken: () => {
      const row = desk.records.peek('server', id)
      const drawn = row && history.value ? charts(row).map((chart) => chartText(ui, chart)) : []
      return [...drawn, ...incidentTexts(ui, 'server_id', id), ...events.texts()]
    },
    lines(row, columns) {
      const standing = rowStanding(desk.surface(), server, row)
      const absence = standing?.absence ? [[], line(` ${standing.absence}`, 'bad')] : []
      const figures = figureLines(ui, server, row, columns)
      const drawn = { title: t('ui.tui.chart.title'), ranges, range: shown.now, columns }
      return [
        titleRule(ui, server, row, columns),
        ...absence,
        [],
        ...factLines(ui, server, row, {
          columns,
          names: factFields(server).filter((name) => !name.endsWith('note')),
        }),
        ...(figures.length > 0 ? [[], ruleLine([span(t('ui.tui.server.figures'))], columns), ...figures] : []),
        ...(hasHistory() ? [[], ...chartSection(ui, { ...drawn, charts: charts(row), none: waiting() })] : []),
        ...incidentSection(ui, 'server_id', id, columns),
        ...(hasHistory() ? events.lines(columns) : []),
        ...tasks(columns),
        ...notes(row, 'note', columns),
        ...notes(row, 'public_note', columns),
      ]
    },
  })
}
