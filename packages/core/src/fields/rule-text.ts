import * as z from 'zod'
import { idKey, isHostMetric, lazy, mapOf, maxItems, type ResourceName, type RuleCondition } from '../define/index.ts'
import { defined, firstItem, type Problem, parseJson } from '../errors.ts'
import { textParts } from '../i18n/index.ts'
import { parseDuration, parseNumber, parseSize } from './numbers.ts'
import { toProblems } from './problems.ts'
import { isCycleType, metricOf, unitOf } from './rule-metrics.ts'
import { isCalendarDay } from './times.ts'

/** A condition of an alert rule as typed, by the types of its parts. Empty texts mean 0, as for Nezha. */
export const ruleShape = lazy(() => {
  const optionalNumber = z.union([z.number(), z.literal('').transform(() => 0)]).optional()
  return z
    .object({
      type: z.string().min(1).max(256),
      min: optionalNumber,
      max: optionalNumber,
      duration: z.union([z.int(), z.literal('').transform(() => 0)]).optional(),
      cycle_start: z.string().max(64).nullable().optional(),
      cycle_interval: z.union([z.int(), z.literal('').transform(() => 0)]).optional(),
      cycle_unit: z.string().max(16).optional(),
      cover: z.int(),
      ignore: z
        .preprocess((ignore) => (ignore === '' ? null : ignore), mapOf(idKey, z.boolean(), maxItems).nullish())
        .optional()
        .transform((ignore) => ignore ?? undefined),
    })
    .readonly()
})

/** Maximum number of conditions per rule. */
export const maxConditions = 64

/** Interval between two samples of a server (contract engines 1.5). */
export const sampleSeconds = 3
/** Minimum number of samples for a condition. */
export const leastSamples = 3
/** Maximum number of samples for a condition: a day, which limits the server’s memory (behavior S-50). */
export const maxSamples = 28_800

export const cycleUnits = ['hour', 'day', 'week', 'month', 'year'] as const
export type CycleUnit = (typeof cycleUnits)[number]

export type ParsedRules =
  | { readonly ok: true; readonly rules: readonly RuleCondition[] }
  | { readonly ok: false; readonly problem: 'notJson' }
  /** JSON that isn’t conditions; `cause` names the part. */
  | { readonly ok: false; readonly problem: 'part'; readonly cause: Problem }
  | { readonly ok: false; readonly problem: 'rule'; readonly line: number; readonly text: string }

/** Finds a server’s ID by its name or ID. */
export type ServerByName = (name: string) => number | null

/** Single blanks only: a run of blanks could match in many ways and take minutes to fail. */
const limit = String.raw`[^ <>]+(?: (?!or\b|for\b|in\b|on\b)[%\u00b0a-z/]+)?`
const line = new RegExp(
  [
    String.raw`^(?<type>[a-z][a-z0-9_]*)(?<name>:[\w@.:\\/+-]+)?`,
    String.raw`(?: ?(?<sign>[<>]) ?(?<limit>${limit})(?: or ?(?<sign2>[<>]) ?(?<limit2>${limit}))?)?`,
    String.raw`(?: for (?<time>[\w. ]+?))?`,
    String.raw`(?: in (?<count>\d{1,9}) (?<unit>${cycleUnits.join('|')})s? from (?<start>\S+))?$`,
  ].join(''),
  'is',
)

/**
 * Parses conditions, one per line, such as `cpu > 90 for 30s`, `load5 < 1 or > 8 for 1m on only web-1, web-2`, `offline for 30s on all except lab`,
 * `transfer_all_cycle > 20T in 1 month from 2026-01-01`; or the JSON of the wire. All must hold at the same time.
 */
