/** The parts of a state that a machine may not tell; in the state itself they are then 0. */
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

/** One of `unmeasuredMetrics`. */
export type UnmeasuredMetric = (typeof unmeasuredMetrics)[number]

/** What an agent can’t measure now: whole metrics, and mount points whose file systems don’t respond. Source: docs/reference/agent-extensions.md. */
export interface Unmeasured {
  metrics: readonly UnmeasuredMetric[]
  disks: readonly string[]
}

/** Most mount points, and characters of each, that are told. */
const most = { disks: 64, characters: 1024 }

/** The text of a result of type `agentNews.unmeasured`. */
export const toUnmeasuredText = ({ metrics, disks }: Unmeasured): string =>
  JSON.stringify({ metrics, disks: disks.slice(0, most.disks) })

/** Reads such a text; what makes no sense is left out, so that a newer agent may tell more. */
export const parseUnmeasured = (text: string): Unmeasured => {
  const list = (value: unknown): string[] =>
    Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
  try {
    const { metrics, disks } = JSON.parse(text) as Partial<Record<keyof Unmeasured, unknown>>
    const told = list(metrics)
    return {
      metrics: unmeasuredMetrics.filter((metric) => told.includes(metric)),
      disks: list(disks)
        .filter((path) => path.length > 0 && path.length <= most.characters)
        .slice(0, most.disks),
    }
  } catch {
    return { metrics: [], disks: [] }
  }
}
