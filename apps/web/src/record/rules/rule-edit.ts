import type { RuleCondition } from '@qd/core/define'
import { firstItem } from '@qd/core/errors'
import { coveredIds, isCycleType, leastSamples, limitText, readLimit, samplesOf, unitOf } from '@qd/core/fields'
import { marks, WatchCover } from '@qd/core/schemas'

export type Side = 'above' | 'below' | 'outside'
export const sides: readonly Side[] = ['above', 'below', 'outside']

export type Limit = 'min' | 'max'

export type Coverage = Pick<RuleCondition, 'cover' | 'ignore'>

/** An invalid typed limit; no server accepts it, so the form is refused. */
export const unreadable = Number.NaN

const isSet = (limit: number | undefined) => limit !== undefined && limit !== 0

/** 0 and absent are no limit (contract engines 1.3). */
export function sideOf({ min, max }: RuleCondition): Side {
  if (isSet(min)) return isSet(max) ? 'outside' : 'below'
  return 'above'
}

export const limitsOf: Readonly<Record<Side, readonly Limit[]>> = {
  above: ['max'],
  below: ['min'],
  outside: ['min', 'max'],
}

/** Moves a condition to another side; a new limit must be typed. */
export function withSide(rule: RuleCondition, side: Side): RuleCondition {
  const { min, max, ...rest } = rule
  const [low, high] = [isSet(min) ? min : undefined, isSet(max) ? max : undefined]
  if (side === 'above') return { ...rest, max: high ?? low ?? unreadable }
  if (side === 'below') return { ...rest, min: low ?? high ?? unreadable }
  return { ...rest, min: low ?? unreadable, max: high ?? unreadable }
}

export function newCondition(type: string, coverage: Coverage, now: number): RuleCondition {
  const limit = unitOf(type) === 'none' ? {} : { max: unitOf(type) === 'percent' ? 90 : unreadable }
  return { type, ...limit, ...timing(type, now), ...coverage }
}

/** Changes the metric. Keeps limits of the same unit and the time of the same kind. */
export function withType(rule: RuleCondition, type: string, now: number): RuleCondition {
  const fresh = newCondition(type, { cover: rule.cover, ignore: rule.ignore }, now)
  const keepsLimits = unitOf(type) === unitOf(rule.type)
  const keepsTime = isCycleType(type) === isCycleType(rule.type)
  const { min, max, type: _type, cover: _cover, ignore: _ignore, ...time } = rule
  const { min: _min, max: freshMax, ...rest } = fresh
  const limits = keepsLimits
    ? { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
    : freshMax === undefined
      ? {}
      : { max: freshMax }
  return keepsTime ? { ...time, type, ...limits, cover: rule.cover, ignore: rule.ignore } : { ...rest, ...limits }
}

/** Ten samples, or a month’s cycle from the first of this month. The unit is always sent (contract engines 17, Q5). */
function timing(type: string, now: number) {
  if (!isCycleType(type)) return { duration: 10 }
  const today = new Date(now)
  const first = new Date(today.getFullYear(), today.getMonth(), 1)
  return { cycle_start: first.toISOString(), cycle_interval: 1, cycle_unit: 'month' }
}

/** A typed limit, or `unreadable`; percentages end at 100, and 0 is no limit. */
export function typedLimit(type: string, text: string): number {
  const value = readLimit(type, text.trim())
  const isInside = value !== null && value > 0 && (unitOf(type) !== 'percent' || value <= 100)
  return isInside ? value : unreadable
}

export function shownLimit(type: string, limit: number | undefined): string {
  if (!isSet(limit) || Number.isNaN(limit)) return ''
  const text = limitText(type, limit!)
  return text.replace(/(\d)([A-Z])/, '$1 $2')
}

export function typedSamples(seconds: number | null): number {
  return seconds !== null && seconds > 0 ? Math.max(1, samplesOf(seconds)) : unreadable
}

export const shownSamples = ({ duration }: RuleCondition) => duration ?? leastSamples

const sameCoverage = (a: Coverage, b: Coverage) =>
  a.cover === b.cover && coveredIds(a).toSorted().join() === coveredIds(b).toSorted().join()

/** Whether all conditions watch the same servers, so that the sentence says it once. */
export function sharesCoverage(rules: readonly RuleCondition[]): boolean {
  return rules.every((rule) => sameCoverage(rule, firstItem(rules)))
}

export function withCoverage(
  rules: readonly RuleCondition[],
  index: number | null,
  { cover, servers }: { cover: number; servers: readonly number[] },
): RuleCondition[] {
  return rules.map((rule, at) => (index === null || at === index ? { ...rule, cover, ignore: marks(servers) } : rule))
}

export function jsonOf(rules: readonly RuleCondition[]): string {
  return JSON.stringify(rules, null, 2)
}

export const everywhere: Coverage = { cover: WatchCover.allExcept, ignore: {} }
