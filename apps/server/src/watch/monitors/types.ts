import type { Engine } from '../../kernel/engine.ts'
import type { ServiceRow } from '../../store/records/rows.ts'

export interface ServiceFigures {
  /** Core's `ServiceStatus`. */
  readonly status: number
  readonly status_since: number | null
  /** Mean of the reporters' newest successes in ms. */
  readonly delay: number | null
  /** The newest current failure, or why there are no results. */
  readonly error: string
  /** The addresses that answered, if it has several. */
  readonly answered_by: string
  /** Over 30 days; null without results. */
  readonly up_percent: number | null
  /** Percent per day, the last is today; -1 without results. */
  readonly days: readonly number[]
  /** Mean delay in ms of the last 24 hours, empty ones left out. */
  readonly trend: readonly number[]
  readonly cert_issuer: string
  readonly cert_expires_at: number | null
}

export interface Monitors {
  /** As last announced: at once after a change of status, else every 30 s at most. */
  figuresOf(service: ServiceRow): ServiceFigures
  versionOf(id: number): number
  /** Over the last 15 min. */
  windowOf(id: number): { up: number; down: number }
  coverageOf(service: ServiceRow): ReadonlySet<number>
  /** Probes now. Returns the number of servers asked. */
  check(service: ServiceRow): number
  readonly engine: Engine
}
