import type { Language } from './languages.ts'

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
