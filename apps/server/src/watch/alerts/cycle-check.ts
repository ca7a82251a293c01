import { type CycleSpan, cycleSpan } from '@qd/core/fields'
import { type Condition, isOutside, type TransferredSince, type Verdict } from './conditions.ts'

/** What a condition on traffic remembers of one server. Times are epoch ms. */
export interface CycleCheck {
  span: CycleSpan
  /** Bytes at the last check; null before it. */
  value: number | null
  nextAt: number
  verdict: Verdict
}

/** Memory of a condition that was never checked: it is due at once. */
export function createCycleCheck(): CycleCheck {
  return { span: { from: 0, to: 0 }, value: null, nextAt: 0, verdict: 'unknown' }
}

/** Looks at the traffic of the present cycle where that is due; else says again what it said before. */
export function checkCycle(
  condition: Extract<Condition, { kind: 'cycle' }>,
  check: CycleCheck,
  { now, transferred }: { now: number; transferred: TransferredSince },
): Verdict {
  const { from, to } = check.span
  const isOther = now >= to || now < from
  // A check that is further off than any is was planned before the clock was set back.
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

/** The longest time between two looks at a value. */
const longestWaitMs = 1_800_000

/** What passes its limit is noticed within this time. */
const longestUnnoticedMs = 57_000

/** When a value is looked at again: the closer to its limit, the sooner (contract engines 1.6). */
export function nextCheckAt(now: number, { value, max }: { value: number; max: number }): number {
  if (max <= 0) return value > 0 ? now + 180_000 : now
  return now + Math.floor(Math.max(((longestWaitMs / 1000) * (max - value)) / max, 180)) * 1000
}
