import { type CycleSpan, cycleSpan } from '@qd/core/fields'
import { type Condition, isOutside, type TransferredSince, type Verdict } from './conditions.ts'

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
