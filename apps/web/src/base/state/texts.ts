import { observable } from '@legendapp/state'
import { useValue } from '@legendapp/state/react'
import {
  createFormat,
  createTranslator,
  type Format,
  type GrowingTranslator,
  type Language,
  languages,
  loadLanguage,
  loadLater,
  type Parts,
  type Translator,
} from '@qd/core/i18n'

export interface Texts {
  translator: Translator
  format: Format
  t: Translator['t']
  say: Translator['say']
}

interface Loaded extends Texts {
  translator: GrowingTranslator
  rest: Promise<void> | null
}

const loaded: Partial<Record<Language, Loaded>> = {}
const version$ = observable(0)
let current: Loaded | null = null
let asked: Language | null = null

/** Loaded parts of the texts, all if undefined; also used for a language chosen later. */
let parts: Parts | undefined
/** Whether the page needs more than the first texts. */
let saysAll = false
let hasGaps = false

async function load(language: Language): Promise<Loaded> {
  const bundle = await loadLanguage(language, parts)
  const onGap = () => {
    hasGaps = true
  }
  const translator = createTranslator({ language, bundles: { [language]: bundle }, ...(parts ? {} : { onGap }) })
  return { translator, format: createFormat({ translator }), t: translator.t, say: translator.say, rest: null }
}

async function loadRest(texts: Loaded): Promise<void> {
  const { translator } = texts
  texts.rest ??= loadLater(translator.language).then((more) => translator.add(more))
  // A failed load is retried the next time.
  await texts.rest.catch((thrown: unknown) => {
    texts.rest = null
    throw thrown
  })
}

/** Loads and shows a language, unless another was requested meanwhile. */
export async function showLanguage(language: Language, only = parts): Promise<void> {
  asked = language
  parts = only
  loaded[language] ??= await load(language)
  if (saysAll) await loadRest(loaded[language])
  if (asked !== language) return
  current = loaded[language]
  document.documentElement.lang = language
  version$.set((version) => version + 1)
}

export async function loadAllTexts(): Promise<void> {
  // Public pages load their own.
  if (parts) return
  saysAll = true
  if (!current) return
  await loadRest(current)
  if (!hasGaps) return
  hasGaps = false
  version$.set((version) => version + 1)
}

/** The language to show: the viewer’s choice, else the site’s, else English (product spec, section 1). */
export function preferredLanguage(chosen: Language | null, site: unknown): Language {
  return chosen ?? languages.find((language) => language === site) ?? 'en-US'
}

export function texts(): Texts {
  version$.get()
  return current!
}

export function useTexts(): Texts {
  useValue(version$)
  return current!
}
