import { plainLines, plainText } from '../define/index.ts'
import { planTexts, readPlan } from './plan-note.ts'
import { good, type KindRules, nothing, type Rules } from './rules.ts'

type TextKind = 'text' | 'note' | 'secret' | 'command' | 'schedule' | 'address' | 'version'

const base = {
  parse: (_field: unknown, text: string) => good(text),
  input: (_field: unknown, value: string) => value,
  machine: (_field: unknown, value: string) => value,
  sort: (_field: unknown, value: string) => (value.trim() === '' ? null : value),
}

const line: Rules<unknown, string> = {
  ...base,
  present(_field, value, context) {
    if (value === '') return nothing(context, 'none')
    return { text: plainText(value), tone: 'plain' }
  },
}

const lines: Rules<unknown, string> = {
  ...base,
  present(_field, value, context) {
    const full = plainLines(value).trim()
    if (full === '') return nothing(context, 'none')
    const [first = '', ...more] = full.split('\n')
    const text = plainText(first)
    return more.length === 0 ? { text, tone: 'plain' } : { text: `${text} …`, tone: 'plain', full }
  },
}

const note: KindRules<'note'> = {
  ...lines,
  present(field, value, context) {
    const plan = field.plan ? readPlan(value) : null
    if (!plan) return lines.present(field, value, context)
    const said = planTexts(context.translator, plan).map(plainText)
    return said.length === 0 ? nothing(context, 'none') : { text: said.join(' · '), tone: 'plain' }
  },
}

const secret: KindRules<'secret'> = {
  parse: base.parse,
  input: (_field, value) => value ?? '',
  machine: (_field, value) => value ?? '',
  sort: (_field, value) => (value ? 1 : null),
  present(_field, value, context) {
    if (!value) return nothing(context, 'notSet')
    return { text: context.translator.t('ui.value.set'), tone: 'muted' }
  },
}

/** Secrets are never shown. */
export const textKinds = {
  text: line,
  address: line,
  version: line,
  schedule: line,
  note,
  command: lines,
  secret,
} satisfies { [K in TextKind]: KindRules<K> }
