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

/** Most of a header that is read. */
const longestHeader = 1000

/** How a page speaks that the server writes itself, before any front end is there. */
export type Reader = Pick<Translator, 'language' | 't'> & Pick<Format, 'duration'>

const made = new Map<Language, Promise<Reader>>()

async function make(language: Language): Promise<Reader> {
  const translator = createTranslator({ language, bundles: { [language]: await loadLanguage(language, ['ui']) } })
  const { duration } = createFormat({ translator })
  return { language, t: translator.t, duration }
}

/** The texts for who sent this `Accept-Language`: the first of the eight languages by its weights (RFC 9110, 12.5.4), else English. */
export function readerOf(acceptLanguage: string | undefined): Promise<Reader> {
  const wanted = parseAccept((acceptLanguage ?? '').slice(0, longestHeader)).filter(({ q }) => q > 0)
  const language = wanted.map(({ type }) => parseLanguage(type)).find((one) => one !== null) ?? 'en-US'
  const known = made.get(language) ?? make(language)
  made.set(language, known)
  return known
}
