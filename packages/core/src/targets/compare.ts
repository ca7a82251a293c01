import type { Field, FieldKind } from '../define/index.ts'
import { parseDuration, parseNumber, parseSize } from '../fields/index.ts'
import { record, targets } from './compare-record.ts'
import { address, choice, flag, text } from './compare-text.ts'
import { version } from './compare-version.ts'
import type { Comparison, Matcher, Operator } from './selection.ts'

/** A typed quantity, and the values that are displayed like it: from `low` up to but without `high`. */
interface Quantity {
  value: number
  low: number
  high: number
}

type Parse = (text: string) => number | null

/** Weight of the last typed digit: 1 for `96`, 0.1 for `96.5`, a mebibyte for `10M`, a minute for `1h30m`. */
function stepOf(text: string, parse: Parse): number {
  const [, decimals = '', unit = ''] = /(?:\.(\d*))?([^\d.]*)$/.exec(text) ?? []
  return (parse(`1${unit}`) ?? 1) / 10 ** decimals.length
}

/** Matches all numbers that round to it, as displayed: `96` for 95.5 up to 96.5. */
function rounded(parse: Parse): (text: string) => Quantity | null {
  return (text) => {
    const value = parse(text)
    const half = stepOf(text, parse) / 2
    return value === null ? null : { value, low: value - half, high: value + half }
  }
}

/** Matches all durations that truncate to it, as displayed: `2d` for two days up to three. */
function parseSpan(text: string): Quantity | null {
  const value = parseDuration(text)
  return value === null ? null : { value, low: value, high: value + stepOf(text, parseDuration) }
}

function quantityTest({ value: operand, low, high }: Quantity, operator: Operator): (value: number) => boolean {
  if (operator === '<') return (value) => value < operand
  if (operator === '<=') return (value) => value <= operand
  if (operator === '>') return (value) => value > operand
  if (operator === '>=') return (value) => value >= operand
  return (value) => value >= low && value < high
}

function comparisonOf(parse: (text: string) => Quantity | null, examples: readonly string[]): Comparison {
  return {
    ordered: true,
    compile({ text, quoted, operator }): Matcher | null {
      if (text === 'none' || (quoted && text === '')) return () => (value) => typeof value !== 'number'
      const quantity = parse(text)
      const test = quantity && quantityTest(quantity, operator)
      return test && (() => (value) => typeof value === 'number' && test(value))
    },
    suggest: () => examples,
  }
}

export const number = comparisonOf(rounded(parseNumber), [])
/** With or without the sign. */
export const percent = comparisonOf(
  rounded((text) => parseNumber(text.replace(/\s*%$/, ''))),
  ['50', '75', '90'],
)
/** Sizes, and rates per second, in bytes. */
export const bytes = comparisonOf(
  rounded((text) => parseSize(text.replace(/\/s$/i, ''))),
  ['1M', '100M', '1G', '10G'],
)
export const duration = comparisonOf(parseSpan, ['1h', '1d', '7d', '30d'])

/** Epoch ms of a date's start and end: `2026`, `2026-11`, `2026-11-20` or RFC 3339. */
function parseDate(text: string): { from: number; to: number } | null {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? []
  if (year === undefined) {
    const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN
    return Number.isNaN(at) ? null : { from: at, to: at + 1 }
  }
  const [y, m, d] = [Number(year), Number(month ?? 1), Number(day ?? 1)]
  if (m < 1 || m > 12 || d < 1 || d > 31) return null
  const end = [y + (month ? 0 : 1), m - 1 + (month && !day ? 1 : 0), d + (day ? 1 : 0)] as const
  return { from: Date.UTC(y, m - 1, d), to: Date.UTC(...end) }
}

function dateTest({ from, to }: { from: number; to: number }, operator: Operator): (time: number) => boolean {
  if (operator === '<') return (time) => time < from
  if (operator === '<=') return (time) => time < to
  if (operator === '>') return (time) => time >= to
  if (operator === '>=') return (time) => time >= from
  return (time) => time >= from && time < to
}

/** A duration is an age (`>2d` longer ago, `:2d` within), a date is itself in UTC (`>2026-11-20` after that day). */
const instant: Comparison = {
  ordered: true,
  compile({ text, quoted, operator }): Matcher | null {
    if (text === 'never' || text === 'none' || (quoted && text === '')) return () => (value) => !value
    const date = parseDate(text)
    const test = date && dateTest(date, operator)
    if (test) return () => (value) => typeof value === 'string' && test(Date.parse(value))
    const age = parseSpan(text)
    const within = operator === ':' || operator === '='
    const ageTest = age && quantityTest(age, within ? '<=' : operator)
    if (!ageTest) return null
    return ({ now }) =>
      (value) =>
        typeof value === 'string' && ageTest((now - Date.parse(value)) / 1000)
  },
  suggest: () => ['never', '5m', '1h', '1d', '7d', '30d'],
}

/** By field kind; null: can’t be queried. */
const comparisons = {
  text,
  note: text,
  command: text,
  schedule: text,
  list: text,
  address,
  version,
  number,
  percent,
  bytes,
  rate: bytes,
  duration,
  flag,
  choice,
  instant,
  ref: record,
  refs: record,
  'id-map': record,
  targets,
  rules: null,
  days: null,
  reading: null,
  secret: null,
  trend: null,
  part: null,
} satisfies Record<FieldKind, Comparison<never> | null>

/** Null if a field can’t be queried: hidden, only in forms, secret, or without a comparable value. */
export function comparisonFor(field: Field): Comparison | null {
  return field.hidden || field.formOnly ? null : (comparisons[field.kind] as Comparison | null)
}
