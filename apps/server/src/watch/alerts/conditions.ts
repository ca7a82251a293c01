import { kindOfMetric, type RuleCondition } from '@qd/core/define'
import {
  type Cycle,
  type CycleSpan,
  cycleOf,
  cycleSpan,
  isCycleType,
  leastSamples,
  maxSamples,
  metricOf,
  unitOf,
} from '@qd/core/fields'
import { readerOf } from './measure.ts'

interface Limits {
  readonly type: string
  /** 0: not set. */
  readonly min: number
  readonly max: number
}

export type Direction = 'in' | 'out' | 'all'

export type Condition = Limits &
  (
    | { readonly kind: 'normal'; readonly size: number; readonly read: NonNullable<ReturnType<typeof readerOf>> }
    | { readonly kind: 'offline'; readonly size: number }
    | { readonly kind: 'cycle'; readonly direction: Direction; readonly cycle: Cycle }
  )

/** What runs on a host is read every minute: so many samples are at least two readings. */
const leastOfHosts = 40

/** Null if a condition can never fail, which keeps the whole rule from firing (behaviour S-50). */
export function readyConditions(rules: readonly (RuleCondition | null)[]): readonly Condition[] | null {
  const ready = rules.map((rule) => (rule && typeof rule === 'object' ? readyCondition(rule) : null))
  return ready.length > 0 && ready.every((condition) => condition !== null) ? ready : null
}

function readyCondition(rule: RuleCondition): Condition | null {
  const type = String(rule.type)
  // What has no value is 1 while it fails.
  const limits =
    unitOf(type) === 'none' && type !== 'offline'
      ? { type, min: 0, max: 0.5 }
      : { type, min: limitOf(rule.min), max: limitOf(rule.max) }
  const least = kindOfMetric(type) === null ? leastSamples : leastOfHosts
  const size = Math.min(maxSamples, Math.max(least, Math.trunc(Number(rule.duration)) || 0))
  if (type === 'offline') return { ...limits, kind: 'offline', size }
  if (limits.min <= 0 && limits.max <= 0) return null
  if (isCycleType(type)) {
    const cycle = cycleOf(rule)
    if (metricOf(type) === null || !cycle) return null
    return { ...limits, kind: 'cycle', direction: type.split('_')[1] as Direction, cycle }
  }
  const read = readerOf(type)
  return read && { ...limits, kind: 'normal', size, read }
}

const limitOf = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

export function watches(rules: readonly RuleCondition[], serverId: number): boolean {
  return rules.every(({ cover, ignore }) => (cover === 1) === (ignore?.[serverId] === true))
}

/** `unknown`: too little data, so the previous verdict stands. */
export type Verdict = 'failing' | 'passing' | 'unknown'

/** Bytes since `from` (epoch ms); null while not known. */
export type TransferredSince = (direction: Direction, from: number) => number | null

export function isOutside({ min, max }: { min: number; max: number }, value: number): boolean {
  return (max > 0 && value > max) || (min > 0 && value < min)
}

export interface CycleCheck {
  span: CycleSpan
  value: number | null
  nextAt: number
  verdict: Verdict
}

export function createCycleCheck(): CycleCheck {
  return { span: { from: 0, to: 0 }, value: null, nextAt: 0, verdict: 'unknown' }
}

export function checkCycle(
  condition: Extract<Condition, { kind: 'cycle' }>,
  check: CycleCheck,
  { now, transferred }: { now: number; transferred: TransferredSince },
): Verdict {
  const { from, to } = check.span
  const isOther = now >= to || now < from
  // A check further off than the longest wait was planned before the clock was set back.
  if (now < check.nextAt && check.nextAt - now <= longestWaitMs && !isOther) return check.verdict
  if (isOther) check.span = cycleSpan(condition.cycle, now)
  const value = transferred(condition.direction, check.span.from)
  if (value === null) return check.verdict
  check.value = value
  check.verdict = isOutside(condition, value) ? 'failing' : 'passing'
  const usual = nextCheckAt(now, { value, max: condition.max })
  check.nextAt = check.verdict === 'failing' ? usual : Math.min(usual, now + longestUnnoticedMs)
  return check.verdict
}

const longestWaitMs = 1_800_000

const longestUnnoticedMs = 57_000

/** The closer a value is to its limit, the sooner it is checked again (contract engines 1.6). */
export function nextCheckAt(now: number, { value, max }: { value: number; max: number }): number {
  if (max <= 0) return value > 0 ? now + 180_000 : now
  return now + Math.floor(Math.max(((longestWaitMs / 1000) * (max - value)) / max, 180)) * 1000
}
