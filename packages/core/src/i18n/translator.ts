import type { TextKey } from './keys.gen.ts'
import type { Language } from './languages.ts'
import { listSeparator } from './list-separator.ts'
import type { Bundle, Texts } from './load.ts'

/** Values that a sentence names. A number is written as the language writes numbers, a list as its items with commas; an id is passed as text. */
export type TextParams = Readonly<Record<string, string | number | readonly (string | number)[]>>

/** Texts of one language. A key that has none answers the English text, else the key itself. */
export interface Translator {
  readonly language: Language
  /** The text of a key written in code. `count` chooses the plural. */
  t(key: TextKey, params?: TextParams): string
  /** The text of a key that was derived (`textKey`, `fieldKey`, `describeReach`…). */
  say(key: string, params?: TextParams): string
  has(key: string): boolean
}

/** Builds a translator from loaded bundles; English, where it is among them, is the fallback. Values are never read as templates. */
export function createTranslator({
  language,
  bundles,
}: {
  language: Language
  bundles: Readonly<Partial<Record<Language, Bundle>>>
}): Translator {
  // Made when the first number is written: its making costs a short program a tenth of its start.
  let numbers: Intl.NumberFormat | undefined
  const written = (value: TextParams[string]): string => {
    if (typeof value === 'number') {
      numbers ??= new Intl.NumberFormat(language)
      return numbers.format(value)
    }
    return typeof value === 'string' ? value : value.map(written).join(listSeparator(language))
  }
  const plurals = new Map<Language, Intl.PluralRules>()
  const pluralOf = (name: Language, count: number): string => {
    const rules = plurals.get(name) ?? new Intl.PluralRules(name)
    plurals.set(name, rules)
    return rules.select(count)
  }
  /** The text of one language: with a count the form for that count, else `_other`. */
  const find = (name: Language, key: string, count: TextParams[string] | undefined): string | undefined => {
    const bundle = bundles[name]
    if (!bundle) return undefined
    const forms = typeof count === 'number' ? [`${key}_${pluralOf(name, count)}`, `${key}_other`, key] : [key]
    return forms.map((form) => textAt(bundle, form)).find((text) => text !== undefined)
  }
  const say = (key: string, params: TextParams = {}): string => {
    const { count } = params
    const text = find(language, key, count) ?? find('en-US', key, count)
    return text?.replace(placeholder, (whole, name: string) => (name in params ? written(params[name]!) : whole)) ?? key
  }
  const has = (key: string) =>
    [language, 'en-US' as const].some((name) => (find(name, key, undefined) ?? find(name, key, 1)) !== undefined)
  return { language, say, t: say, has }
}

const placeholder = /\{\{(\w+)\}\}/g

/** The text at a dotted key; undefined where there is none. */
function textAt(texts: Texts, key: string): string | undefined {
  let node: string | Texts | undefined = texts
  for (const part of key.split('.')) node = typeof node === 'object' ? node[part] : undefined
  return typeof node === 'string' ? node : undefined
}
