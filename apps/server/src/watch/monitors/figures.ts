import { ServiceStatus } from '@qd/core/resources'
import { texts } from '../../kernel/texts.ts'
import type { ServiceDay } from '../history/history.ts'
import type { MonitorState } from './decide.ts'

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

/** A server's last result. `at`: epoch ms. */
export interface Reporter {
  readonly at: number
  readonly ok: boolean
  /** It can't probe, which is no result. */
  readonly isUnable: boolean
  /** In ms; null if the newest result isn't a success. */
  readonly delay: number | null
  readonly error: string
  /** The address that answered, if the service has several and the agent reports it; else empty. */
  readonly address: string
  readonly countedIn: number | null
}

/** Intervals after which results are outdated. */
const freshIntervals = 2
const graceMs = 60_000

export interface FigureParts {
  state: MonitorState
  reporters: ReadonlyMap<number, Reporter>
  lastResultAt: number | null
  askedAt: number | null
  /** No server was connected last time. */
  isUnheard: boolean
  coverage: ReadonlySet<number>
  everyMs: number
  now: number
  days: readonly ServiceDay[]
  trend: readonly (number | null)[]
  nameOf(serverId: number): string
}

/** Whether the newest result is outdated, or the first one overdue. */
export function isSilent({
  lastResultAt,
  askedAt,
  everyMs,
  now,
}: Pick<FigureParts, 'lastResultAt' | 'askedAt' | 'everyMs' | 'now'>): boolean {
  const since = lastResultAt ?? askedAt
  return since !== null && now - since > freshIntervals * everyMs + graceMs
}

/** Missing data is no data, never zero. */
export function toFigures(parts: FigureParts): ServiceFigures {
  const { state, reporters, lastResultAt, isUnheard, coverage, days } = parts
  const silent = isSilent(parts)
  const of = [...reporters].filter(([id]) => coverage.has(id))
  const unable = of.filter(([, { isUnable }]) => isUnable)
  const isNobodyAble = unable.length > 0 && unable.length === of.length
  const noData = coverage.size === 0 || silent || isNobodyAble || (isUnheard && lastResultAt === null)
  const failing = of.filter(([, one]) => !one.ok && !one.isUnable).sort(([, a], [, b]) => b.at - a.at)[0]
  const delays = of.flatMap(([, { delay }]) => delay ?? [])
  const [up, down] = [sum(days.map((day) => day.up)), sum(days.map((day) => day.down))]
  const certificate = state.certificates.at(-1)
  return {
    status: noData ? ServiceStatus.noData : state.status,
    status_since: noData ? lastResultAt : state.status === ServiceStatus.unset ? null : state.since,
    delay: silent || delays.length === 0 ? null : sum(delays) / delays.length,
    error: errorOf(parts, { noData, failing, unable }),
    answered_by: silent ? '' : [...new Set(of.flatMap(([, { address }]) => address || []))].sort().join(', '),
    up_percent: up + down === 0 ? null : (up / (up + down)) * 100,
    days: days.map((day) => (day.up + day.down === 0 ? -1 : (day.up / (day.up + day.down)) * 100)),
    trend: parts.trend.filter((delay) => delay !== null),
    cert_issuer: certificate?.issuer ?? '',
    cert_expires_at: certificate?.expiresAt ?? null,
  }
}

type Entry = readonly [number, Reporter]

const namesShown = 3

/** A failure, else servers that can't probe, else why there are no results. */
function errorOf(
  { coverage, nameOf }: FigureParts,
  { noData, failing, unable }: { noData: boolean; failing: Entry | undefined; unable: readonly Entry[] },
): string {
  if (coverage.size === 0) return texts.coversNobody
  if (failing && !noData) return `${nameOf(failing[0])}: ${failing[1].error.trim() || texts.probeFailed}`
  if (unable[0]) {
    const names = unable.slice(0, namesShown).map(([id]) => nameOf(id))
    const more = unable.length > namesShown ? [`+${unable.length - namesShown}`] : []
    return `${[...names, ...more].join(', ')}: ${unable[0][1].error}`
  }
  return noData ? texts.nobodyReports : ''
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
