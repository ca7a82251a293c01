import { kindOfMetric, type RuleCondition } from '@qd/core/define'
import { type Cycle, cycleOf, isCycleType, leastSamples, maxSamples, metricOf, unitOf } from '@qd/core/fields'
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
