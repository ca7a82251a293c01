import type { RuleCondition } from '@qd/core/define'
import { type Cycle, cycleOf, isCycleType, leastSamples, maxSamples, metricOf } from '@qd/core/fields'
import { readerOf } from './measure.ts'

interface Limits {
  readonly type: string
  /** 0: not set. */
  readonly min: number
  readonly max: number
}

/** Which directions a condition on traffic counts. */
export type Direction = 'in' | 'out' | 'all'

/** A condition made ready to be judged. */
export type Condition = Limits &
  (
    | { readonly kind: 'normal'; readonly size: number; readonly read: NonNullable<ReturnType<typeof readerOf>> }
    | { readonly kind: 'offline'; readonly size: number }
    | { readonly kind: 'cycle'; readonly direction: Direction; readonly cycle: Cycle }
  )

/** The conditions of a rule; null if one of them can never fail, which keeps the whole rule from firing (behaviour S-50). */
export function readyConditions(rules: readonly (RuleCondition | null)[]): readonly Condition[] | null {
  const ready = rules.map((rule) => (rule && typeof rule === 'object' ? readyCondition(rule) : null))
  return ready.length > 0 && ready.every((condition) => condition !== null) ? ready : null
}

function readyCondition(rule: RuleCondition): Condition | null {
  const type = String(rule.type)
  const limits = { type, min: limitOf(rule.min), max: limitOf(rule.max) }
  const size = Math.min(maxSamples, Math.max(leastSamples, Math.trunc(Number(rule.duration)) || 0))
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

/** True if every condition watches this server (contract engines 1.4). */
export function watches(rules: readonly RuleCondition[], serverId: number): boolean {
  return rules.every(({ cover, ignore }) => (cover === 1) === (ignore?.[serverId] === true))
}

/** What a rule says of one server: `unknown` where there is too little to tell, so that what was true before stays. */
export type Verdict = 'failing' | 'passing' | 'unknown'

/** Bytes of a server in one direction or both since `from` (epoch ms); null while that is not known. */
export type TransferredSince = (direction: Direction, from: number) => number | null

/** True if a value is beyond a limit that is set; one that is equal is not. */
export function isOutside({ min, max }: { min: number; max: number }, value: number): boolean {
  return (max > 0 && value > max) || (min > 0 && value < min)
}
