import {
  createFormat,
  createTranslator,
  type Format,
  type Language,
  loadLanguage,
  parseLanguage,
  type Translator,
} from '@qd/core/i18n'
import { parseAccept } from 'hono/utils/accept'

const longestHeader = 1000

export type Reader = Pick<Translator, 'language' | 't'> & Pick<Format, 'duration'>

const made = new Map<Language, Promise<Reader>>()

async function make(language: Language): Promise<Reader> {
  const translator = createTranslator({ language, bundles: { [language]: await loadLanguage(language, ['ui']) } })
  const { duration } = createFormat({ translator })
  return { language, t: translator.t, duration }
}

/** The best of our languages by `Accept-Language` (RFC 9110, 12.5.4), else English. */
export function readerOf(acceptLanguage: string | undefined): Promise<Reader> {
  const wanted = parseAccept((acceptLanguage ?? '').slice(0, longestHeader)).filter(({ q }) => q > 0)
  const language = wanted.map(({ type }) => parseLanguage(type)).find((one) => one !== null) ?? 'en-US'
  const known = made.get(language) ?? make(language)
  made.set(language, known)
  return known
}
