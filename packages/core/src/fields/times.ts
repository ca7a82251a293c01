import { parseDuration } from './numbers.ts'
import { bad, good, type KindRules, nothing, shownOnly } from './rules.ts'

const dateOnly = /^\d{4}-\d{2}-\d{2}$/
/** In the local time zone. */
const localTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?$/
const rfc3339 = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i

/** Whether a text begins with a day that exists. */
export function isCalendarDay(text: string): boolean {
  const [year = Number.NaN, month = Number.NaN, day] = text.slice(0, 10).split('-').map(Number)
  const at = new Date(Date.UTC(year, month - 1, day))
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day
}

/** The largest date, in epoch ms. */
const latest = 8.64e15

const instant: KindRules<'instant'> = {
  present(_field, value, context) {
    if (value === null || Number.isNaN(Date.parse(value))) return nothing(context, 'never')
    const { format, view } = context
    return {
      text: format.instant(value, view.now),
      tone: 'plain',
      full: format.instantFull(value),
    }
  },
  sort: (_field, value) => (value === null || Number.isNaN(Date.parse(value)) ? null : Date.parse(value)),
  parse(_field, text, context) {
    const typed = text.trim()
    if (typed === '') return good(null)
    const [, sign, away] = /^(\+|-|in )(.+)$/i.exec(typed) ?? []
    if (typed === 'now') return good(new Date(context.view.now).toISOString())
    if (away !== undefined) {
      const ms = (parseDuration(away.trim()) ?? Number.NaN) * (sign === '-' ? -1000 : 1000)
      const at = (context.from ?? context.view.now) + ms
      return Math.abs(at) <= latest ? good(new Date(at).toISOString()) : bad(context, 'notDate')
    }
    const at = dateOnly.test(typed) || rfc3339.test(typed) || localTime.test(typed) ? Date.parse(typed) : Number.NaN
    if (Number.isNaN(at) || !isCalendarDay(typed)) return bad(context, 'notDate')
    return good(localTime.test(typed) ? new Date(at).toISOString() : typed)
  },
  input: (_field, value) => value ?? '',
  machine: (_field, value) =>
    value === null || Number.isNaN(Date.parse(value)) ? null : new Date(value).toISOString(),
}

const part: KindRules<'part'> = {
  present: (_field, _value, context) => nothing(context, 'noData'),
  sort: () => null,
  ...shownOnly,
  machine: (_field, value) => value,
}

/** Points in time, and nested objects, which only derived fields read. */
export const otherKinds = { instant, part }
