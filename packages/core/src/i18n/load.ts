import type { Language } from './languages.ts'

/** Texts by key, nested at the dots. */
export interface Texts {
  readonly [key: string]: string | Texts
}

/** All texts of one language, by the first part of the key: `ui`, `resources`, `errors`. */
export type Bundle = Texts

type Files = Promise<readonly [{ default: Texts }, { default: Texts }, { default: Texts }]>

/** One literal import per file, so that every bundler makes a chunk of each. */
const files: Readonly<Record<Language, () => Files>> = {
  'zh-CN': () =>
    Promise.all([
      import('../../../../locales/zh-CN/ui.json', { with: { type: 'json' } }),
      import('../../../../locales/zh-CN/resources.json', { with: { type: 'json' } }),
      import('../../../../locales/zh-CN/errors.json', { with: { type: 'json' } }),
    ]),
  'zh-TW': () =>
    Promise.all([
      import('../../../../locales/zh-TW/ui.json', { with: { type: 'json' } }),
      import('../../../../locales/zh-TW/resources.json', { with: { type: 'json' } }),
      import('../../../../locales/zh-TW/errors.json', { with: { type: 'json' } }),
    ]),
  'en-US': () =>
    Promise.all([
      import('../../../../locales/en-US/ui.json', { with: { type: 'json' } }),
      import('../../../../locales/en-US/resources.json', { with: { type: 'json' } }),
      import('../../../../locales/en-US/errors.json', { with: { type: 'json' } }),
    ]),
  'ru-RU': () =>
    Promise.all([
      import('../../../../locales/ru-RU/ui.json', { with: { type: 'json' } }),
      import('../../../../locales/ru-RU/resources.json', { with: { type: 'json' } }),
      import('../../../../locales/ru-RU/errors.json', { with: { type: 'json' } }),
    ]),
  'es-ES': () =>
    Promise.all([
      import('../../../../locales/es-ES/ui.json', { with: { type: 'json' } }),
      import('../../../../locales/es-ES/resources.json', { with: { type: 'json' } }),
      import('../../../../locales/es-ES/errors.json', { with: { type: 'json' } }),
    ]),
  'de-DE': () =>
    Promise.all([
      import('../../../../locales/de-DE/ui.json', { with: { type: 'json' } }),
      import('../../../../locales/de-DE/resources.json', { with: { type: 'json' } }),
      import('../../../../locales/de-DE/errors.json', { with: { type: 'json' } }),
    ]),
  'ta-IN': () =>
    Promise.all([
      import('../../../../locales/ta-IN/ui.json', { with: { type: 'json' } }),
      import('../../../../locales/ta-IN/resources.json', { with: { type: 'json' } }),
      import('../../../../locales/ta-IN/errors.json', { with: { type: 'json' } }),
    ]),
  'it-IT': () =>
    Promise.all([
      import('../../../../locales/it-IT/ui.json', { with: { type: 'json' } }),
      import('../../../../locales/it-IT/resources.json', { with: { type: 'json' } }),
      import('../../../../locales/it-IT/errors.json', { with: { type: 'json' } }),
    ]),
}

/** Loads the texts of one language. Rejects where the file cannot be fetched. */
export async function loadLanguage(language: Language): Promise<Bundle> {
  const [ui, resources, errors] = await files[language]()
  return { ui: ui.default, resources: resources.default, errors: errors.default }
}
