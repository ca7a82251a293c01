import type { Format, Translator } from '@qd/core/i18n'
import { useUi } from './use-ui.ts'

/** Texts, numbers and times in the language of the program. */
export function useTexts(): Pick<Translator, 't' | 'say'> & { readonly format: Format } {
  const { translator, format } = useUi().workspace
  return { t: translator.t, say: translator.say, format }
}
