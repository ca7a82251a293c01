import type { Field, FieldKind } from '../define/index.ts'
import { bytes, duration, number, percent } from './compare-number.ts'
import { reach, record } from './compare-record.ts'
import { address, choice, flag, text } from './compare-text.ts'
import { instant } from './compare-time.ts'
import { version } from './compare-version.ts'
import type { Comparison } from './selection.ts'

/** What each field kind can be asked; null: the kind is no term of the language. */
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
  reach,
  rules: null,
  days: null,
  reading: null,
  secret: null,
  trend: null,
  part: null,
} satisfies Record<FieldKind, Comparison<never> | null>

/** What a field can be asked, or null if it is no term: hidden, in forms only, secret, or without a comparable value. */
export function comparisonFor(field: Field): Comparison | null {
  return field.hidden || field.formOnly ? null : (comparisons[field.kind] as Comparison | null)
}
