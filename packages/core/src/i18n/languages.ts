import { firstItem } from '../errors.ts'
export function listSeparator(language: Language): string {
  return language.startsWith('zh') ? '、' : ', '
}

/** List separators on the keyboards of our languages; blanks may belong to an item. */
export const listBreak: RegExp = /[,;\uFF0C\uFF1B\u3001\uFF64\uFE50\uFE54\n\r]/

/** Splits a list, dropping empty parts. */
export function textParts(text: string, separator: RegExp = listBreak): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Languages whose labels are capitalized but sentences aren’t. German nouns stay capitalized; Latin words in Chinese and Tamil are names. */
const lowering = /^(en|es|it|ru)/

/** A noun or label inside a sentence: lower case, except for abbreviations and names such as `2FA`, `DNS`, and `GitHub`. */
export function nounOf(noun: string, language: string): string {
  if (!lowering.test(language)) return noun
  return noun.replace(/^\p{Lu}(?=\p{Ll}+(?!\p{L}))/u, (letter) => letter.toLocaleLowerCase(language))
}

/** A label with a capital first letter, except for names such as macOS. */
export function capital(text: string, language: string): string {
  const [word = ''] = text.split(' ')
  if (word !== word.toLocaleLowerCase(language)) return text
  const [first = '', ...rest] = text
  return first.toLocaleUpperCase(language) + rest.join('')
}

/** With an indefinite article: "a server", "an alert rule". Only English needs one here. */
export function oneOf(noun: string, language: string): string {
  const plain = nounOf(noun, language)
  if (!language.startsWith('en')) return plain
  return `${/^(?!us)[aeiou]/i.test(plain) ? 'an' : 'a'} ${plain}`
}

/** `en-US` is the default and fallback. */
export const languages = ['zh-CN', 'zh-TW', 'en-US', 'ru-RU', 'es-ES', 'de-DE', 'ta-IN', 'it-IT'] as const
export type Language = (typeof languages)[number]

/** Parses a tag such as `de`, `zh_TW.UTF-8` or `es-MX` by language, then region; null if none fits. */
export function parseLanguage(tag: string): Language | null {
  const [language = '', region = ''] = firstItem(tag.split(/[.@]/)).toLowerCase().split(/[-_]/)
  const candidates = languages.filter((known) => known.toLowerCase().startsWith(`${language}-`))
  if (language === 'zh' && ['hant', 'hk', 'mo'].includes(region)) return 'zh-TW'
  return candidates.find((known) => known.toLowerCase() === `${language}-${region}`) ?? candidates[0] ?? null
}
