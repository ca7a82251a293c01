import type { Field, FieldKind } from '../define/index.ts'
import { bytes, duration, number, parseSpan, percent, quantityTest } from './compare-number.ts'
import { record, targets } from './compare-record.ts'
import { address, choice, flag, text } from './compare-text.ts'
import { version } from './compare-version.ts'
import type { Comparison, Matcher, Operator } from './selection.ts'

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
