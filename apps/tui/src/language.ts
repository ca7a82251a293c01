import { type Language, parseLanguage } from '@qd/core/i18n'
import type { Files } from './connect/settings.ts'
import type { Io } from './io.ts'

/** The language of this run: `--lang`, QD_LANG, the project's and the user's file, then the locale of the terminal. */
export function languageOf(io: Pick<Io, 'args' | 'env'>, files: Files | null): Language {
  const { args, env } = io
  const at = args.findIndex((arg) => arg === '--lang' || arg.startsWith('--lang='))
  const flag = at < 0 ? undefined : args[at]!.includes('=') ? args[at]!.slice('--lang='.length) : args[at + 1]
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
