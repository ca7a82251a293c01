import { plainText } from '../define/index.ts'
import { parseJson } from '../errors.ts'
import { listBreak, textParts } from '../i18n/index.ts'
import { listed, nameOf } from './references.ts'
import { bad, good, type KindRules, type ParseContext, type Parsed } from './rules.ts'

/** Characters of JSON, or of a part of it that a comma split off. */
const jsonSigns = /["[\]{}]/

/** Items of a JSON list, or of a JSON object of names and flags: `{"eth0": true, "eth1": false}` is `eth0`, `eth1=no`. */
function readJson(text: string, isMap: boolean, context: ParseContext): Parsed {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) return bad(context, 'notJson')
  if (!Array.isArray(value)) {
    const entries = Object.entries(value)
    if (!isMap) return bad(context, 'notList')
    const wrong = entries.find(([, counts]) => typeof counts !== 'boolean')
    return wrong ? at(bad(context, 'notFlag'), wrong[0]) : good(entries.map(([name, on]) => (on ? name : `${name}=no`)))
  }
  const wrong = value.findIndex((item) => typeof item !== 'string' || item === '')
  return wrong < 0 ? good(value) : at(bad(context, value[wrong] === '' ? 'required' : 'notText'), String(wrong + 1))
}

function readWords(text: string, context: ParseContext): Parsed {
  const items = textParts(text)
  const astray = items.find((item) => jsonSigns.test(item))
  return astray === undefined ? good(items) : bad(context, 'listItem', { text: astray })
}

function at(parsed: Parsed, place: string): Parsed {
  return parsed.ok ? parsed : { ok: false, problem: { ...parsed.problem, at: place } }
}

/** Whether an item survives in a text with commas. */
function isPlain(item: string): boolean {
  return item !== '' && item === item.trim() && !jsonSigns.test(item) && !listBreak.test(item)
}

const list: KindRules<'list'> = {
  present: (_field, value, context) => listed(value.map(plainText), context),
  sort: (_field, value) => (value.length === 0 ? null : value.join(', ')),
  parse({ options, map }, text, context) {
    const parsed = /^[[{]/.test(text.trim()) ? readJson(text, map === true, context) : readWords(text, context)
    const isKnown = !parsed.ok || !options || (parsed.value as string[]).every((item) => options.includes(item))
    return isKnown ? parsed : bad(context, 'notOption', { options })
  },
  input: (_field, value) => (value.every(isPlain) ? value.join(', ') : JSON.stringify(value)),
  machine: (_field, value) => value,
}

const idMap: KindRules<'id-map'> = {
  present(field, value, context) {
    const entries = Object.entries(value).map(
      ([id, items]) => `${nameOf(context.view, field.to, Number(id))}: ${items.join(' ')}`,
    )
    return listed(entries.map(plainText), context)
  },
  sort: (_field, value) => Object.keys(value).length,
  parse(_field, text, context) {
    if (text.trim() === '') return good({})
    const value = parseJson(text)
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isMap && Object.values(value).every(isTexts) ? good(value) : bad(context, 'notJson')
  },
  input: (_field, value) => (Object.keys(value).length === 0 ? '' : JSON.stringify(value)),
  machine: (_field, value) => value,
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

export const listKinds = { list, 'id-map': idMap }
