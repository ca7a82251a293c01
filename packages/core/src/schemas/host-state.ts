import type { UnmeasuredMetric } from '@qd/protocol/unmeasured'
import * as z from 'zod'
import { lazy } from '../define/index.ts'

/** The part of a report for each metric of history and alert rules. */
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

/** Whether the agent measures a metric, so that its 0 is a value. */
export const isMeasured = ({ unmeasured }: Pick<Host, 'unmeasured'>, metric: string): boolean =>
  !unmeasured?.length || !unmeasured.includes(partOf[metric] ?? metric)

export const isReported = ({ mem_total, platform, arch, boot_time }: Host): boolean =>
  Boolean(mem_total || platform || arch || boot_time)

// Functions rather than shared schemas: thousands of records read these fields, and shared schemas cost an extra step.
const text = () => z.string().catch('')
const figure = () => z.number().catch(0)
const names = () => z.array(z.string()).catch([])

/** What an agent reports about its machine. Sizes in bytes, boot time in Unix seconds. Source: contract http-api 4.3. */
export const host = lazy(() =>
  z
    .object({
      platform: text(),
      platform_version: text(),
      arch: text(),
      virtualization: text(),
      cpu: names(),
      gpu: names(),
      mem_total: figure(),
      disk_total: figure(),
      swap_total: figure(),
      boot_time: figure(),
      version: text(),
      /** What the agent can’t measure (`UnmeasuredMetric`); only from our agents to our server. */
      unmeasured: names(),
      /** Mount points whose file systems don’t respond. */
      silent_disks: names(),
      /** The agent only accepts probes: no commands, shells, files, NAT, or configuration. */
      watch_only: z.boolean().catch(false),
    })
    .partial()
    .catch({}),
)
export type Host = z.output<ReturnType<typeof host>>

/** CPU in percent, sizes in bytes, speeds in bytes per second, uptime in seconds. Zeros are absent on the wire. */
export const hostState = lazy(() =>
  z
    .object({
      cpu: figure(),
      mem_used: figure(),
      swap_used: figure(),
      disk_used: figure(),
      net_in_transfer: figure(),
      net_out_transfer: figure(),
      net_in_speed: figure(),
      net_out_speed: figure(),
      uptime: figure(),
      load_1: figure(),
      load_5: figure(),
      load_15: figure(),
      tcp_conn_count: figure(),
      udp_conn_count: figure(),
      process_count: figure(),
      temperatures: z.array(z.object({ Name: text(), Temperature: figure() })).catch([]),
      gpu: z.array(z.number()).catch([]),
    })
    .partial()
    .catch({}),
)
export type HostState = z.output<ReturnType<typeof hostState>>

/** `hostMetrics` by name, and mount points: `fullest` of `fs_used_max`, `filling` of `fs_full_in`. What isn’t known is absent. */
export const watchedMetrics = lazy(() => z.record(z.string(), z.union([z.number(), z.string()])).catch({}))
export type WatchedMetrics = Readonly<z.output<ReturnType<typeof watchedMetrics>>>

/** Whether a sample has come since the server started. A zero of a server without one says nothing. */
export function isSampled(state: HostState): boolean {
  for (const name in state) if (typeof state[name as keyof HostState] === 'number') return true
  return false
}

/** The metrics of a live sample in order, after its time, and steps per unit. Source: docs/reference/live-feed.md, “Samples”. */
export const sampleMetrics = [
  ['cpu', 10],
  ['mem_used', 1],
  ['swap_used', 1],
  ['disk_used', 1],
  ['net_in_transfer', 1],
  ['net_out_transfer', 1],
  ['net_in_speed', 1],
  ['net_out_speed', 1],
  ['uptime', 1],
  ['load_1', 100],
  ['load_5', 100],
  ['load_15', 100],
  ['tcp_conn_count', 1],
  ['udp_conn_count', 1],
  ['process_count', 1],
] as const satisfies readonly (readonly [keyof HostState, number])[]

/** `ip` may be empty until the agent reports. */
export const geoip = lazy(() =>
  z
    .object({
      ip: z.object({ ipv4_addr: text(), ipv6_addr: text() }).partial().catch({}),
      country_code: text(),
    })
    .partial()
    .catch({}),
)
export type GeoIp = z.output<ReturnType<typeof geoip>>

/** A full frame of `/ws/server`. Source: contract http-api 5.2. */
export const liveFrame = lazy(() =>
  z.object({
    now: z.number().catch(0),
    online: z.number().catch(0),
    servers: z
      .array(
        z.object({
          id: z.int(),
          name: text(),
          public_note: z.string().optional(),
          display_index: figure(),
          host: host(),
          state: hostState(),
          country_code: text(),
          last_active: text(),
          /** Last report of an offline server; only from our server. */
          last_seen_at: z.string().optional(),
          /** End of a server’s maintenance window; only from our server. */
          maintenance_until: z.string().nullable().catch(null),
          /** The next maintenance window within a week. */
          next_maintenance: z.object({ from: z.string(), until: z.string() }).nullable().catch(null),
        }),
      )
      .catch([]),
  }),
)
export type LiveFrame = z.output<ReturnType<typeof liveFrame>>
