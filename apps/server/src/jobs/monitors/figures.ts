import { ServiceStatus } from '@qd/core/resources'
import type { ServiceDay } from '../../history/history.ts'
import { texts } from '../../texts.ts'
import type { MonitorState } from './decide.ts'
import type { ServiceFigures } from './types.ts'

/** What a server last said of a service. `at`: epoch ms. */
export interface Reporter {
  readonly at: number
  readonly ok: boolean
  /** Ms of the newest result where that was a success; null else. */
  readonly delay: number | null
  readonly error: string
  /** Start of the round it was last counted in. */
  readonly countedIn: number
}

/** Results older than this many intervals say nothing of now. */
const freshIntervals = 2
/** A probe may take 30 s, and as long to come. */
const graceMs = 60_000

/** What the figures are made of. */
export interface FigureParts {
  state: MonitorState
  reporters: ReadonlyMap<number, Reporter>
  /** Epoch ms; null: none yet. */
  lastResultAt: number | null
  /** When servers were first asked, epoch ms; null: not yet. */
  askedAt: number | null
  /** The last time none of them was connected. */
  isUnheard: boolean
  coverage: ReadonlySet<number>
  everyMs: number
  now: number
  days: readonly ServiceDay[]
  trend: readonly (number | null)[]
  nameOf(serverId: number): string
}

/** True where the newest result is too old to say how the service stands now, or there should be one by now. */
export function isSilent({
  lastResultAt,
  askedAt,
  everyMs,
  now,
}: Pick<FigureParts, 'lastResultAt' | 'askedAt' | 'everyMs' | 'now'>): boolean {
  const since = lastResultAt ?? askedAt
  return since !== null && now - since > freshIntervals * everyMs + graceMs
}

/** Puts a monitor's figures together. Missing data is no data, never a zero. Pure. */
export function toFigures(parts: FigureParts): ServiceFigures {
  const { state, reporters, lastResultAt, isUnheard, coverage, days } = parts
  const silent = isSilent(parts)
  const noData = coverage.size === 0 || silent || (isUnheard && lastResultAt === null)
  const of = [...reporters].filter(([id]) => coverage.has(id))
  const failing = of.filter(([, { ok }]) => !ok).sort(([, a], [, b]) => b.at - a.at)[0]
  const delays = of.flatMap(([, { delay }]) => delay ?? [])
  const [up, down] = [sum(days.map((day) => day.up)), sum(days.map((day) => day.down))]
  const certificate = state.certificates.at(-1)
  return {
    status: noData ? ServiceStatus.noData : state.status,
    status_since: noData ? lastResultAt : state.status === ServiceStatus.unset ? null : state.since,
    delay: silent || delays.length === 0 ? null : sum(delays) / delays.length,
    error: noData
      ? coverage.size === 0
        ? texts.coversNobody
        : texts.nobodyReports
      : failing
        ? errorOf(failing, parts)
        : '',
    up_percent: up + down === 0 ? null : (up / (up + down)) * 100,
    days: days.map((day) => (day.up + day.down === 0 ? -1 : (day.up / (day.up + day.down)) * 100)),
    trend: parts.trend.filter((delay) => delay !== null),
    cert_issuer: certificate?.issuer ?? '',
    cert_expires_at: certificate?.expiresAt ?? null,
  }
}

const errorOf = ([id, { error }]: readonly [number, Reporter], { nameOf }: FigureParts) =>
  `${nameOf(id)}: ${error.trim() || texts.probeFailed}`

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
