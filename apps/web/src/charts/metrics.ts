import { type HistoryMetric, type HistoryPoint, type Host, historyLimits, historyMetrics } from '@qd/core/schemas'
import type { Texts } from '../state/texts.ts'

/** One metric of a chart: its name, how its values are written, the end of its scale (null: by the values). */
export interface MetricFigure {
  readonly metric: HistoryMetric
  readonly label: string
  readonly top: number | null
  readonly say: (value: number, texts: Pick<Texts, 't' | 'format'>) => string
}

type Say = MetricFigure['say']
const percent: Say = (value, { t, format }) =>
  t('ui.units.percent', { value: format.number(value, value < 10 ? 1 : 0) })
const says = {
  percent,
  bytes: percent,
  rate: (value, { format }) => format.rate(value),
  celsius: (value, { t, format }) => t('ui.units.celsius', { value: format.number(value, 1) }),
  duration: (value, { format }) => format.duration(value),
  number: (value, { format }) => format.number(value, value < 10 ? 2 : 0),
} satisfies Record<(typeof historyMetrics)[HistoryMetric]['unit'], Say>

function figure(metric: HistoryMetric, label: string): MetricFigure {
  const { unit } = historyMetrics[metric]
  return { metric, label, top: unit === 'percent' || unit === 'bytes' ? 100 : null, say: says[unit] }
}

const field = (name: string) => `resources.server.fields.${name}`

/** The charts of a server in their order; metrics of one chart are its lines. */
export const figures: readonly { readonly label: string; readonly metrics: readonly MetricFigure[] }[] = [
  { label: field('cpu'), metrics: [figure('cpu', field('cpu'))] },
  { label: field('memory'), metrics: [figure('memory', field('memory'))] },
  { label: field('disk'), metrics: [figure('disk', field('disk'))] },
  {
    label: 'ui.panel.network',
    metrics: [figure('net_in_speed', field('net_in')), figure('net_out_speed', field('net_out'))],
  },
  { label: field('load'), metrics: [figure('load1', field('load'))] },
  {
    label: field('connections'),
    metrics: [figure('tcp_conn', 'ui.metrics.tcp_conn_count'), figure('udp_conn', 'ui.metrics.udp_conn_count')],
  },
  { label: field('processes'), metrics: [figure('process_count', field('processes'))] },
  { label: field('swap'), metrics: [figure('swap', field('swap'))] },
  { label: 'ui.metrics.temperature_max', metrics: [figure('temperature', 'ui.metrics.temperature_max')] },
  { label: 'ui.metrics.gpu_max', metrics: [figure('gpu', 'ui.metrics.gpu_max')] },
]

/** All metrics of the charts, in as many calls as they need. */
export const metricBatches: readonly (readonly HistoryMetric[])[] = figures
  .flatMap(({ metrics }) => metrics.map(({ metric }) => metric))
  .reduce<HistoryMetric[][]>((batches, metric, index) => {
    if (index % historyLimits.metrics === 0) batches.push([])
    batches.at(-1)!.push(metric)
    return batches
  }, [])

/** Points as the chart shows them: of what has a whole, the percent of it. Without a known whole there is nothing to show. */
export function scaled(points: readonly HistoryPoint[], { metric }: MetricFigure, host: Host): readonly HistoryPoint[] {
  const definition = historyMetrics[metric]
  if (!('total' in definition)) return points
  const total = host[definition.total] ?? 0
  if (total <= 0) return []
  return points.map(([at, ...values]) => {
    const [mean, least, most, last] = values.map((value) => (value / total) * 100) as [number, number, number, number]
    return [at, mean, least, most, last]
  })
}
