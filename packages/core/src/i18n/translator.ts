import { createInstance } from 'i18next'
import type { TextKey } from './keys.gen.ts'
import { type Language, listSeparator } from './languages.ts'
import type { Bundle } from './load.ts'

/** Values that a sentence names. A number is written as the language writes numbers, a list as its items with commas; an id is passed as text. */
export type TextParams = Readonly<Record<string, string | number | readonly (string | number)[]>>

/** Texts of one language. A key that has none answers the English text, else the key itself. */
export interface Translator {
  readonly language: Language
  /** The text of a key written in code. `count` chooses the plural. */
  t(key: TextKey, params?: TextParams): string
  /** The text of a key that was derived (`textKey`, `fieldKey`, `describeReach`…). */
  say(key: string, params?: TextParams): string
  has(key: string): boolean
}

/** A translator whose texts come in two parts. */
export interface GrowingTranslator extends Translator {
  /** The texts that were still on their way. */
  add(bundle: Bundle): void
}

/**
 * Builds a translator from loaded bundles; English, where it is among them, is the fallback. Values are never read as templates. With
 * `onGap` texts are still on their way: until they are added, one that is missing is empty, and `onGap` is told.
 */
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
    // A value that is missing is no reason to show a reader the template.
    missingInterpolationHandler: () => '…',
    parseMissingKeyHandler: (key) => {
      if (!isAwaiting) return key
      onGap?.()
      return ''
    },
    resources: Object.fromEntries(Object.entries(bundles).map(([name, bundle]) => [name, { translation: bundle }])),
  })
  // Made when the first number is written: its making costs a short program a tenth of its start.
  let numbers: Intl.NumberFormat | undefined
  const written = (value: TextParams[string]): string => {
    if (typeof value === 'number') {
      numbers ??= new Intl.NumberFormat(language)
      return numbers.format(value)
    }
    return typeof value === 'string' ? value : value.map(written).join(listSeparator(language))
  }
  const said = new Map<string, string>()
  /** Lists say the same words for each row. */
  const plain = (key: string): string => {
    const before = said.get(key)
    if (before !== undefined) return before
    const text = i18n.t(key, { nest: false }) as string
    // A key without a text may have come from a record.
    if (text !== key && text !== '') said.set(key, text)
    return text
  }
  const say = (key: string, params?: TextParams): string => {
    if (!params) return plain(key)
    const { count } = params
    const replace = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, written(value)]))
    return i18n.t(key, { replace, nest: false, ...(typeof count === 'number' ? { count } : {}) }) as string
  }
  const known = new Set<string>()
  const has = (key: string): boolean => {
    if (known.has(key)) return true
    const isThere = i18n.exists(key) || i18n.exists(key, { count: 1 })
    if (isThere) known.add(key)
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
    },
  }
}
