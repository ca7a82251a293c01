import { observable } from '@legendapp/state'
import { useValue } from '@legendapp/state/react'
import {
  type Bundle,
  createFormat,
  createTranslator,
  type Format,
  type Language,
  languages,
  loadLanguage,
  type Translator,
} from '@qd/core/i18n'

/** The texts and formats of the language on screen. */
export interface Texts {
  translator: Translator
  format: Format
  t: Translator['t']
  say: Translator['say']
}

const bundles: Partial<Record<Language, Bundle>> = {}
const version$ = observable(0)
let current: Texts | null = null
let asked: Language | null = null

/** Which texts are loaded; those of a language chosen later are the same. */
let parts: Parameters<typeof loadLanguage>[1]

/** Loads a language and shows it, unless another one was asked for meanwhile. English comes along as the fallback only where a text is missing. */
export async function showLanguage(language: Language, only = parts): Promise<void> {
  asked = language
  parts = only
  bundles[language] ??= await loadLanguage(language, only)
  if (asked !== language) return
  const translator = createTranslator({ language, bundles })
  current = { translator, format: createFormat({ translator }), t: translator.t, say: translator.say }
  document.documentElement.lang = language
  version$.set((version) => version + 1)
}

/** The language to show: the person's own choice, else the site's, else English (product spec, section 1). */
export function preferredLanguage(chosen: Language | null, site: unknown): Language {
  return chosen ?? languages.find((language) => language === site) ?? 'en-US'
}

/** The texts now, outside of components; tracked inside an observing context. */
export function texts(): Texts {
  version$.get()
  return current!
}

/** The texts now; the component is drawn again when the language changes. */
export function useTexts(): Texts {
  useValue(version$)
  return current!
}
