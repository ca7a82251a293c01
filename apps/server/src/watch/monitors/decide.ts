import { lastItem } from '@qd/core/errors'
import { ServiceStatus, serviceStatusOf } from '@qd/core/resources'
import type { ServiceRow } from '../../store/records/rows.ts'
import {
  type Certificate,
  certificateError,
  expiryNoticeMs,
  expiryText,
  meetCertificate,
  readCertificate,
} from './certificate.ts'
import { addToRounds, openRound, type Round, type Status, sumOf } from './window.ts'

export interface MonitorState {
  /** Unset until the first round is complete. */
  readonly status: Status
  readonly since: number
  readonly rounds: readonly Round[]
  readonly certificates: readonly Certificate[]
  readonly certificateIn: number | null
  /** Reporters beyond the upper or lower latency limit. */
  readonly slow: ReadonlySet<number>
  readonly fast: ReadonlySet<number>
}

export const emptyState = (now: number): MonitorState => ({
  status: ServiceStatus.unset,
  since: now,
  rounds: [],
  certificates: [],
  certificateIn: null,
  slow: new Set(),
  fast: new Set(),
})

export interface Failure {
  readonly serverId: number
  readonly serverName: string
  readonly data: string
}

/** `delay` in ms, 0 if unknown. */
export interface ProbeResult {
  readonly at: number
  readonly serverId: number
  readonly serverName: string
  readonly ok: boolean
  readonly delay: number
  readonly data: string
  /** Start of the round that last counted this reporter. */
  readonly countedIn: number | null
  /** Reporters that haven't answered yet. */
  readonly awaited: number
  /** If this is a success: the newest failure of another reporter. */
  readonly failed: Failure | null
}

/** `mute`: label that mutes repeats. */
export type Effect =
  | { kind: 'lift'; mute: string }
  | { kind: 'notice'; message: string; mute: string | null }
  | { kind: 'failing' | 'recovered'; message: string; mute: string; notify: boolean; tasks: readonly number[] }

export type MonitorRules = Pick<
  ServiceRow,
  | 'id'
  | 'name'
  | 'duration'
  | 'notify'
  | 'latency_notify'
  | 'min_latency'
  | 'max_latency'
  | 'enable_trigger_task'
  | 'fail_trigger_tasks'
  | 'recover_trigger_tasks'
>

export interface Verdict {
  readonly state: MonitorState
  readonly effects: readonly Effect[]
  readonly countedIn: number
}

/** Evaluates one result (contract engines 2.4 to 2.7, decisions.md Q6 to Q12). */
export function decide(before: MonitorState, rules: MonitorRules, result: ProbeResult): Verdict {
  const effects: Effect[] = []
  const open = openRound(before.rounds, result.at)
  let state = checkLatency(before, rules, result, effects)
  // A round counts each reporter once, however often it is asked.
  if (!open || open.at !== result.countedIn) {
    const rounds = addToRounds(state.rounds, { ...result, everyMs: rules.duration * 1000 })
    state = judge({ ...state, rounds }, rules, { ...result, isNewRound: !open }, effects)
  }
  state = checkCertificate(state, rules, result, effects)
  return { state, effects, countedIn: lastItem(state.rounds).at }
}

/** The reporter to name: the failing one if the service isn't well. */
export const blamed = (status: Status, result: ProbeResult): Failure =>
  status === ServiceStatus.good ? result : (result.failed ?? result)

const words = { 1: 'No Data', 2: 'Good', 3: 'Low Availability', 4: 'Down' } as const

