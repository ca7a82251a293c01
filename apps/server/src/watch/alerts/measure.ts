import { kindOfMetric } from '@qd/core/define'
import { metricOf, type RuleMetric } from '@qd/core/fields'
import { type Host, type HostState, isMeasured } from '@qd/core/schemas'

/** `lastActive`: epoch ms of the newest report, null after the stream ended. */
export interface Sample {
  readonly host: Host
  readonly state: HostState
  readonly lastActive: number | null
  /** Metrics of what runs on the host; null if unknown. */
  readonly hosts?: (metric: string) => number | null
}

/** A server counts as offline this long after its last report (contract engines 1.5). */
const offlineAfterMs = 6000

/** A report from the future predates a clock that was set back. */
export function isOffline({ lastActive }: Sample, now: number): boolean {
  return lastActive === null || Math.abs(now - lastActive) > offlineAfterMs
}

type Read = (sample: Pick<Sample, 'state' | 'host' | 'hosts'>) => number | null
type ReadState = (state: HostState, host: Host) => number | null

/** Percent; no data if the total is unknown. */
const share = (used: number | undefined, total: number | undefined) => (total ? ((used ?? 0) / total) * 100 : null)

const largest = (values: readonly number[]) => (values.length === 0 ? null : Math.max(...values))

/** Zeros are absent on the wire (contract engines 1.2). */
const readers: Readonly<Partial<Record<RuleMetric, ReadState>>> = {
  cpu: ({ cpu }) => cpu ?? 0,
  memory: ({ mem_used }, { mem_total }) => share(mem_used, mem_total),
  swap: ({ swap_used }, { swap_total }) => share(swap_used, swap_total),
  disk: ({ disk_used }, { disk_total }) => share(disk_used, disk_total),
  load1: ({ load_1 }) => load_1 ?? 0,
  load5: ({ load_5 }) => load_5 ?? 0,
  load15: ({ load_15 }) => load_15 ?? 0,
  net_in_speed: ({ net_in_speed }) => net_in_speed ?? 0,
  net_out_speed: ({ net_out_speed }) => net_out_speed ?? 0,
  net_all_speed: ({ net_in_speed = 0, net_out_speed = 0 }) => net_in_speed + net_out_speed,
  transfer_in: ({ net_in_transfer }) => net_in_transfer ?? 0,
  transfer_out: ({ net_out_transfer }) => net_out_transfer ?? 0,
  transfer_all: ({ net_in_transfer = 0, net_out_transfer = 0 }) => net_in_transfer + net_out_transfer,
  tcp_conn_count: ({ tcp_conn_count }) => tcp_conn_count ?? 0,
  udp_conn_count: ({ udp_conn_count }) => udp_conn_count ?? 0,
  process_count: ({ process_count }) => process_count ?? 0,
  gpu_max: ({ gpu }) => largest(gpu ?? []),
  temperature_max: ({ temperatures }) =>
    largest((temperatures ?? []).map(({ Temperature }) => Temperature).filter((degrees) => degrees !== 0)),
}

/** Null for a type without a sample value. A metric that the agent can't measure is no data. */
export function readerOf(type: string): Read | null {
  if (kindOfMetric(type) !== null) return ({ hosts }) => hosts?.(type) ?? null
  const metric = metricOf(type)
  const read = metric && readers[metric]
  return read ? ({ state, host }) => (isMeasured(host, metric) ? read(state, host) : null) : null
}
