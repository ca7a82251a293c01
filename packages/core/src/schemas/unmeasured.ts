import type { UnmeasuredMetric } from '@qd/protocol/unmeasured'
import type { Host } from './host-state.ts'

/** Which part of a report each metric of history and of alert rules comes from; others are absent where they are unknown. */
const partOf: Readonly<Record<string, UnmeasuredMetric>> = {
  cpu: 'cpu',
  memory: 'memory',
  swap: 'swap',
  disk: 'disk',
  net_in_speed: 'network',
  net_out_speed: 'network',
  net_all_speed: 'network',
  net_in_transfer: 'network',
  net_out_transfer: 'network',
  transfer_in: 'network',
  transfer_out: 'network',
  transfer_all: 'network',
  load1: 'load',
  load5: 'load',
  load15: 'load',
  uptime: 'uptime',
  tcp_conn: 'connections',
  udp_conn: 'connections',
  tcp_conn_count: 'connections',
  udp_conn_count: 'connections',
  process_count: 'processes',
}

/** Whether the agent measures this metric. A zero of one that it doesn’t measure says nothing. */
export const isMeasured = ({ unmeasured }: Pick<Host, 'unmeasured'>, metric: string): boolean =>
  !unmeasured?.length || !unmeasured.includes(partOf[metric] ?? metric)

/** Whether anything was reported about the machine. */
export const isReported = ({ mem_total, platform, arch, boot_time }: Host): boolean =>
  Boolean(mem_total || platform || arch || boot_time)
