import { type AnyRow, fieldKey } from '@qd/core/define'
import { measured } from '@qd/core/fields'
import { errorText } from '@qd/core/i18n'
import { service } from '@qd/core/resources'
import { type ServiceHistory, serviceHistory } from '@qd/core/schemas'
import { createLoaded } from '../app/loaded.ts'
import type { Screen } from '../app/screen.ts'
import type { Ui } from '../app/ui.ts'
import type { ChartPoint } from '../fields/chart.ts'
import { dayBars } from '../fields/meter.ts'
import { blank, type Line, line, ruleLine, span, wrapText } from '../terminal/line.ts'
import { factFields, factLines, titleRule } from '../views/detail-pane.ts'
import { type Chart, chartSection, chartText, createRanges } from './chart-section.ts'
import { incidentSection, incidentTexts } from './incident-lines.ts'
import { createRecordScreen } from './record-screen.ts'

/** The ranges that the wire knows. Source: contract http-api 4.5. */
const ranges = [
  { hours: 24, period: '1d' },
  { hours: 168, period: '7d' },
  { hours: 720, period: '30d' },
] as const

/** How many of its days are known, and which was the worst. */
function daysText({ desk, io }: Ui, row: AnyRow): string {
  const { translator, format } = desk
  const days = row.days as readonly number[]
  const known = days.filter((percent) => percent >= 0)
  if (known.length === 0) return translator.t('ui.days.unknown')
  const worst = days.lastIndexOf(Math.min(...known))
  const now = io.now()
  return translator.t('ui.days.all', {
    count: known.length,
    percent: measured('availability', days[worst]!, { translator, format }),
    day: format.day(now - (days.length - 1 - worst) * 86_400_000),
  })
}

/** How it stands, before what is drawn; everything else stands below it. */
const standing = [
  'target',
  'type',
  'duration',
  'status_since',
  'up_percent',
  'delay',
  'reach',
  'notification_group_id',
  'cert_issuer',
  'cert_expires_at',
]
/** Said already by the state, by the reach, or on lines of their own. */
const said = ['error', 'status', 'cover', 'skip_servers']
const settings = factFields(service).filter((name) => ![...standing, ...said].includes(name))

/** One service: how it stands and since when, its last thirty days, its latency from each server, its incidents and certificate. */
export function createServiceScreen(ui: Ui, id: number): Screen {
  const { desk } = ui
  const { translator, format } = desk
  const { t, say } = translator
  const shown = createRanges<(typeof ranges)[number]>(ranges, () => history.load())
  const history = createLoaded<ServiceHistory>(ui, async () => {
    const query = { period: shown.now.period }
    return serviceHistory.parse(await desk.client.send({ method: 'GET', path: `service/${id}/history`, query }))
  })
  const text = (value: number) => measured('latency', value, { translator, format })
  const upText = (percent: number) => measured('availability', percent, { translator, format })
  const charts = (): Chart[] => {
    const servers = (history.value?.servers ?? []).map(({ server_id, server_name, stats }) => ({
      name: `${server_name || `#${server_id}`}, ${upText(stats.up_percent)}`,
      // Failed probes have no latency.
      points: stats.data_points.filter(({ status }) => status === 1).map(({ ts, delay }): ChartPoint => [ts, delay]),
    }))
    const top = Math.max(1e-9, ...servers.flatMap(({ points }) => points.map(([, delay]) => delay)))
    return servers.map((one) => ({ ...one, top, text }))
  }
  const waiting = (drawn: readonly Chart[]): string | null => {
    if (drawn.length > 0) return null
    if (history.value) return t('ui.tui.chart.none')
    return history.error ? errorText(translator, history.error).title : t('ui.list.loading')
  }
  const error = (row: AnyRow, columns: number): Line[] =>
    typeof row.error === 'string' && row.error !== ''
      ? wrapText(row.error, columns - 2).map((one) => line(` ${one}`, 'bad'))
      : []
  const daysSpoken = (): string[] => {
    const row = desk.records.peek('service', id)
    return row ? [daysText(ui, row)] : []
  }
  return createRecordScreen(ui, {
    resource: service,
    id,
    also: ['incident'],
    commands: shown.commands,
    hints: () => [{ chord: ']', label: t('ui.tui.hints.range') }],
    reload: history.load,
    enter: history.watch,
    spoken: () => [
      ...daysSpoken(),
      ...charts().map((chart) => chartText(ui, chart)),
      ...incidentTexts(ui, 'service_id', id),
    ],
    lines(row, columns) {
      const drawn = charts()
      return [
        titleRule(ui, service, row, columns),
        ...error(row, columns),
        [],
        ...factLines(ui, service, row, { columns, names: standing }),
        [],
        ruleLine([span(say(fieldKey(service, 'days')))], columns),
        [blank(1), ...dayBars(row.days as readonly number[]), span(`  ${daysText(ui, row)}`, 'muted')],
        [],
        ...chartSection(ui, {
          title: t('ui.tui.chart.latency'),
          ranges,
          range: shown.now,
          charts: drawn,
          none: waiting(drawn),
          columns,
        }),
        ...incidentSection(ui, 'service_id', id, columns),
        [],
        ruleLine([span(t('ui.tui.record.settings'))], columns),
        ...factLines(ui, service, row, { columns, names: settings }),
      ]
    },
  })
}
