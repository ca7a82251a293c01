import { type HistoryMetric, type HistoryPoint, type Host, historyMetrics } from '../schemas/index.ts'

/** One line of a chart. `label`: the key of its name; `top`: the end of its scale, null if the greatest value is. */
export interface ChartMetric {
  readonly metric: HistoryMetric
  readonly label: string
  readonly top: number | null
}

/** One chart of a server's history; its metrics share a scale. `isMain`: it is shown where there is room for few charts. */
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

/** A chart of one metric, which bears its name. */
const single = (metric: HistoryMetric, label: string, isMain = false): HistoryChart => ({
  label,
  metrics: [line(metric, label)],
  isMain,
})

/** The charts of a server's history in their order, for the web console and the terminal UI. */
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

/** Most servers that one chart shows over each other: more lines than that nobody tells apart. */
export const maxLines = 5

/** Points as a chart shows them: bytes of a known whole become percent of it. Without a known whole there is nothing to show. Pure. */
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
