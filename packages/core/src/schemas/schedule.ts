import { defined, firstItem } from '../errors.ts'
/** `params` contain the invalid text and the violated limits. */
export interface ScheduleProblem {
  readonly code: ScheduleProblemCode
  readonly params: Readonly<Record<string, string | number>>
}

export type ScheduleProblemCode =
  | 'empty'
  | 'fieldCount'
  | 'descriptor'
  | 'timeZone'
  | 'notNumber'
  | 'hyphens'
  | 'slashes'
  | 'belowMinimum'
  | 'aboveMaximum'
  | 'reversed'
  | 'zeroStep'
  | 'duration'
  | 'durationUnit'
  | 'durationNoUnit'
  | 'durationShort'
  | 'neverRuns'
  | 'tooLong'

type Params = ScheduleProblem['params']

const quoted = (text: string | number | undefined) => JSON.stringify(String(text))

const texts: Readonly<Record<ScheduleProblem['code'], (p: Params) => string>> = {
  empty: () => 'empty spec string',
  fieldCount: (p) => `expected exactly 6 fields, found ${p.found}: [${p.text}]`,
  descriptor: (p) => `unrecognized descriptor: ${p.text}`,
  timeZone: (p) => `provided bad location ${p.zone}: unknown time zone ${p.zone}`,
  notNumber: (p) => `failed to parse int from ${p.text}: strconv.Atoi: parsing ${quoted(p.text)}: invalid syntax`,
  hyphens: (p) => `too many hyphens: ${p.text}`,
  slashes: (p) => `too many slashes: ${p.text}`,
  belowMinimum: (p) => `beginning of range (${p.value}) below minimum (${p.min}): ${p.text}`,
  aboveMaximum: (p) => `end of range (${p.value}) above maximum (${p.max}): ${p.text}`,
  reversed: (p) => `beginning of range (${p.from}) beyond end of range (${p.to}): ${p.text}`,
  zeroStep: (p) => `step of range should be a positive number: ${p.text}`,
  duration: (p) => `failed to parse duration ${p.text}: time: invalid duration ${quoted(p.duration)}`,
  durationUnit: (p) =>
    `failed to parse duration ${p.text}: time: unknown unit ${quoted(p.unit)} in duration ${quoted(p.duration)}`,
  durationNoUnit: (p) => `failed to parse duration ${p.text}: time: missing unit in duration ${quoted(p.duration)}`,
  durationShort: (p) => `the interval must be at least 1s: ${p.text}`,
  neverRuns: (p) => `this schedule never comes: ${p.text}`,
  tooLong: (p) => `spec string has more than ${p.maximum} characters`,
}

/** The contract’s text for responses; people read `errors.schedule.<code>`. Source: contract engines 3.2. */
export function scheduleErrorText(problem: ScheduleProblem): string {
  return texts[problem.code](problem.params)
}

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

/** The longest interval that Nezha can store, 2^63 nanoseconds. */
const longestMs = 2 ** 63 / 1e6

