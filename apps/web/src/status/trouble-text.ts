import type { Translator } from '@qd/core/i18n'
import type { PublicIncident } from './watched.ts'

/** What an incident means for visitors: which server is affected, not which rule says so. */
export function troubleText(
  t: Translator['t'],
  { reading, server }: Pick<PublicIncident, 'reading'> & { server: string },
): string {
  return reading?.metric === 'offline'
    ? t('ui.public.isOffline', { name: server })
    : t('ui.public.problemOn', { server })
}
