import type { Tone, Trend } from '../define/index.ts'
import { durationText, parseDuration, parseNumber, parseSize } from './number-text.ts'
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
