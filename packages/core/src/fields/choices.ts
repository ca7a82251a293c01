import { optionName, type Tone, textKey } from '../define/index.ts'
import { bad, good, type KindRules, nothing } from './rules.ts'

const yes = ['true', 'yes', 'on', '1', 'y']
const no = ['false', 'no', 'off', '0', 'n']

const flag: KindRules<'flag'> = {
  present(_field, value, context) {
    if (value === null) return nothing(context, 'noData')
    return {
      text: context.translator.t(value ? 'ui.value.yes' : 'ui.value.no'),
      tone: value ? 'plain' : 'muted',
    }
  },
  sort: (_field, value) => (value === null ? null : Number(value)),
  parse(_field, text, context) {
    const word = text.trim().toLowerCase()
    if (yes.includes(word)) return good(true)
    return no.includes(word) || word === '' ? good(false) : bad(context, 'notFlag')
  },
  input: (_field, value) => String(value),
  machine: (_field, value) => value,
}

/** `allExcept`, `all-except` and `All except` are the same word. */
function word(text: string): string {
  return text.toLowerCase().replace(/[\s_-]/g, '')
}

/** An option on the command line: `allExcept` is `all-except`, `GET` is `get`, `de-DE` stays. */
export function optionFlag(name: string): string {
  if (name.includes('-')) return name
  return name === name.toUpperCase()
    ? name.toLowerCase()
    : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

const gentleFirst: readonly Tone[] = ['plain', 'ok', 'muted', 'accent', 'warn', 'bad']

/** States sort by severity, options without tones in their order. */
function severity(tone: Tone = 'plain'): number {
  return gentleFirst.indexOf(tone)
}

const choice: KindRules<'choice'> = {
  present(field, value, { translator, resource, fieldName, row }) {
    const name = optionName(field, value)
    if (name === null) return { text: translator.t('ui.value.unknown', { value: String(value) }), tone: 'muted' }
    const counted = row && field.counted?.of(row)
    return {
      text: counted
        ? translator.say(textKey.counted(resource.name, fieldName, counted.text), counted.params)
        : translator.say(textKey.option(resource.name, fieldName, name)),
      tone: field.tones?.[name] ?? 'plain',
    }
  },
  sort(field, value) {
    const name = optionName(field, value)
    if (name === null) return null
    const names = Object.keys(field.options)
    return severity(field.tones?.[name]) * names.length + names.indexOf(name)
  },
  parse(field, text, context) {
    const names = Object.keys(field.options)
    const wanted = word(text.trim())
    const name =
      names.find((known) => word(known) === wanted) ??
      names.find((known) => String(field.options[known]) === text.trim())
    return name === undefined
      ? bad(context, 'notOption', { options: names.map(optionFlag) })
      : good(field.options[name])
  },
  input: (field, value) => optionName(field, value) ?? String(value),
  machine: (field, value) => optionName(field, value) ?? value,
}

/** An unknown option is kept and shown as "unknown (7)". */
export const choiceKinds = { flag, choice }
