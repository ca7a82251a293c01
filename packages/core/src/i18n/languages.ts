import { firstItem } from '../errors/index.ts'
/** What stands between the items of a plain list. */
export function listSeparator(language: Language): string {
  return language.startsWith('zh') ? '、' : ', '
}

/** What the keyboards of our languages type between the items of a list; blanks may belong to an item. */
export const listBreak: RegExp = /[,;\uFF0C\uFF1B\u3001\uFF64\uFE50\uFE54\n\r]/

/** The parts of a text with separators (`listBreak`, or others), empty ones dropped. */
export function textParts(text: string, separator: RegExp = listBreak): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Languages whose labels begin with a capital and whose sentences don't repeat it. German nouns keep theirs, and Latin words in Chinese and Tamil are names. */
const lowering = /^(en|es|it|ru)/

/** Returns a noun or label as it stands inside a sentence: with a small first letter, except in abbreviations and names such as `2FA`, `DNS`, and `GitHub`. */
export function nounOf(noun: string, language: string): string {
  if (!lowering.test(language)) return noun
  return noun.replace(/^\p{Lu}(?=\p{Ll}+(?!\p{L}))/u, (letter) => letter.toLocaleLowerCase(language))
}

/** The same for one of its kind: "a server", "an alert rule". Other languages than English need no article where we say one. */
export function oneOf(noun: string, language: string): string {
  const plain = nounOf(noun, language)
  if (!language.startsWith('en')) return plain
  return `${/^(?!us)[aeiou]/i.test(plain) ? 'an' : 'a'} ${plain}`
}

/** The eight languages; `en-US` is the default and the fallback. */
export const languages = ['zh-CN', 'zh-TW', 'en-US', 'ru-RU', 'es-ES', 'de-DE', 'ta-IN', 'it-IT'] as const
export type Language = (typeof languages)[number]

/** The language for a tag such as `de`, `zh_TW.UTF-8` or `es-MX`, by its language and then its region; null if none fits. */
export function parseLanguage(tag: string): Language | null {
  const [language = '', region = ''] = firstItem(tag.split(/[.@]/)).toLowerCase().split(/[-_]/)
  const candidates = languages.filter((known) => known.toLowerCase().startsWith(`${language}-`))
  if (language === 'zh' && ['hant', 'hk', 'mo'].includes(region)) return 'zh-TW'
  return candidates.find((known) => known.toLowerCase() === `${language}-${region}`) ?? candidates[0] ?? null
}
