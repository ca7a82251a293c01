import type { Tone, Trend } from '../define/index.ts'
import { defined } from '../errors.ts'
import {
  bad,
  type FieldOf,
  good,
  type KindRules,
  nothing,
  type ParseContext,
  type Parsed,
  type PresentContext,
  shownOnly,
} from './rules.ts'

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

type NumberKind = 'number' | 'duration' | 'bytes' | 'rate' | 'percent'

/** Colored only from the warning limit on. */
function toneOf(field: FieldOf<NumberKind>, value: number): Tone {
  if (!field.limits) return 'plain'
  const { warn, bad: worst } = field.limits
  const isAtLimit = (limit: number) => (worst < warn ? value < limit : value >= limit)
  return isAtLimit(worst) ? 'bad' : isAtLimit(warn) ? 'warn' : 'plain'
}

const whole = (_field: unknown, value: number | null) => (value === null ? null : Math.round(value))
const sort = (_field: unknown, value: number | null) => value
const input = (_field: unknown, value: number | null) => (value === null ? '' : String(value))

/** Empty text is null, which a schema refuses if a number is needed. */
function read(text: string, context: ParseContext, parse: (text: string) => number | null): Parsed {
  if (text.trim() === '') return good(null)
  const value = parse(text.trim())
  return value === null ? bad(context, 'notNumber', { text }) : good(value)
}

/** A response never shows as 0 ms. */
function milliseconds(field: FieldOf<'number'>, value: number, { format, translator }: PresentContext): string {
  if (field.digits !== 0) return format.latency(value)
  const text = value > 0 && value < 1 ? `<${format.number(1)}` : format.number(value)
  return translator.t('ui.units.ms', { value: text })
}

const number: KindRules<'number'> = {
  present(field, value, context) {
    if (value === null) return nothing(context, 'noData')
    if (field.code) return { text: String(value), tone: toneOf(field, value) }
    if (field.unit === 'ms') return { text: milliseconds(field, value, context), tone: toneOf(field, value) }
    // A fixed number of decimals aligns a column.
    const write = field.unit === 'percent' ? context.format.percent : context.format.number
    return { text: write(value, field.digits ?? 2, field.digits !== undefined), tone: toneOf(field, value) }
  },
  parse(field, text, context) {
    const parsed = read(text, context, parseNumber)
    if (!parsed.ok || parsed.value === null) return parsed
    const value = parsed.value as number
    if (field.digits === 0 && !Number.isInteger(value)) return bad(context, 'notInteger')
    if (field.min !== undefined && value < field.min) return bad(context, 'tooSmall', { minimum: field.min })
    if (field.max !== undefined && value > field.max) return bad(context, 'tooBig', { maximum: field.max })
    return parsed
  },
  sort,
  input,
  machine: (_field, value) => value,
}

const percent: KindRules<'percent'> = {
  present(field, value, context) {
    if (value === null) return nothing(context, 'noData')
    return {
      text: context.format.number(value),
      tone: toneOf(field, value),
      full: context.format.percent(value),
    }
  },
  parse: (_field, text, context) => read(text.replace(/%\s*$/, ''), context, parseNumber),
  sort,
  input,
  machine: (_field, value) => (value === null ? null : Math.round(value * 100) / 100),
}

const duration: KindRules<'duration'> = {
  present(field, value, context) {
    if (value === null) return nothing(context, 'noData')
    return { text: context.format.duration(value), tone: toneOf(field, value) }
  },
  parse: (_field, text, context) => read(text, context, parseDuration),
  sort,
  input: (_field, value) => (value === null ? '' : durationText(value)),
  machine: (_field, value) => value,
}

const bytes: KindRules<'bytes'> = {
  present(field, value, context) {
    if (value === null) return nothing(context, 'noData')
    const { format, translator } = context
    const full = translator.t('ui.units.bytes.b', { value })
    return { text: format.bytes(value), tone: toneOf(field, value), full, ...format.measure(value) }
  },
  parse: (_field, text, context) => read(text, context, parseSize),
  sort,
  input,
  machine: whole,
}

const rate: KindRules<'rate'> = {
  present(field, value, context) {
    if (value === null) return nothing(context, 'noData')
    const measure = context.format.measure(value)
    const text = `${measure.number} ${measure.unit}`
    return { text, tone: toneOf(field, value), full: context.format.rate(value), ...measure }
  },
  parse: (_field, text, context) => read(text.replace(/\/s\s*$/, ''), context, parseSize),
  sort,
  input,
  machine: whole,
}

const lastOf = (trend: Trend) => trend.findLast((value) => value !== null) ?? null

const trend: KindRules<'trend'> = {
  present(_field, value, context) {
    const last = lastOf(value)
    if (last === null) return nothing(context, 'noData')
    return { text: context.format.number(last), tone: 'plain' }
  },
  sort: (_field, value) => lastOf(value),
  ...shownOnly,
  machine: (_field, value) => value,
}

/** Quantities; null if unknown. As text a trend is its last value. */
export const numberKinds = { number, percent, duration, bytes, rate, trend } satisfies {
  [K in NumberKind | 'trend']: KindRules<K>
}
