import { AppError } from '@qd/core/errors'
import {
  type Bundle,
  createTranslator,
  type Language,
  languages,
  loadLanguage,
  parseLanguage,
  type Translator,
} from '@qd/core/i18n'
import type { Files } from './connect/settings.ts'
import type { Io } from './io.ts'

/** Precedence: `--lang`, QD_LANG, the project's and the user's file, the terminal's locale. */
export function languageOf(io: Pick<Io, 'args' | 'env'>, files: Files | null): Language {
  const { args, env } = io
  const flag = langFlag(args)
  const user = files?.user
  const profile = user?.profiles[env.QD_PROFILE ?? user.current ?? '']
  const wishes = [flag, env.QD_LANG, files?.project?.config.language, profile?.language, user?.language]
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG
  for (const tag of [...wishes, locale]) {
    const language = tag ? parseLanguage(tag) : null
    if (language) return language
  }
  return 'en-US'
}

/** `--lang` of `qd` itself, not of a command for hosts. */
function langFlag(args: readonly string[]): string | undefined {
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  const at = own.findIndex((arg) => arg === '--lang' || arg.startsWith('--lang='))
  const flag = own[at]
  return flag?.includes('=') ? flag.slice('--lang='.length) : flag && own[at + 1]
}

/** Refuses an unknown `--lang`; a terminal's locale may be any. Errors: `usage`. */
export function demandLanguage(args: readonly string[]): void {
  const lang = langFlag(args)
  if (lang !== undefined && parseLanguage(lang) === null)
    throw new AppError('usage', { reason: 'unknownLanguage', text: lang, known: languages.join(', ') })
}

export async function loadTranslator(language: Language): Promise<Translator> {
  const names: Language[] = language === 'en-US' ? ['en-US'] : ['en-US', language]
  const loaded = await Promise.all(names.map(async (name) => [name, await loadLanguage(name)] as const))
  const bundles: Partial<Record<Language, Bundle>> = Object.fromEntries(loaded)
  return createTranslator({ language, bundles })
}
