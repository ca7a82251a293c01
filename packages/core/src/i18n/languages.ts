/** The eight languages; `en-US` is the default and the fallback. */
export const languages = ['zh-CN', 'zh-TW', 'en-US', 'ru-RU', 'es-ES', 'de-DE', 'ta-IN', 'it-IT'] as const
export type Language = (typeof languages)[number]

/** The language for a tag such as `de`, `zh_TW.UTF-8` or `es-MX`, by its language and then its region; null if none fits. */
export function parseLanguage(tag: string): Language | null {
  const [language = '', region = ''] = tag.split(/[.@]/)[0]!.toLowerCase().split(/[-_]/)
  const candidates = languages.filter((known) => known.toLowerCase().startsWith(`${language}-`))
  if (language === 'zh' && ['hant', 'hk', 'mo'].includes(region)) return 'zh-TW'
  return candidates.find((known) => known.toLowerCase() === `${language}-${region}`) ?? candidates[0] ?? null
}
