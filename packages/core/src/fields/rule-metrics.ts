import {
  type HostMetric,
  hostMetricNames,
  hostMetrics,
  isHostMetric,
  type NamedMetric,
  namedMetricOf,
  namedMetrics,
} from '../define/index.ts'
import { defined } from '../errors.ts'
import type { Format, Translator } from '../i18n/index.ts'

export type MetricUnit = 'percent' | 'rate' | 'bytes' | 'number' | 'count' | 'celsius' | 'duration' | 'ms' | 'none'

type Metric = { readonly unit: MetricUnit; readonly cycle: boolean }

const ofHosts = Object.fromEntries(
  hostMetricNames.map((name) => [name, { unit: hostMetrics[name].unit, cycle: false }]),
) as Readonly<Record<HostMetric, Metric>>

/** Metrics of alert rules. `cycle`: counts within a cycle. `offline` has no value. Source: contract engines 1.2. */
export const ruleMetrics = {
  cpu: { unit: 'percent', cycle: false },
  memory: { unit: 'percent', cycle: false },
  swap: { unit: 'percent', cycle: false },
  disk: { unit: 'percent', cycle: false },
  load1: { unit: 'number', cycle: false },
  load5: { unit: 'number', cycle: false },
  load15: { unit: 'number', cycle: false },
  offline: { unit: 'none', cycle: false },
  net_in_speed: { unit: 'rate', cycle: false },
  net_out_speed: { unit: 'rate', cycle: false },
  net_all_speed: { unit: 'rate', cycle: false },
  transfer_in: { unit: 'bytes', cycle: false },
  transfer_out: { unit: 'bytes', cycle: false },
  transfer_all: { unit: 'bytes', cycle: false },
  transfer_in_cycle: { unit: 'bytes', cycle: true },
  transfer_out_cycle: { unit: 'bytes', cycle: true },
  transfer_all_cycle: { unit: 'bytes', cycle: true },
  tcp_conn_count: { unit: 'count', cycle: false },
  udp_conn_count: { unit: 'count', cycle: false },
  process_count: { unit: 'count', cycle: false },
  gpu_max: { unit: 'percent', cycle: false },
  temperature_max: { unit: 'celsius', cycle: false },
  ...ofHosts,
  // With a name, such as `unit_down:nginx`.
  unit_down: { unit: 'none', cycle: false },
  container_down: { unit: 'none', cycle: false },
  fs_used: { unit: 'percent', cycle: false },
} as const satisfies Record<NamedMetric, Metric> & Record<string, Metric>
export type RuleMetric = keyof typeof ruleMetrics

/** Null if unknown. `gpu` is an alias of `gpu_max` (contract engines 17, Q2). */
export function metricOf(type: string): RuleMetric | null {
  const named = namedMetricOf(type)
  if (named) return named.metric
  const name = type === 'gpu' ? 'gpu_max' : type
  return Object.hasOwn(ruleMetrics, name) && !needsName(name) ? (name as RuleMetric) : null
}

/** Whether conditions with this metric name a record, as `unit_down:nginx` does. */
export const needsName = (metric: string): metric is NamedMetric => Object.hasOwn(namedMetrics, metric)

/** The metric without the name of a record, and that name. */
export function partsOfMetric(type: string): { base: string; name: string } {
  const at = type.indexOf(':')
  return at < 0 ? { base: type, name: '' } : { base: type.slice(0, at), name: type.slice(at + 1) }
}

/** Whether a type counts within a cycle (contract engines 1.2). */
export function isCycleType(type: string): boolean {
  return type.endsWith('_cycle')
}

/** Metrics that only monitors have. */
const monitorUnits: Readonly<Record<string, MetricUnit>> = { latency: 'ms', availability: 'percent' }

/** A number if unknown. */
export function unitOf(metric: string): MetricUnit {
  const { base } = partsOfMetric(metric)
  const known = needsName(base) ? base : metricOf(metric)
  if (known) return ruleMetrics[known].unit
  return Object.hasOwn(monitorUnits, metric) ? defined(monitorUnits[metric]) : 'number'
}

/** "90%", "20 TiB", "38 ms". */
export function measured(
  metric: string,
  value: number,
  { translator, format }: { translator: Translator; format: Format },
): string {
  switch (unitOf(metric)) {
    case 'percent':
      return format.percent(value, 1)
    case 'rate':
      return format.rate(value)
    case 'bytes':
      return format.bytes(value)
    case 'ms':
      return format.latency(value)
    case 'celsius':
      return translator.t('ui.units.celsius', { value: format.number(value, 1) })
    case 'duration':
      return format.duration(value)
    case 'count':
      return format.number(isHostMetric(metric) ? Math.floor(value) : value)
    default:
      return format.number(value, 2)
  }
}

export function metricName(metric: string, { t, say }: Translator): string {
  const { base, name } = partsOfMetric(metric)
  if (needsName(base)) return say(`ui.metrics.${base}`, { name })
  const known = metricOf(metric)
  if (known === null && !Object.hasOwn(monitorUnits, metric)) return t('ui.metrics.unknown', { metric })
  return say(`ui.metrics.${known ?? metric}`)
}
