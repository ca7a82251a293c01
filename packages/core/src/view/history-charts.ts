import type { HostMetric } from '../define/index.ts'
import {
  type HistoryMetric,
  type HistoryPoint,
  type Host,
  historyLimits,
  historyUnit,
  isSampledMetric,
  sampledMetrics,
} from '../schemas/index.ts'

/** A line of a chart. `label` is a text key; `top` is the end of the scale, null for the largest value. */
export interface ChartMetric {
  readonly metric: HistoryMetric
  readonly label: string
  readonly top: number | null
}

/** Its metrics share a scale. `isMain`: shown even if there is little room. `requires`: what older servers lack. */
export interface HistoryChart {
  readonly label: string
  readonly metrics: readonly ChartMetric[]
  readonly isMain: boolean
  readonly requires?: 'host-history'
}

const field = (name: string) => `resources.server.fields.${name}`

function line(metric: HistoryMetric, label: string): ChartMetric {
  const unit = historyUnit(metric)
  return { metric, label, top: unit === 'percent' || unit === 'bytes' ? 100 : null }
}

const single = (metric: HistoryMetric, label: string, isMain = false): HistoryChart => ({
  label,
  metrics: [line(metric, label)],
  isMain,
})

/** What runs on the host, which history knows only while it’s watched. */
const ofHost = (label: string, ...metrics: HostMetric[]): HistoryChart => ({
  label,
  metrics: metrics.map((metric) => line(metric, field(metric))),
  isMain: false,
  requires: 'host-history',
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
  ofHost(field('units_failed'), 'units_failed'),
  ofHost(field('containers_unhealthy'), 'containers_unhealthy'),
  ofHost('resources.filesystem.many', 'fs_used_max', 'fs_inodes_max'),
  ofHost(field('updates'), 'updates', 'updates_security'),
]

/** The charts whose metrics a server’s history may have. */
export const chartsFor = (supports: (capability: string) => boolean): readonly HistoryChart[] =>
  historyCharts.filter(({ requires }) => requires === undefined || supports(requires))

/** Metrics split into calls within the server’s limit. */
export const metricBatches = (charts: readonly HistoryChart[]): readonly (readonly HistoryMetric[])[] => {
  const metrics = charts.flatMap((chart) => chart.metrics.map(({ metric }) => metric))
  return metrics.flatMap((_, index) =>
    index % historyLimits.metrics === 0 ? [metrics.slice(index, index + historyLimits.metrics)] : [],
  )
}

/** More lines in one chart can’t be told apart. */
export const maxLines = 5

/** Converts bytes of a known total to percent; empty without a total. */
export function scaledPoints(
  points: readonly HistoryPoint[],
  metric: HistoryMetric,
  host: Host,
): readonly HistoryPoint[] {
  const definition = isSampledMetric(metric) ? sampledMetrics[metric] : null
  if (!definition || !('total' in definition)) return points
  const total = host[definition.total] ?? 0
  if (total <= 0) return []
  return points.map(([at, ...values]) => {
    const [mean, least, most, last] = values.map((value) => (value / total) * 100) as [number, number, number, number]
    return [at, mean, least, most, last]
  })
}
