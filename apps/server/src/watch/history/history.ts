import type { HistoryPoint } from '@qd/core/schemas'

/** `delay` in ms, null if unknown or failed; `at` epoch ms. */
export interface ServicePoint {
  serviceId: number
  serverId: number
  at: number
  delay: number | null
  ok: boolean
}

/** Oldest first; steps without samples are absent. */
export interface Series {
  serverId: number
  metric: string
  points: HistoryPoint[]
}

/** `metrics`: of samples, or series of what runs on hosts. */
export interface SeriesQuery {
  servers: readonly number[]
  metrics: readonly string[]
  from: number
  to: number
  /** Requested step; coarser if history that old isn't kept at this resolution. */
  stepMs: number
}

/** `at`: its start. `delay`: mean of successes in ms. */
export interface ServiceStep {
  at: number
  up: number
  down: number
  delay: number | null
}

export interface ServiceSeries {
  serviceId: number
  serverId: number
  steps: ServiceStep[]
}

export interface ServiceQuery {
  services: readonly number[]
  servers?: readonly number[]
  from: number
  to: number
  stepMs: number
}

export interface ServiceDay {
  up: number
  down: number
  delay: number | null
}

/** History in steps of 30 s, 5 min and 1 h. Server samples come from the live state. */
export interface History {
  service(point: ServicePoint): void
  /** Values of what runs on a host, just read, by series: `units_failed`, `unit_down:nginx`, or `fs_used:/var`. */
  host(serverId: number, values: Iterable<readonly [series: string, value: number]>): void
  points(query: SeriesQuery): Promise<{ stepMs: number; series: Series[] }>
  servicePoints(query: ServiceQuery): Promise<{ stepMs: number; series: ServiceSeries[] }>
  /** Points of 30 s, the open step included. */
  lastHour(servers: readonly number[], metrics: readonly string[]): Promise<Series[]>
  /** 30 days in the site's time zone; the last is today. */
  serviceDays(serviceId: number): ServiceDay[]
  /** Mean delay in ms of the last 24 hours; the last is the current one. */
  serviceTrend(serviceId: number): (number | null)[]
  sizeBytes(): number
}
