import { type HistoryMetric, type HistoryPoint, type Host, historyMetrics } from '../schemas/index.ts'

/** A line of a chart. `label` is a text key; `top` is the end of the scale, null for the largest value. */
export interface ChartMetric {
  readonly metric: HistoryMetric
  readonly label: string
  readonly top: number | null
}

/** Its metrics share a scale. `isMain`: shown even if there is little room. */
export interface HistoryChart {
  readonly label: string
  readonly metrics: readonly ChartMetric[]
  readonly isMain: boolean
}

const field = (name: string) => `resources.server.fields.${name}`

function line(metric: HistoryMetric, label: string): ChartMetric {
  const { unit } = historyMetrics[metric]
  return { metric, label, top: unit === 'percent' || unit === 'bytes' ? 100 : null }
}

const single = (metric: HistoryMetric, label: string, isMain = false): HistoryChart => ({
  label,
  metrics: [line(metric, label)],
  isMain,
})

export const historyCharts: readonly HistoryChart[] = [
  single('cpu', field('cpu'), true),
  single('memory', field('memory'), true),
  single('disk', field('disk'), true),
  {
    label: 'ui.panel.network',
    metrics: [line('net_in_speed', field('net_in')), line('net_out_speed', field('net_out'))],
    isMain: true,
  },
  single('load1', field('load'), true),
  {
    label: field('connections'),
    metrics: [line('tcp_conn', 'ui.metrics.tcp_conn_count'), line('udp_conn', 'ui.metrics.udp_conn_count')],
    isMain: false,
  },
  single('process_count', field('processes')),
  single('swap', field('swap')),
  single('temperature', 'ui.metrics.temperature_max'),
  single('gpu', 'ui.metrics.gpu_max'),
]

/** More lines in one chart can’t be told apart. */
export const maxLines = 5

/** Converts bytes of a known total to percent; empty without a total. */
export function scaledPoints(
  points: readonly HistoryPoint[],
  metric: HistoryMetric,
  host: Host,
): readonly HistoryPoint[] {
  const definition = historyMetrics[metric]
  if (!('total' in definition)) return points
  const total = host[definition.total] ?? 0
  if (total <= 0) return []
  return points.map(([at, ...values]) => {
    const [mean, least, most, last] = values.map((value) => (value / total) * 100) as [number, number, number, number]
    return [at, mean, least, most, last]
  })
}
