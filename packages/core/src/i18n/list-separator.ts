import type { Language } from './languages.ts'

/** What stands between the items of a plain list. */
export function listSeparator(language: Language): string {
  return language.startsWith('zh') ? '、' : ', '
}
