import type { AppError } from '@qd/core/errors'
import { errorText, type Translator } from '@qd/core/i18n'

/** Title and lines for a list that failed to load: the server’s own message if nothing better is known. */
export function listFailure(translator: Translator, error: AppError): { title: string; lines: readonly string[] } {
  const { title, details, hint = '' } = errorText(translator, error)
  const [own] = error.code === 'internal' ? details : []
  return {
    title: translator.t('ui.list.failed', { error: own ?? title }),
    lines: [...(own === undefined ? details : []), hint].filter((line) => line !== ''),
  }
}
