import { createInstance } from 'i18next'
import type { TextKey } from './keys.ts'
import { type Language, listSeparator } from './languages.ts'
import type { Bundle } from './load.ts'

/** Numbers are formatted, lists are joined with commas; pass an ID as text. */
export type TextParams = Readonly<Record<string, string | number | readonly (string | number)[]>>

/** Translations for one language. A missing key falls back to English, then to the key itself. */
export interface Translator {
  readonly language: Language
  /** For a key in code. `count` selects the plural. */
  t(key: TextKey, params?: TextParams): string
  /** For a derived key (`textKey`, `fieldKey`, `describeTargets`…). */
  say(key: string, params?: TextParams): string
  has(key: string): boolean
}

export interface GrowingTranslator extends Translator {
  /** Adds texts that were still loading. */
  add(bundle: Bundle): void
}

/** More keys than there are texts. */
const maxKnown = 10_000

/** English, if loaded, is the fallback. Values are never templates. With `onGap`, texts are still loading: a missing one is empty and calls `onGap`, until `add`. */
export function createTranslator({
  language,
  bundles,
  onGap,
}: {
  language: Language
  bundles: Readonly<Partial<Record<Language, Bundle>>>
  onGap?: () => void
}): GrowingTranslator {
  const i18n = createInstance()
  let isAwaiting = onGap !== undefined
  i18n.init({
    lng: language,
    fallbackLng: 'en-US',
    initAsync: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
    // Show readers no template if a value is missing.
    missingInterpolationHandler: () => '…',
    parseMissingKeyHandler: (key) => {
      if (!isAwaiting) return key
      onGap?.()
      return ''
    },
    resources: Object.fromEntries(Object.entries(bundles).map(([name, bundle]) => [name, { translation: bundle }])),
  })
  // Created on first use: it would cost a short program a tenth of its start.
  let numbers: Intl.NumberFormat | undefined
  const written = (value: TextParams[string]): string => {
    if (typeof value === 'number') {
      numbers ??= new Intl.NumberFormat(language)
      return numbers.format(value)
    }
    return typeof value === 'string' ? value : value.map(written).join(listSeparator(language))
  }
  const said = new Map<string, string>()
  /** Cached, because lists use the same texts in each row. */
  const plain = (key: string): string => {
    const before = said.get(key)
    if (before !== undefined) return before
    const text = i18n.t(key, { nest: false }) as string
    // Don’t cache keys without text: they may come from records.
    if (text !== key && text !== '') said.set(key, text)
    return text
  }
  const say = (key: string, params?: TextParams): string => {
    if (!params) return plain(key)
    const { count } = params
    const replace = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, written(value)]))
    return i18n.t(key, { replace, nest: false, ...(typeof count === 'number' ? { count } : {}) }) as string
  }
  const known = new Map<string, boolean>()
  const has = (key: string): boolean => {
    const before = known.get(key)
    if (before !== undefined) return before
    const isThere = i18n.exists(key) || i18n.exists(key, { count: 1 })
    // Keys without text may come from records.
    if (isThere || known.size < maxKnown) known.set(key, isThere)
    return isThere
  }
  return {
    language,
    say,
    t: say,
    has,
    add: (bundle) => {
      isAwaiting = false
      i18n.addResourceBundle(language, 'translation', bundle, true)
      known.clear()
    },
  }
}
