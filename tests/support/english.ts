import { createTranslator, loadLanguage, type TextKey, type TextParams } from '@qd/core/i18n'

/** The English texts, for tests that need a text but not its wording: the next edit of the text costs them nothing. */
export const english = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })

/** An English text as the CLI prints it after `error:`, with a small first letter. */
export function cliText(key: TextKey, params?: TextParams): string {
  const text = english.t(key, params)
  return text[0]!.toLowerCase() + text.slice(1)
}