export function parseRules(text: string, serverByName: ServerByName): ParsedRules {
  const typed = text.trim()
  if (/^[[{]/.test(typed)) return fromJson(typed)
  const rules: RuleCondition[] = []
  for (const [index, one] of typed.split(/\n|;/).entries()) {
    if (one.trim() === '') continue
    const rule = readLine(one.trim(), serverByName)
    if (!rule) return { ok: false, problem: 'rule', line: index + 1, text: one.trim() }
    rules.push(rule)
  }
  return { ok: true, rules }
}

function fromJson(text: string): ParsedRules {
  const value = parseJson(text)
  const isList =
    Array.isArray(value) && value.every((rule) => typeof rule === 'object' && rule !== null && !Array.isArray(rule))
  if (!isList) return { ok: false, problem: 'notJson' }
  const parsed = z.object({ rules: z.array(ruleShape()) }).safeParse({ rules: value }, { reportInput: true })
  if (parsed.success) return { ok: true, rules: parsed.data.rules }
  return { ok: false, problem: 'part', cause: firstItem(toProblems(parsed.error)) }
}

function readLine(text: string, serverByName: ServerByName): RuleCondition | null {
  const end = text.search(/\son\s/i)
  const [what, where] = end === -1 ? [text, 'all'] : [text.slice(0, end), text.slice(end + 3)]
  const found = line.exec(what.trim().replace(/\s+/g, ' '))?.groups
  if (!found) return null
  const typed = defined(found.type).toLowerCase() + (found.name ?? '')
  const metric = metricOf(typed)
  if (metric === null) return null
  const type = found.name ? typed : metric
  const limits = readLimits(type, found)
  const coverage = readCoverage(where, serverByName)
  if (!limits || !coverage) return null
  if (isCycleType(type)) {
    if (found.time || !found.start) return null
    const start = /^\d{4}-\d{2}-\d{2}$/.test(found.start) ? `${found.start}T00:00:00Z` : found.start
    if (Number.isNaN(Date.parse(start)) || !isCalendarDay(start)) return null
    return {
      type,
      ...limits,
      cycle_start: start,
      cycle_interval: Number(found.count),
      cycle_unit: defined(found.unit).toLowerCase(),
      ...coverage,
    }
  }
  if (found.start) return null
  const seconds = parseDuration(found.time ?? '30s')
  return seconds === null ? null : { type, ...limits, duration: samplesOf(seconds), ...coverage }
}

export function samplesOf(seconds: number): number {
  return Math.max(1, Math.round(seconds / sampleSeconds))
}

type Groups = Readonly<Record<string, string | undefined>>

function readLimits(type: string, { sign, limit, sign2, limit2 }: Groups): { min?: number; max?: number } | null {
  if (unitOf(type) === 'none') return sign === undefined ? {} : null
  if (sign === undefined || sign === sign2) return null
  const pairs = [[sign, limit] as const, ...(sign2 ? [[sign2, limit2] as const] : [])]
  const limits: { min?: number; max?: number } = {}
  for (const [side, text] of pairs) {
    const value = readLimit(type, defined(text))
    // On the wire 0 means no limit, so such a condition would never fire.
    if (value === null || value === 0) return null
    limits[side === '>' ? 'max' : 'min'] = value
  }
  return limits
}

/** The limit of `units_failed > 0`. */
const moreThanNone = 0.5

/** Parses a limit such as `90%`, `20T`, or `5 MiB/s`; null if invalid. */
export function readLimit(type: string, text: string): number | null {
  const unit = unitOf(type)
  if (unit === 'bytes' || unit === 'rate') return parseSize(text.replace(unit === 'rate' ? /\/s$/i : /$^/, ''))
  if (unit === 'duration') return parseDuration(text)
  const value = parseNumber(
    text.replace(unit === 'percent' ? /%$/ : unit === 'celsius' ? /\u00b0?C$/i : /$^/, '').trimEnd(),
  )
  // On the wire 0 means no limit: more than none is at least one.
  return value === 0 && unit === 'count' && isHostMetric(type) ? moreThanNone : value
}

function readCoverage(
  text: string,
  serverByName: ServerByName,
): { cover: number; ignore: Record<string, boolean> } | null {
  const [, all, names = ''] = /^(all(?:\s+servers)?(?:\s+except)?|only)(.*)$/is.exec(text.trim()) ?? []
  if (all === undefined) return null
  const isOnly = all.toLowerCase() === 'only'
  const ids = textParts(names, /,/).flatMap((name) => {
    const id = serverByName(name)
    const parts = id === null ? textParts(name) : []
    return parts.length > 1 ? parts.map(serverByName) : id
  })
  if (ids.length > 0 !== (isOnly || /except$/i.test(all))) return null
  if (ids.some((id) => id === null)) return null
  return { cover: isOnly ? 1 : 0, ignore: Object.fromEntries(ids.map((id) => [String(id), true])) }
}

/** The reverse of `parseRules`; conditions that don’t fit the line format become JSON. */
export function formatRules(rules: readonly RuleCondition[], nameOf: (id: number) => string | null): string {
  return rules.every(isSayable) ? rules.map((rule) => formatLine(rule, nameOf)).join('\n') : JSON.stringify(rules)
}

/** Whether the line format can express a condition: known type, valid limits and times, named servers if only some are watched. */
function isSayable(rule: RuleCondition): boolean {
  const { type, min = 0, max = 0, duration = 0, cycle_interval = 0, cycle_start } = rule
  const isTimed = isCycleType(type) ? cycle_interval > 0 && !!cycle_start && !/\s/.test(cycle_start) : duration > 0
  const isLimited = unitOf(type) === 'none' ? min === 0 && max === 0 : min >= 0 && max >= 0 && min + max > 0
  const isCovered = rule.cover === 0 || (rule.cover === 1 && coveredIds(rule).length > 0)
  return metricOf(type) !== null && isTimed && isLimited && isCovered
}

/** The engine treats unknown units as hours (contract engines 1.6). */
export function cycleUnitOf({ cycle_unit }: Pick<RuleCondition, 'cycle_unit'>): CycleUnit {
  return cycleUnits.find((known) => known === cycle_unit?.toLowerCase()) ?? 'hour'
}

function formatLine(rule: RuleCondition, nameOf: (id: number) => string | null): string {
  const { type, min = 0, max = 0, duration = leastSamples, cycle_interval = 1, cycle_start } = rule
  const value = (side: number) => limitText(type, side)
  const below = max > 0 ? (min > 0 ? ` or < ${value(min)}` : '') : ` < ${value(min)}`
  const limits = unitOf(type) === 'none' ? '' : `${max > 0 ? ` > ${value(max)}` : ''}${below}`
  const time = isCycleType(type)
    ? ` in ${cycle_interval} ${cycleUnitOf(rule)} from ${cycle_start}`
    : ` for ${duration * sampleSeconds}s`
  const named = coveredIds(rule).map((id) => nameOf(id) ?? String(id))
  const where =
    rule.cover === 1 ? ` on only ${named.join(', ')}` : named.length > 0 ? ` on all except ${named.join(', ')}` : ''
  return `${type}${limits}${time}${where}`
}

/** In the largest whole unit, such as `14d`. */
function durationText(seconds: number): string {
  const [unit, length] = (
    [
      ['d', 86_400],
      ['h', 3600],
      ['m', 60],
    ] as const
  ).find(([, one]) => seconds % one === 0) ?? ['s', 1]
  return `${seconds / length}${unit}`
}

/** The reverse of `readLimit`: sizes in the largest whole unit. */
export function limitText(type: string, value: number): string {
  const unit = unitOf(type)
  if (unit === 'duration') return durationText(value)
  if (value === moreThanNone && unit === 'count' && isHostMetric(type)) return '0'
  if ((unit !== 'bytes' && unit !== 'rate') || value <= 0 || !Number.isSafeInteger(value)) return String(value)
  const power = [5, 4, 3, 2, 1].find((step) => value % 1024 ** step === 0)
  return power === undefined
    ? String(value)
    : `${value / 1024 ** power}${'KMGTP'[power - 1]}iB${unit === 'rate' ? '/s' : ''}`
}

export function coveredIds({ ignore }: Pick<RuleCondition, 'ignore'>): number[] {
  return Object.entries(ignore ?? {})
    .filter(([, isNamed]) => isNamed === true)
    .map(([id]) => Number(id))
}

export function serverNames(view: {
  all(to: ResourceName): readonly { id: number }[]
  title(to: ResourceName, id: number): string | null
}) {
  const byName: ServerByName = (name) => {
    if (/^#?\d+$/.test(name)) return Number(name.replace('#', ''))
    return (
      view.all('server').find(({ id }) => view.title('server', id)?.toLowerCase() === name.toLowerCase())?.id ?? null
    )
  }
  const nameOf = (id: number) => {
    const title = view.title('server', id)
    return title === null || title !== title.trim() || /[,;\n]|^#?\d+$/.test(title) || byName(title) !== id
      ? null
      : title
  }
  return { byName, nameOf }
}
