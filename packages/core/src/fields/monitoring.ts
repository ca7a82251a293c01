import { dayTone } from './day-tone.ts'
import { measured, metricName } from './rule-metrics.ts'
import { rulesSentence } from './rule-sentence.ts'
import { formatRules, parseRules, serverNames } from './rule-text.ts'
import { bad, good, type KindRules, nothing, shownOnly } from './rules.ts'

/** More than 64 conditions ever need. */
const longestRules = 65_536

const rules: KindRules<'rules'> = {
  present(_field, value, context) {
    if (value.length === 0) return nothing(context, 'none')
    const text = rulesSentence(value, context)
    return { text, tone: 'plain', full: text }
  },
  sort: (_field, value) => value[0]?.type ?? null,
  parse(_field, text, context) {
    if (text.length > longestRules) return bad(context, 'tooLong', { maximum: longestRules })
    const parsed = parseRules(text, serverNames(context.view).byName)
    if (parsed.ok) return good(parsed.rules)
    if (parsed.problem === 'part') return { ok: false, problem: { ...parsed.cause, field: context.fieldName } }
    return parsed.problem === 'notJson'
      ? bad(context, 'notJson')
      : bad(context, 'rule', { line: parsed.line, text: parsed.text })
  },
  input: (_field, value, context) => formatRules(value, serverNames(context.view).nameOf),
  machine: (_field, value) => value,
}

/** As text the worst day represents all. */
const days: KindRules<'days'> = {
  present(_field, value, context) {
    const known = value.filter((day) => day >= 0)
    if (known.length === 0) return nothing(context, 'noData')
    const worst = Math.min(...known)
    return { text: context.format.percent(worst, 1), tone: dayTone(worst) }
  },
  sort: (_field, value) => {
    const known = value.filter((day) => day >= 0)
    return known.length === 0 ? null : Math.min(...known)
  },
  ...shownOnly,
  machine: (_field, value) => value.map((day) => (day < 0 ? null : Math.round(day * 100) / 100)),
}

const reading: KindRules<'reading'> = {
  present(_field, value, context) {
    if (value === null) return nothing(context, 'none')
    const { metric, value: now, limit } = value
    const name = metricName(metric, context.translator)
    if (now === null) return { text: name, tone: 'plain' }
    const shown = measured(metric, now, context)
    const { t } = context.translator
    return {
      text: t('ui.reading.value', { metric: name, value: shown }),
      tone: 'plain',
      ...(limit !== null && {
        full: t('ui.reading.limit', { metric: name, value: shown, limit: measured(metric, limit, context) }),
      }),
    }
  },
  sort: (_field, value) => value?.metric ?? null,
  ...shownOnly,
  machine: (_field, value) => value,
}

export const monitoringKinds = { rules, days, reading }
