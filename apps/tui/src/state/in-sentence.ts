import type { Translator } from '@qd/core/i18n'

/** A label as it stands within a line: in small letters, but for German, whose nouns keep their capital. */
export function inSentence({ language }: Pick<Translator, 'language'>, label: string): string {
  return language.startsWith('de') ? label : label.toLocaleLowerCase(language)
}
