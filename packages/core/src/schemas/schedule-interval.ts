import type { ScheduleProblem } from './schedule-problem.ts'

const unitMs: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ns: 1e-6,
}

/** The longest interval the wire's servers can hold, 2^63 nanoseconds. */
const longestMs = 2 ** 63 / 1e6

/** Milliseconds of `@every 1h30m10s`, at least a second (decisions.md, "`@every`"); fractions beyond it are dropped. */
export function parseEvery(text: string): number | ScheduleProblem {
  const duration = text.slice('@every '.length)
  const problem = (code: ScheduleProblem['code'], unit = '') => ({ code, params: { text, duration, unit } })
  let rest = duration.replace(/^\+/, '')
  if (rest === '') return problem('duration')
  let totalMs = 0
  while (rest !== '' && rest !== '0') {
    const [part, amount, unit] = /^(\d+\.?\d*|\.\d+)([^\d.]*)/.exec(rest) ?? []
    if (part === undefined || amount === undefined) return problem('duration')
    if (!unit) return problem('durationNoUnit')
    const ms = unitMs[unit]
    if (ms === undefined) return problem('durationUnit', unit)
    totalMs += Number(amount) * ms
    rest = rest.slice(part.length)
  }
  if (totalMs > longestMs) return problem('duration')
  if (totalMs < 1000) return problem('durationShort')
  return Math.floor(totalMs / 1000) * 1000
}
