import type { RuleCondition } from '../define/index.ts'
import { type CycleUnit, cycleUnitOf } from './rule-text.ts'

/** Epoch ms; `to` is exclusive. */
export interface CycleSpan {
  readonly from: number
  readonly to: number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** The largest date, in epoch ms. */
const latest = 8.64e15

/** `start` is RFC 3339 with its offset. */
export interface Cycle {
  readonly start: string
  readonly interval: number
  readonly unit: CycleUnit
}

/** Null without a start or length. */
export function cycleOf(rule: Pick<RuleCondition, 'cycle_start' | 'cycle_interval' | 'cycle_unit'>): Cycle | null {
  const { cycle_start: start, cycle_interval: interval = 0 } = rule
  if (!start || Number.isNaN(Date.parse(start)) || !(interval >= 1)) return null
  return { start, interval, unit: cycleUnitOf(rule) }
}

/** The cycle that contains `now`. Calendar steps use the start’s offset; nonexistent dates overflow into the next month and stay there. Source: contract engines 1.6. */
export function cycleSpan({ start, interval, unit }: Cycle, now: number): CycleSpan {
  const begin = Date.parse(start)
  switch (unit) {
    case 'day':
      return evenSpan(begin, interval * dayMs, now)
    case 'week':
      return evenSpan(begin, interval * 7 * dayMs, now)
    case 'month':
      return calendarSpan({ begin, offset: offsetOf(start), months: interval }, now)
    case 'year':
      return calendarSpan({ begin, offset: offsetOf(start), months: interval * 12 }, now)
    default:
      return evenSpan(begin, interval * hourMs, now)
  }
}

function evenSpan(begin: number, length: number, now: number): CycleSpan {
  const from = begin + Math.max(0, Math.floor((now - begin) / length)) * length
  return { from, to: Math.min(latest, from + length) }
}

function calendarSpan(
  { begin, offset, months }: { begin: number; offset: number; months: number },
  now: number,
): CycleSpan {
  const later = (at: number, count: number) => {
    const local = new Date(at + offset)
    local.setUTCMonth(local.getUTCMonth() + count * months)
    return local.getTime() - offset
  }
  let from = begin
  for (;;) {
    const to = later(from, 1)
    if (!(to <= now)) return { from, to: Number.isNaN(to) ? latest : to }
    from = to
    // From a day that every month has, dates no longer overflow, so skip most cycles in one step.
    const day = new Date(from + offset).getUTCDate()
    const cycles = day > 28 ? 0 : Math.floor((now - from) / (31 * dayMs * months)) - 1
    if (cycles > 0) from = later(from, cycles)
  }
}

/** Offset of an RFC 3339 text from UTC in ms. */
function offsetOf(text: string): number {
  const found = /([+-])(\d\d):(\d\d)$/.exec(text)
  if (!found) return 0
  const minutes = Number(found[2]) * 60 + Number(found[3])
  return (found[1] === '-' ? -minutes : minutes) * 60_000
}
