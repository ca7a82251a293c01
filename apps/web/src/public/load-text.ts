import type { Format, Translator } from '@qd/core/i18n'
import type { PublicServer } from './public-server.ts'

/** "memory 97 %": the metric closest to its limit. */
export function loadText(
  { t, format }: Pick<Translator, 't'> & { format: Pick<Format, 'percent'> },
  { figure, value }: NonNullable<PublicServer['load']>,
): string {
  return t(`ui.public.load.${figure}`, { value: format.percent(value) })
}
