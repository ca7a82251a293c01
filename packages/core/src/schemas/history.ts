import * as z from 'zod'
import { lazy } from '../define/index.ts'

/** Unit of a metric: percent, bytes, bytes per second, seconds, degrees or a plain number. */
type Unit = 'percent' | 'bytes' | 'rate' | 'duration' | 'celsius' | 'number'

/**
 * What is kept of every sample of a server, by the names of contract engines 13. `total` names the figure of the host that is the whole;
 * `counter`: a step is told by its last value; `optional`: not every machine has it.
 */
export const historyMetrics = {
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
  Record<string, { unit: Unit; total?: 'mem_total' | 'swap_total' | 'disk_total'; counter?: true; optional?: true }>
>
export type HistoryMetric = keyof typeof historyMetrics

/** Most of one `GET /history`. */
export const historyLimits = { servers: 20, metrics: 8, points: 2000 } as const

/** Start of a step in epoch ms, then mean, least, greatest and last value in it. Steps without samples are absent. */
const point = z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()])
export type HistoryPoint = z.output<typeof point>

/** Answer of `GET /history?servers=1,2&metric=cpu,memory&from=&to=&points=`; a server without samples has a series without points. */
export const historyAnswer = lazy(() =>
  z.object({
    step_ms: z.number(),
    series: z.array(z.object({ server_id: z.int(), metric: z.string(), points: z.array(point).catch([]) })).catch([]),
  }),
)
export type HistoryAnswer = z.output<ReturnType<typeof historyAnswer>>

/** Answer of `GET service/{id}/history?period=`; delays in ms, `status` 1 up, 0 down. Source: contract http-api 4.5. */
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

/** Answer of `GET server/{id}/service`: what a server looks at, with its delays in ms. Source: contract http-api 4.5. */
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

/** Answer of `GET server/{id}/metrics`; null without samples. Source: contract http-api 3.6. */
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
