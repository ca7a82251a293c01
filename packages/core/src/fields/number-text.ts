import { defined } from '../errors/index.ts'
/** Null for any other text and for overflow. */
export function parseNumber(text: string): number | null {
  const value = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
  // Turns minus zero into zero.
  return Number.isFinite(value) ? value + 0 : null
}

const seconds = { ms: 0.001, s: 1, m: 60, min: 60, h: 3600, d: 86_400, w: 604_800 }

/** Seconds from `90`, `90s`, `1h30m`, `2 h 6 min` or `91 d`; null for anything else. */
export function parseDuration(text: string): number | null {
  const plain = parseNumber(text)
  if (plain !== null) return plain
  const compact = text.toLowerCase().replace(/\s+/g, '')
  if (!/^(\d+(\.\d+)?(ms|min|[smhdw]))+$/.test(compact)) return null
  const sum = [...compact.matchAll(/(\d+(?:\.\d+)?)(ms|min|[smhdw])/g)].reduce(
    (total, [, value, unit]) => total + Number(value) * seconds[unit as keyof typeof seconds],
    0,
  )
  return Number.isFinite(sum) ? sum : null
}

/** Longest duration that is written with a unit, in seconds. */
const maxTyped = 1e9

/** Seconds in the largest whole unit: `90s`, `5m`, `1h`, `7d`. A number that is no duration has none. */
export function durationText(value: number): string {
  if (!Number.isInteger(value) || value <= 0 || value > maxTyped) return String(value)
  const unit = (['d', 'h', 'm'] as const).find((one) => value % seconds[one] === 0)
  return unit ? `${value / seconds[unit]}${unit}` : `${value}s`
}

const powers = 'bkmgtp'

/** Bytes from `1024`, `12.6M`, `10 MiB` or `3 kB`; each step is 1024. Null for anything else. */
export function parseSize(text: string): number | null {
  const plain = parseNumber(text)
  if (plain !== null) return plain
  const match = /^(\d+(?:\.\d+)?)\s*([bkmgtp])(?:i?b)?$/i.exec(text)
  const size = match ? Number(match[1]) * 1024 ** powers.indexOf(defined(match[2]).toLowerCase()) : Number.NaN
  return Number.isFinite(size) ? size : null
}
