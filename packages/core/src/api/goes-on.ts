import type { Format, Translator } from '../i18n/index.ts'
import type { SignedOut } from './client.ts'

/** What a sign-out could not end; null where it ended everything. */
export function goesOnText(
  { goesOn, expiresAt }: SignedOut,
  { translator: { t }, format }: { translator: Translator; format: Format },
): string | null {
  if (!goesOn) return null
  return expiresAt === null
    ? t('ui.login.goesOnOpen')
    : t('ui.login.goesOn', { time: format.instantLong(new Date(expiresAt).toISOString()) })
}
