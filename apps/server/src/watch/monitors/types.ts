import type { Engine } from '../../kernel/engine.ts'
import type { ServiceRow } from '../../store/records/rows.ts'

/** What is known of a monitored service beside its record, as its list shows it. Times are epoch ms. */
export interface ServiceFigures {
  /** One of core's `ServiceStatus`. */
  readonly status: number
  readonly status_since: number | null
  /** Mean over the reporters' newest successes in ms; null without one. */
  readonly delay: number | null
  /** The newest failure of a reporter that fails now, or why there are no results; empty if all is well. */
  readonly error: string
  /** Which of its addresses answered the newest successes, where it has several; else empty. */
  readonly answered_by: string
  /** Of the last 30 days; null without results. */
  readonly up_percent: number | null
  /** Percent of each of the last 30 days, -1 without results; the last is today. */
  readonly days: readonly number[]
  /** Mean delay in ms of each of the last 24 hours that has one. */
  readonly trend: readonly number[]
  readonly cert_issuer: string
  readonly cert_expires_at: number | null
}

/** Probes of services: sends them out, judges what comes back. Built by `createMonitors`. */
export interface Monitors {
  /** The figures as last announced: at once after a change of status, else every 30 s at most. */
  figuresOf(service: ServiceRow): ServiceFigures
  /** Rises when the result of `figuresOf` changes. */
  versionOf(id: number): number
  /** Successes and failures of the last quarter of an hour. */
  windowOf(id: number): { up: number; down: number }
  /** Ids of the servers that cover this service, connected or not. */
  coverageOf(service: ServiceRow): ReadonlySet<number>
  /** Probes a service now. Returns the number of servers that were asked. */
  check(service: ServiceRow): number
  readonly engine: Engine
}
