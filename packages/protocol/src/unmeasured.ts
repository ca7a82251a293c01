/** Parts of a state that a machine may be unable to measure; the state then has 0. */
export const unmeasuredMetrics = [
  'cpu',
  'memory',
  'swap',
  'disk',
  'network',
  'load',
  'uptime',
  'connections',
  'processes',
] as const

export type UnmeasuredMetric = (typeof unmeasuredMetrics)[number]

/** `disks`: mount points whose file systems don’t respond. Source: docs/reference/agent-extensions.md. */
export interface Unmeasured {
  metrics: readonly UnmeasuredMetric[]
  disks: readonly string[]
}

/** Maximum number of mount points, and of characters of each. */
const max = { disks: 64, characters: 1024 }

export const toUnmeasuredText = ({ metrics, disks }: Unmeasured): string =>
  JSON.stringify({ metrics, disks: disks.slice(0, max.disks) })

/** Ignores what it doesn’t know, so that newer agents may report more. */
export const parseUnmeasured = (text: string): Unmeasured => {
  const list = (value: unknown): string[] =>
    Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
  try {
    const { metrics, disks } = JSON.parse(text) as Partial<Record<keyof Unmeasured, unknown>>
    const reported = list(metrics)
    return {
      metrics: unmeasuredMetrics.filter((metric) => reported.includes(metric)),
      disks: list(disks)
        .filter((path) => path.length > 0 && path.length <= max.characters)
        .slice(0, max.disks),
    }
  } catch {
    return { metrics: [], disks: [] }
  }
}
