import type { HistoryMetric, HistoryPoint } from '@qd/core/schemas'

/** One result of a probe. `delay` in ms; null if it failed, or is not known. `at` epoch ms. */
export interface ServicePoint {
  serviceId: number
  serverId: number
  at: number
  delay: number | null
  ok: boolean
}

/** One metric of one server, oldest first; steps without samples are absent. */
export interface Series {
  serverId: number
  metric: HistoryMetric
  points: HistoryPoint[]
}

/** What the servers' samples came to between `from` and `to` (epoch ms). */
export interface SeriesQuery {
  servers: readonly number[]
  metrics: readonly HistoryMetric[]
  from: number
  to: number
  /** Wanted length of a step; longer where nothing that fine is kept that long. */
  stepMs: number
}

/** One step of a service as one server saw it. `at`: its start. `delay`: mean ms of successes, null without any. */
export interface ServiceStep {
  at: number
  up: number
  down: number
  delay: number | null
}

/** A service as one server saw it, oldest first; steps without results are absent. */
export interface ServiceSeries {
  serviceId: number
  serverId: number
  steps: ServiceStep[]
}

/** Series of these services, of all reporters or of some; `stepMs` as of `SeriesQuery`. */
export interface ServiceQuery {
  services: readonly number[]
  /** Absent: all reporters. */
  servers?: readonly number[]
  from: number
  to: number
  stepMs: number
}

/** A day of a service, all reporters together. `delay`: mean ms of successes, null without any. */
export interface ServiceDay {
  up: number
  down: number
  delay: number | null
}

/** The history, in steps of 30 s, 5 min and 1 h. It takes samples of servers from live state by itself. */
export interface History {
  service(point: ServicePoint): void
  points(query: SeriesQuery): Promise<{ stepMs: number; series: Series[] }>
  servicePoints(query: ServiceQuery): Promise<{ stepMs: number; series: ServiceSeries[] }>
  /** Points of 30 s of the last hour, the open one included. */
  lastHour(servers: readonly number[], metrics: readonly HistoryMetric[]): Promise<Series[]>
  /** 30 days by the site's time zone; index 29 is today, which counts every result until now. */
  serviceDays(serviceId: number): ServiceDay[]
  /** Mean delay in ms of each of the last 24 hours, null without successes; index 23 is the present hour. */
  serviceTrend(serviceId: number): (number | null)[]
  /** Bytes on disk, as of the last write. */
  sizeBytes(): number
}
