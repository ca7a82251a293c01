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

/** The texts and formats of the language on screen. */
export interface Texts {
  translator: Translator
  format: Format
  t: Translator['t']
  say: Translator['say']
}

interface Loaded extends Texts {
  translator: GrowingTranslator
  /** Ends when all texts are here; null before they were asked for. */
  rest: Promise<void> | null
}

const loaded: Partial<Record<Language, Loaded>> = {}
const version$ = observable(0)
let current: Loaded | null = null
let asked: Language | null = null

/** Which texts are loaded, all if undefined; those of a language chosen later are the same. */
let parts: Parts | undefined
/** Whether the page shows more than what the first texts are enough for. */
let saysAll = false
/** Whether a text was left empty because it had not come yet. */
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
  // What failed is asked for again the next time.
  await texts.rest.catch((thrown: unknown) => {
    texts.rest = null
    throw thrown
  })
}

/** Loads a language and shows it, unless another one was asked for meanwhile. */
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

/** Loads the texts that the first page does not say. What is fetched later waits for them before it is shown (`lazyPart`). */
export async function loadAllTexts(): Promise<void> {
  // A visitor's pages have theirs.
  if (parts) return
  saysAll = true
  if (!current) return
  await loadRest(current)
  if (!hasGaps) return
  hasGaps = false
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
