import type { Language } from './languages.ts'

export interface Texts {
  readonly [key: string]: string | Texts
}

/** All texts of a language by the first part of the key: `ui`, `resources`, `errors`. */
export type Bundle = Texts

/** `later`: texts that the bundler split off. */
type File = Promise<{ default: Texts; later?: () => Promise<{ default: Texts }> }>
type Part = 'ui' | 'resources' | 'errors'

/** Literal imports, so that bundlers make a chunk of each. */
const files: Readonly<Record<Language, Readonly<Record<Part, () => File>>>> = {
  'zh-CN': {
    ui: () => import('../../../../locales/zh-CN/ui.json', { with: { type: 'json' } }),
    resources: () => import('../../../../locales/zh-CN/resources.json', { with: { type: 'json' } }),
    errors: () => import('../../../../locales/zh-CN/errors.json', { with: { type: 'json' } }),
  },
  'zh-TW': {
    ui: () => import('../../../../locales/zh-TW/ui.json', { with: { type: 'json' } }),
    resources: () => import('../../../../locales/zh-TW/resources.json', { with: { type: 'json' } }),
    errors: () => import('../../../../locales/zh-TW/errors.json', { with: { type: 'json' } }),
  },
  'en-US': {
    ui: () => import('../../../../locales/en-US/ui.json', { with: { type: 'json' } }),
    resources: () => import('../../../../locales/en-US/resources.json', { with: { type: 'json' } }),
    errors: () => import('../../../../locales/en-US/errors.json', { with: { type: 'json' } }),
  },
  'ru-RU': {
    ui: () => import('../../../../locales/ru-RU/ui.json', { with: { type: 'json' } }),
    resources: () => import('../../../../locales/ru-RU/resources.json', { with: { type: 'json' } }),
    errors: () => import('../../../../locales/ru-RU/errors.json', { with: { type: 'json' } }),
  },
  'es-ES': {
    ui: () => import('../../../../locales/es-ES/ui.json', { with: { type: 'json' } }),
    resources: () => import('../../../../locales/es-ES/resources.json', { with: { type: 'json' } }),
    errors: () => import('../../../../locales/es-ES/errors.json', { with: { type: 'json' } }),
  },
  'de-DE': {
    ui: () => import('../../../../locales/de-DE/ui.json', { with: { type: 'json' } }),
    resources: () => import('../../../../locales/de-DE/resources.json', { with: { type: 'json' } }),
    errors: () => import('../../../../locales/de-DE/errors.json', { with: { type: 'json' } }),
  },
  'ta-IN': {
    ui: () => import('../../../../locales/ta-IN/ui.json', { with: { type: 'json' } }),
    resources: () => import('../../../../locales/ta-IN/resources.json', { with: { type: 'json' } }),
    errors: () => import('../../../../locales/ta-IN/errors.json', { with: { type: 'json' } }),
  },
  'it-IT': {
    ui: () => import('../../../../locales/it-IT/ui.json', { with: { type: 'json' } }),
    resources: () => import('../../../../locales/it-IT/resources.json', { with: { type: 'json' } }),
    errors: () => import('../../../../locales/it-IT/errors.json', { with: { type: 'json' } }),
  },
}

export type Parts = readonly Part[]
const allParts: Parts = ['ui', 'resources', 'errors']

/** Loads a language, or some parts of it, without texts that the bundler split off. Rejects if a file can’t be loaded. */
export async function loadLanguage(language: Language, parts: Parts = allParts): Promise<Bundle> {
  const loaded = await Promise.all(parts.map(async (part) => [part, (await files[language][part]()).default] as const))
  return Object.fromEntries(loaded)
}

/** Loads the texts that the bundler split off. */
export async function loadLater(language: Language): Promise<Bundle> {
  const loaded = await Promise.all(
    allParts.map(async (part) => {
      const { later } = await files[language][part]()
      return [part, later ? (await later()).default : {}] as const
    }),
  )
  return Object.fromEntries(loaded)
}
