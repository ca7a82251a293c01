import type { Call } from '@qd/core/define'
import {
  type HistoryAnswer,
  type HistoryMetric,
  type HistoryUnit,
  historyAnswer,
  historyUnit,
  serverMetrics,
} from '@qd/core/schemas'
import { type ChartMetric, chartsFor, historyCharts, metricBatches } from '@qd/core/view'
import { useEffect, useState } from 'react'
import { ports } from '../../base/ports.ts'
import { type Range, ranges, type Zoom } from '../../base/state/charts.ts'
import type { Texts } from '../../base/state/texts.ts'
import type { Span } from './align.ts'

export interface MetricFigure extends ChartMetric {
  readonly say: (value: number, texts: Pick<Texts, 't' | 'format'>) => string
}

type Say = MetricFigure['say']
const percent: Say = (value, { format }) => format.percent(value, value < 10 ? 1 : 0)
const says = {
  percent,
  bytes: percent,
  rate: (value, { format }) => format.rate(value),
  celsius: (value, { t, format }) => t('ui.units.celsius', { value: format.number(value, 1) }),
  duration: (value, { format }) => format.duration(value),
  number: (value, { format }) => format.number(value, value < 10 ? 2 : 0),
} satisfies Record<HistoryUnit, Say>

export const figures: readonly { readonly label: string; readonly metrics: readonly MetricFigure[] }[] =
  historyCharts.map(({ label, metrics }) => ({
    label,
    metrics: metrics.map((one) => ({ ...one, say: says[historyUnit(one.metric) ?? 'number'] })),
  }))

const chartPoints = 300

/** The time range to request. Without a zoom it advances once per point, at most twice a minute. */
export function useChartTime(range: Range, zoom: Zoom | null): Zoom {
  const stepMs = Math.max(30_000, ranges[range] / chartPoints)
  const [now, setNow] = useState(ports.now)
  const isMoving = zoom === null
  useEffect(() => {
    if (!isMoving) return
    // Another time is another request, which cancels the one just sent.
    setNow((before) => (ports.now() - before < 1000 ? before : ports.now()))
    const timer = setInterval(() => setNow(ports.now()), stepMs)
    return () => clearInterval(timer)
  }, [isMoving, stepMs])
  return zoom ?? { from: now - ranges[range], to: now }
}

export const spanOf = ({ from, to }: Zoom, stepMs: number): Span => ({ from, to, stepMs })

export interface HistorySource {
  readonly ranges: readonly Range[]
  readonly isFree: boolean
  calls(ids: readonly number[], range: Range, asked: Zoom): readonly Call[]
  read(answers: readonly unknown[], range: Range): readonly HistoryAnswer[]
}

/** Our server: all ranges, any step, several servers and metrics per call. */
const own = (supports: (capability: string) => boolean): HistorySource => ({
  ranges: ['hour', 'day', 'week', 'month', 'year'],
  isFree: true,
  calls: (ids, _range, { from, to }) =>
    metricBatches(chartsFor(supports)).map((metrics) => ({
      method: 'GET',
      path: 'history',
      query: {
        servers: ids.join(','),
        metric: metrics.join(','),
        from: Math.round(from),
        to: Math.round(to),
        points: chartPoints,
      },
    })),
  read: (answers) => answers.map((answer) => historyAnswer().parse(answer)),
})

const minuteMs = 60_000
/** Periods of the metrics call with a suitable step. Source: contract http-api, `GET /server/{id}/metrics`. */
const periods: Partial<Record<Range, { name: string; stepMs: number }>> = {
  day: { name: '1d', stepMs: 5 * minuteMs },
  week: { name: '7d', stepMs: 30 * minuteMs },
  month: { name: '30d', stepMs: 120 * minuteMs },
}
/** One call per metric, so only the most important. */
const fewMetrics: readonly HistoryMetric[] = ['cpu', 'memory', 'disk', 'net_in_speed', 'net_out_speed', 'load1']

/** The metrics call of a Nezha dashboard: three periods that end now, one server and metric per call, means only. */
const nezha: HistorySource = {
  ranges: ['day', 'week', 'month'],
  isFree: false,
  calls: ([id], range) =>
    fewMetrics.map((metric) => ({
      method: 'GET',
      path: `server/${id}/metrics`,
      query: { metric, period: periods[range]?.name ?? '1d' },
    })),
  read: (answers, range) =>
    answers.map((answer) => {
      const { server_id, metric, data_points } = serverMetrics().parse(answer)
      const points = data_points.map(({ ts, value }): [number, number, number, number, number] => [
        ts,
        value,
        value,
        value,
        value,
      ])
      return { step_ms: periods[range]?.stepMs ?? minuteMs, series: [{ server_id, metric, points }] }
    }),
}

const ours = own(() => true)
const older = own(() => false)

export function sourceFor(supports: (capability: string) => boolean): HistorySource {
  if (!supports('history')) return nezha
  return supports('host-history') ? ours : older
}
