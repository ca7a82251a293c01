import { type Bundle, createTranslator, type Language, loadLanguage, type Translator } from '@qd/core/i18n'

/** A translator with English beneath it. */
export async function loadTranslator(language: Language): Promise<Translator> {
  const names: Language[] = language === 'en-US' ? ['en-US'] : ['en-US', language]
  const loaded = await Promise.all(names.map(async (name) => [name, await loadLanguage(name)] as const))
  const bundles: Partial<Record<Language, Bundle>> = Object.fromEntries(loaded)
  return createTranslator({ language, bundles })
}