/** Milliseconds of `@every 1h30m10s`, at least a second (decisions.md, "`@every`"); fractions of a second are dropped. */
function parseEvery(text: string): number | ScheduleProblem {
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

const fields = [
  { name: 'second', min: 0, max: 59, names: [] },
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day', min: 1, max: 31, names: [] },
  {
    name: 'month',
    min: 1,
    max: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { name: 'weekday', min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
] as const satisfies readonly { name: string; min: number; max: number; names: readonly string[] }[]

type FieldRule = (typeof fields)[number]
type FieldName = FieldRule['name']

const descriptors: Readonly<Record<string, string>> = {
  '@yearly': '0 0 0 1 1 *',
  '@annually': '0 0 0 1 1 *',
  '@monthly': '0 0 0 1 * *',
  '@weekly': '0 0 0 * * 0',
  '@daily': '0 0 0 * * *',
  '@midnight': '0 0 0 * * *',
  '@hourly': '0 0 * * * *',
}

/** `times`: the allowed values of each field, ascending. `eitherDay`: day of month and weekday are both restricted, so one is enough. `timeZone`: from the text, null for the site’s. */
export type Schedule =
  | {
      readonly kind: 'calendar'
      readonly times: Readonly<Record<FieldName, readonly number[]>>
      readonly eitherDay: boolean
      readonly timeZone: string | null
    }
  | { readonly kind: 'interval'; readonly everyMs: number }

export type ParsedSchedule =
  | { readonly ok: true; readonly schedule: Schedule }
  | { readonly ok: false; readonly problem: ScheduleProblem }

/** Adds the seconds to a five-field crontab; null for any other text. */
export function withSeconds(text: string): string | null {
  const parsed = parseSchedule(text)
  if (parsed.ok || parsed.problem.code !== 'fieldCount' || parsed.problem.params.found !== 5) return null
  const { zone, rest } = splitZone(text.trim())
  const whole = zone === null ? `0 ${rest}` : `CRON_TZ=${zone} 0 ${rest}`
  return parseSchedule(whole).ok ? whole : null
}

/** Maximum length. A longer one, stored by an older version, is not parsed. */
export const longestSchedule = 256

/** Caches parsed schedules, because lists and engines parse the same ones repeatedly. */
const known = new Map<string, ParsedSchedule>()
const maxKnown = 1000

/** Parses a schedule like Nezha, on every surface. Never throws. The shortest interval is one second. Source: contract engines 3.2. */
export function parseSchedule(text: string): ParsedSchedule {
  if (text.length > longestSchedule) return refuse({ code: 'tooLong', params: { maximum: longestSchedule } })
  const before = known.get(text)
  if (before) return before
  const parsed = read(text)
  if (known.size >= maxKnown) known.clear()
  known.set(text, parsed)
  return parsed
}

function read(text: string): ParsedSchedule {
  const { zone, rest } = splitZone(text.trim())
  if (zone !== null && !isTimeZone(zone)) return refuse({ code: 'timeZone', params: { zone } })
  if (rest === '') return refuse({ code: 'empty', params: {} })
  if (!rest.startsWith('@')) return parseFields(rest, zone)
  if (rest.startsWith('@every ')) {
    const every = parseEvery(rest)
    return typeof every === 'number' ? { ok: true, schedule: { kind: 'interval', everyMs: every } } : refuse(every)
  }
  const expanded = descriptors[rest]
  return expanded === undefined ? refuse({ code: 'descriptor', params: { text: rest } }) : parseFields(expanded, zone)
}

/** Why a schedule can’t be saved: it is invalid or never runs, such as 31 February. */
export function scheduleProblem(text: string): ScheduleProblem | null {
  const parsed = parseSchedule(text)
  if (!parsed.ok) return parsed.problem
  const { schedule } = parsed
  if (schedule.kind === 'interval' || schedule.eitherDay) return null
  const { day: days, month: months } = schedule.times
  const comes = months.some((month) => firstItem(days) <= defined(longestMonths[month - 1]))
  return comes ? null : { code: 'neverRuns', params: { text: text.trim() } }
}

const longestMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether this machine knows a time zone, such as `Europe/Berlin` or `UTC`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

function splitZone(text: string): { zone: string | null; rest: string } {
  const match = /^(?:CRON_)?TZ=(\S*)\s*/.exec(text)
  return match ? { zone: defined(match[1]), rest: text.slice(match[0].length) } : { zone: null, rest: text }
}

function refuse(problem: ScheduleProblem): ParsedSchedule {
  return { ok: false, problem }
}

function parseFields(text: string, timeZone: string | null): ParsedSchedule {
  const parts = text.split(/\s+/)
  if (parts.length !== fields.length)
    return refuse({ code: 'fieldCount', params: { found: parts.length, text: parts.join(' ') } })
  const times: Partial<Record<FieldName, readonly number[]>> = {}
  for (const [index, rule] of fields.entries()) {
    const values = parseField(defined(parts[index]), rule)
    if (!Array.isArray(values)) return refuse(values)
    times[rule.name] = values
  }
  const schedule: Schedule = {
    kind: 'calendar',
    times: times as Record<FieldName, readonly number[]>,
    eitherDay: !isAny(defined(parts[3])) && !isAny(defined(parts[5])),
    timeZone,
  }
  return { ok: true, schedule }
}

/** Whether a field is unrestricted: an element is `*` or `?`, without a step above 1. */
function isAny(field: string): boolean {
  return field.split(',').some((element) => /^[*?](\/0*1)?$/.test(element))
}

function parseField(field: string, rule: FieldRule): number[] | ScheduleProblem {
  const values = new Set<number>()
  for (const element of field.split(',')) {
    const found = parseElement(element, rule)
    if (!Array.isArray(found)) return found
    for (const value of found) values.add(value)
  }
  return [...values].sort((a, b) => a - b)
}

function parseElement(text: string, rule: FieldRule): number[] | ScheduleProblem {
  const [range = '', stepText, ...moreSlashes] = text.split('/')
  const [fromText = '', toText, ...moreHyphens] = range.split('-')
  if (moreHyphens.length > 0) return { code: 'hyphens', params: { text } }
  const any = range === '*' || range === '?'
  const from = any ? rule.min : numberOf(fromText, rule.names)
  if (typeof from !== 'number') return from
  let to: number | ScheduleProblem = from
  if (any) to = rule.max
  else if (toText !== undefined) to = numberOf(toText, rule.names)
  else if (stepText !== undefined) to = rule.max
  if (typeof to !== 'number') return to
  if (moreSlashes.length > 0) return { code: 'slashes', params: { text } }
  const step = stepText === undefined ? 1 : numberOf(stepText, [])
  if (typeof step !== 'number') return step
  if (from < rule.min) return { code: 'belowMinimum', params: { value: from, min: rule.min, text } }
  if (to > rule.max) return { code: 'aboveMaximum', params: { value: to, max: rule.max, text } }
  if (from > to) return { code: 'reversed', params: { from, to, text } }
  if (step === 0) return { code: 'zeroStep', params: { text } }
  const count = Math.floor((to - from) / step) + 1
  return Array.from({ length: count }, (_, index) => from + index * step)
}

function numberOf(text: string, names: readonly string[]): number | ScheduleProblem {
  const named = names.indexOf(text.toLowerCase())
  if (named >= 0) return names.length === 12 ? named + 1 : named
  return /^\d{1,15}$/.test(text) ? Number(text) : { code: 'notNumber', params: { text } }
}