function judge(
  state: MonitorState,
  rules: MonitorRules,
  result: ProbeResult & { isNewRound: boolean },
  effects: Effect[],
): MonitorState {
  const { unset, good, down } = ServiceStatus
  const { status: old, rounds } = state
  // The quickest answer is often a refusal: a new monitor waits for all reporters, or for its second round.
  if (old === unset && rounds.length === 1 && result.awaited > 0) return state
  const status = serviceStatusOf(sumOf(rounds))
  const isChange = status !== old
  if (!isChange && !(status === down && result.isNewRound)) return state
  const mute = `monitor state ${rules.id}`
  const { serverName, data } = blamed(status, result)
  const message = `[${words[status as keyof typeof words]}] ${rules.name} Reporter: ${serverName}, Error: ${data}`
  const triggers = rules.enable_trigger_task && isChange && old !== unset
  if (isChange && old !== unset) effects.push({ kind: 'lift', mute })
  if (status !== good) {
    const notify = rules.notify && (old !== unset || status === down)
    const tasks = triggers && old === good ? rules.fail_trigger_tasks : []
    effects.push({ kind: 'failing', message, mute, notify, tasks })
  } else if (old !== unset) {
    const tasks = triggers ? rules.recover_trigger_tasks : []
    effects.push({ kind: 'recovered', message, mute, notify: rules.notify, tasks })
  }
  return isChange ? { ...state, status, since: result.at } : state
}

function checkLatency(state: MonitorState, rules: MonitorRules, result: ProbeResult, effects: Effect[]): MonitorState {
  const { max_latency: most, min_latency: least } = rules
  const { delay, serverId, serverName } = result
  if (!(rules.latency_notify && result.ok && delay > 0)) return state
  const isSlow = most > 0 && delay > most
  const isFast = !isSlow && delay < least
  const labels = { slow: `monitor slow ${rules.id}`, fast: `monitor fast ${rules.id}` }
  if (isSlow || isFast) {
    const [sign, limit] = isSlow ? ['>', most] : ['<', least]
    const message = `[Latency] ${rules.name} ${delay.toFixed(6)} ${sign} ${limit.toFixed(6)}, Reporter: ${serverName}`
    effects.push({ kind: 'notice', message, mute: isSlow ? labels.slow : labels.fast })
  }
  const marked = (name: 'slow' | 'fast', isOne: boolean) => {
    const set = state[name]
    if (set.has(serverId) === isOne) return set
    const next = new Set(set)
    if (isOne) next.add(serverId)
    else next.delete(serverId)
    if (next.size === 0) effects.push({ kind: 'lift', mute: labels[name] })
    return next
  }
  const slow = marked('slow', isSlow)
  const fast = marked('fast', isFast)
  return slow === state.slow && fast === state.fast ? state : { ...state, slow, fast }
}

function checkCertificate(
  state: MonitorState,
  rules: MonitorRules,
  result: ProbeResult,
  effects: Effect[],
): MonitorState {
  const { name, notify, id } = rules
  const tell = (message: string, mute: string | null) => {
    if (notify) effects.push({ kind: 'notice', message, mute })
  }
  const failed = `monitor certificate ${id}`
  const error = certificateError(result.data)
  if (error) {
    tell(`[TLS] Fetch cert info failed, Reporter: ${name}, Error: ${error}`, failed)
    return state
  }
  const met = result.ok ? readCertificate(result.data) : null
  if (!met) return state
  const round = lastItem(state.rounds).at
  const last = state.certificates.at(-1)
  if (round === state.certificateIn && last?.issuer === met.issuer && last.expiresAt === met.expiresAt) return state
  effects.push({ kind: 'lift', mute: failed })
  if (met.expiresAt < result.at + expiryNoticeMs) {
    const at = expiryText(met.expiresAt)
    const mute = `monitor certificate ${id} ends ${at}`
    tell(`[TLS] ${name} The TLS certificate will expire within seven days. Expiration time: ${at}`, mute)
  }
  const { known, replaced } = meetCertificate(state.certificates, met)
  if (replaced) {
    const words = ({ issuer, expiresAt }: Certificate) => `issuer ${issuer}, expires at ${expiryText(expiresAt)}`
    tell(`[TLS] ${name} TLS certificate changed, old: ${words(replaced)}; new: ${words(met)}`, null)
  }
  return { ...state, certificates: known, certificateIn: round }
}
