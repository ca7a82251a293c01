// Apart from server.ts, so that the status page loads no definition.
import type { UnmeasuredMetric } from '@qd/protocol/unmeasured'
import { type Host, type HostState, isMeasured, isReported, isSampled } from '../schemas/index.ts'

interface Sample {
  host: Host
  state: HostState
}

export const figureLimits = { warn: 75, bad: 90 }

function percent(used: number | undefined, total: number | undefined): number | null {
  return total ? ((used ?? 0) / total) * 100 : null
}

const part = (metric: 'memory' | 'swap' | 'disk', { host, state }: Sample, share: number | null) =>
  isSampled(state) && isMeasured(host, metric) ? share : null

export const figures = {
  cpu: ({ state, host }: Sample) =>
    isMeasured(host, 'cpu') ? (state.cpu ?? reported({ host, state }, 'cpu', 0)) : null,
  memory: (row: Sample) => part('memory', row, percent(row.state.mem_used, row.host.mem_total)),
  swap: (row: Sample) => part('swap', row, percent(row.state.swap_used, row.host.swap_total)),
  disk: (row: Sample) => part('disk', row, percent(row.state.disk_used, row.host.disk_total)),
}

const judged = ['cpu', 'memory', 'disk'] as const

/** The metric nearest to its bad limit. A loop, because it runs for every sample of every server. */
export function worstOf(row: Sample): { figure: (typeof judged)[number]; value: number } | null {
  let worst: ReturnType<typeof worstOf> = null
  for (const figure of judged) {
    const value = figures[figure](row)
    if (value !== null && (!worst || value > worst.value)) worst = { figure, value }
  }
  return worst
}

export const isPressed = (row: Sample): boolean => (worstOf(row)?.value ?? 0) >= figureLimits.bad

/** Null without a sample, and if unmeasurable. */
export function reported({ host, state }: Sample, part: UnmeasuredMetric, value: number | undefined): number | null {
  return isReported(host) && isSampled(state) && isMeasured(host, part) ? (value ?? 0) : null
}
