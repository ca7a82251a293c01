/**
 * Metrics of a server that are made from records of its host, `of` a kind. They are read while an alert rule, a column, a query or a scraper asks
 * for them. `bad`: from here on the server has a problem.
 */
export const hostMetrics = {
  units_failed: { of: 'unit', unit: 'count', bad: 1 },
  containers_unhealthy: { of: 'container', unit: 'count', bad: 1 },
  fs_used_max: { of: 'filesystem', unit: 'percent', bad: 95 },
  fs_inodes_max: { of: 'filesystem', unit: 'percent', bad: 95 },
  fs_full_in: { of: 'filesystem', unit: 'duration' },
  updates: { of: 'package', unit: 'count' },
  updates_security: { of: 'package', unit: 'count' },
  reboot_required: { of: 'package', unit: 'none' },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly of: 'unit' | 'container' | 'filesystem' | 'package'
      readonly unit: 'count' | 'percent' | 'duration' | 'none'
      readonly bad?: number
    }
  >
>
export type HostMetric = keyof typeof hostMetrics
export type HostMetricKind = (typeof hostMetrics)[HostMetric]['of']

export const hostMetricNames = Object.keys(hostMetrics) as readonly HostMetric[]

export const isHostMetric = (name: string): name is HostMetric => Object.hasOwn(hostMetrics, name)

/** The name of a unit or a container, in the characters that their programs allow. */
const recordName = /^[\w@.:\\-]{1,200}$/
/** A mount point in the characters that a condition may have. */
const mountPoint = /^\/[\w@.:\\/+-]{0,199}$/

/** Metrics about one record by its name: `unit_down:nginx` is 1 while it doesn’t run, else 0; `fs_used:/var` the use in percent. */
export const namedMetrics = {
  unit_down: { of: 'unit', names: recordName },
  container_down: { of: 'container', names: recordName },
  fs_used: { of: 'filesystem', names: mountPoint },
} as const
export type NamedMetric = keyof typeof namedMetrics

/** The parts of `unit_down:nginx`; null for another metric. */
export function namedMetricOf(metric: string): { metric: NamedMetric; name: string } | null {
  const at = metric.indexOf(':')
  const [base, name] = [metric.slice(0, at) as NamedMetric, metric.slice(at + 1)]
  return at > 0 && Object.hasOwn(namedMetrics, base) && namedMetrics[base].names.test(name)
    ? { metric: base, name }
    : null
}

/** The kind of record that a metric is made from; null if no host is read for it. */
export function kindOfMetric(metric: string): HostMetricKind | null {
  if (isHostMetric(metric)) return hostMetrics[metric].of
  const named = namedMetricOf(metric)
  return named && namedMetrics[named.metric].of
}

/** A mount point without a comma, which separates metrics in calls. */
const mountSeriesName = /^fs_used:\/[^,\p{Cc}]{0,255}$/u

/** Whether a name is that of the history of a filesystem’s use in percent, by its mount point: `fs_used:/var`. */
export const isMountSeries = (name: string): boolean => mountSeriesName.test(name)

/** The kind of record that a series of history is made from: of a metric, or of a filesystem. Null for samples. */
export const kindOfSeries = (name: string): HostMetricKind | null =>
  isMountSeries(name) ? 'filesystem' : kindOfMetric(name)
