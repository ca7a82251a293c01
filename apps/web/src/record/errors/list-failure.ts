import type { AppError } from '@qd/core/errors'
import { errorText, type Translator } from '@qd/core/i18n'

/** What is said of a list that could not be read: the server’s own words where nothing else is known, and the lines below. */
export function listFailure(translator: Translator, error: AppError): { title: string; lines: readonly string[] } {
  const { title, details, hint = '' } = errorText(translator, error)
  const [own] = error.code === 'internal' ? details : []
  return {
    title: translator.t('ui.list.failed', { error: own ?? title }),
    lines: [...(own === undefined ? details : []), hint].filter((line) => line !== ''),
  }
}
