import type { RuleCondition } from '../define/index.ts'
import type { Format, Translator } from '../i18n/index.ts'
import { cycleOf, cycleSpan } from './rule-cycles.ts'
import { isCycleType, measured, metricName, unitOf } from './rule-metrics.ts'
import { cycleUnitOf, sampleSeconds } from './rule-text.ts'

/** Conditions without their servers: "CPU above 90 % for 30 s and load, 5 min, above 6 for 1 min". */
export function rulesSentence(
  rules: readonly RuleCondition[],
  context: { translator: Translator; format: Format },
): string {
  const [first = '', ...more] = rules.map((rule) => conditionSentence(rule, context))
  return more.reduce((left, right) => context.translator.t('ui.rule.and', { left, right }), first)
}

export function conditionSentence(rule: RuleCondition, context: { translator: Translator; format: Format }): string {
  const { translator, format } = context
  const { t } = translator
  const metric = metricName(rule.type, translator)
  const time = isCycleType(rule.type)
    ? cycleWords(rule, context)
    : t('ui.rule.for', { time: format.duration((rule.duration ?? 0) * sampleSeconds) })
  if (unitOf(rule.type) === 'none') return t('ui.rule.plain', { metric, time })
  const { min = 0, max = 0 } = rule
  const value = (limit: number) => measured(rule.type, limit, context)
  if (min > 0 && max > 0) return t('ui.rule.outside', { metric, min: value(min), max: value(max), time })
  if (max > 0) return t('ui.rule.above', { metric, limit: value(max), time })
  if (min > 0) return t('ui.rule.below', { metric, limit: value(min), time })
  return t('ui.rule.noLimit', { metric })
}

function cycleWords(
  { cycle_interval = 1, cycle_unit, cycle_start }: RuleCondition,
  { translator, format }: { translator: Translator; format: Format },
): string {
  const unit = cycleUnitOf({ cycle_unit })
  const period = translator.say(`ui.rule.every.${unit}`, { count: cycle_interval })
  const start = cycle_start && !Number.isNaN(Date.parse(cycle_start)) ? format.instantLong(cycle_start) : '?'
  return translator.t('ui.rule.cycle', { period, start })
}

/** "Current cycle: 1 Nov 2026, 00:00 to 1 Dec 2026, 00:00"; null without a cycle. */
export function presentCycle(
  rule: RuleCondition,
  { translator, format, now }: { translator: Translator; format: Format; now: number },
): string | null {
  const cycle = isCycleType(rule.type) ? cycleOf(rule) : null
  if (!cycle) return null
  const { from, to } = cycleSpan(cycle, now)
  return translator.t('ui.rule.present', { from: format.instantLong(from), to: format.instantLong(to) })
}
