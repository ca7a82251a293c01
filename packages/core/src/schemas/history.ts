import * as z from 'zod'
import {
  type HostMetric,
  hostMetricNames,
  hostMetrics,
  isHostMetric,
  isMountSeries,
  kindOfSeries,
  lazy,
} from '../define/index.ts'

export type HistoryUnit = 'percent' | 'bytes' | 'rate' | 'duration' | 'celsius' | 'number'

/** Metrics of samples in a server’s history, named as in contract engines 13. `total`: the host’s field for 100%. `counter`: a step is its last value. `optional`: not every machine has it. */
export const sampledMetrics = {
  cpu: { unit: 'percent' },
  gpu: { unit: 'percent', optional: true },
  memory: { unit: 'bytes', total: 'mem_total' },
  swap: { unit: 'bytes', total: 'swap_total' },
  disk: { unit: 'bytes', total: 'disk_total' },
  net_in_speed: { unit: 'rate' },
  net_out_speed: { unit: 'rate' },
  net_in_transfer: { unit: 'bytes', counter: true },
  net_out_transfer: { unit: 'bytes', counter: true },
  uptime: { unit: 'duration', counter: true },
  load1: { unit: 'number' },
  load5: { unit: 'number' },
  load15: { unit: 'number' },
  tcp_conn: { unit: 'number' },
  udp_conn: { unit: 'number' },
  process_count: { unit: 'number' },
  temperature: { unit: 'celsius', optional: true },
} as const satisfies Readonly<
  Record<
    string,
    { unit: HistoryUnit; total?: 'mem_total' | 'swap_total' | 'disk_total'; counter?: true; optional?: true }
  >
>
export type SampledMetric = keyof typeof sampledMetrics
export type HistoryMetric = SampledMetric | HostMetric

export const historyMetricNames: readonly HistoryMetric[] = [
  ...(Object.keys(sampledMetrics) as SampledMetric[]),
  ...hostMetricNames,
]

export const isSampledMetric = (name: string): name is SampledMetric => Object.hasOwn(sampledMetrics, name)

/** The unit of a series: a metric, or one about a record of a host, such as `fs_used:/var`. Null if history has no such series. */
export function historyUnit(name: string): HistoryUnit | null {
  if (isSampledMetric(name)) return sampledMetrics[name].unit
  if (kindOfSeries(name) === null) return null
  if (isMountSeries(name)) return 'percent'
  const unit = isHostMetric(name) ? hostMetrics[name].unit : 'count'
  return unit === 'count' || unit === 'none' ? 'number' : unit
}

export const historyLimits = { servers: 20, metrics: 8, points: 2000 } as const

/** Start of a step in epoch ms, then mean, minimum, maximum and last value. Steps without samples are absent. */
const point = z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()])
export type HistoryPoint = z.output<typeof point>

/** Response of `GET /history?servers=1,2&metric=cpu,memory&from=&to=&points=`. */
export const historyAnswer = lazy(() =>
  z.object({
    step_ms: z.number(),
    series: z.array(z.object({ server_id: z.int(), metric: z.string(), points: z.array(point).catch([]) })).catch([]),
  }),
)
export type HistoryAnswer = z.output<ReturnType<typeof historyAnswer>>

/** Response of `GET service/{id}/history?period=`; delays in ms, `status` 1 up, 0 down. Source: contract http-api 4.5. */
export const serviceHistory = lazy(() =>
  z.object({
    service_id: z.int(),
    service_name: z.string().catch(''),
    servers: z
      .array(
        z.object({
          server_id: z.int(),
          server_name: z.string().catch(''),
          stats: z.object({
            avg_delay: z.number().catch(0),
            up_percent: z.number().catch(0),
            total_up: z.number().catch(0),
            total_down: z.number().catch(0),
            data_points: z
              .array(z.object({ ts: z.number(), delay: z.number(), status: z.number() }))
              .nullish()
              .transform((points) => points ?? []),
          }),
        }),
      )
      .nullish()
      .transform((servers) => servers ?? []),
  }),
)
export type ServiceHistory = z.output<ReturnType<typeof serviceHistory>>

/** Response of `GET server/{id}/service`: the services that a server checks, delays in ms. Source: contract http-api 4.5. */
export const watchedServices = lazy(() =>
  z
    .array(
      z.object({
        monitor_id: z.int(),
        monitor_name: z.string().catch(''),
        avg_delay: z
          .array(z.number())
          .nullish()
          .transform((delays) => delays ?? []),
      }),
    )
    .nullish()
    .transform((items) => items ?? [])
    .catch([]),
)

/** Response of `GET server/{id}/metrics`. Source: contract http-api 3.6. */
export const serverMetrics = lazy(() =>
  z.object({
    server_id: z.int(),
    metric: z.string(),
    data_points: z
      .array(z.object({ ts: z.number(), value: z.number() }))
      .nullish()
      .transform((points) => points ?? []),
  }),
)
