import { ServiceStatus } from '@qd/core/resources'
import { texts } from '../../kernel/texts.ts'
import type { ServiceDay } from '../history/history.ts'
import type { MonitorState } from './decide.ts'
import type { ServiceFigures } from './types.ts'

/** What a server last said of a service. `at`: epoch ms. */
export interface Reporter {
  readonly at: number
  readonly ok: boolean
  /** It said that it cannot look, which is no result. */
  readonly isUnable: boolean
  /** Ms of the newest result where that was a success; null else. */
  readonly delay: number | null
  readonly error: string
  /** Which of the service’s addresses answered the newest success, where it has several and the agent says so; else empty. */
  readonly address: string
  /** Start of the round it was last counted in; null: in none. */
  readonly countedIn: number | null
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

/** True if the newest result is too old to say how the service stands now, or there should be one by now. */
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

/** Most servers that are named as unable to probe. */
const namesShown = 3

/** What fails, else who cannot look and why, else why there are no results; empty if all is well. */
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
