import type { AppError } from '@qd/core/errors'
import { errorText, type Translator } from '@qd/core/i18n'
import { capsOf } from '../../act/keys/keys.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import * as page from '../../ui/Page.css.ts'

/** Title and lines for a list that failed to load: the server’s own message if nothing better is known. */
export function listFailure(translator: Translator, error: AppError): { title: string; lines: readonly string[] } {
  const { title, details, hint = '' } = errorText(translator, error)
  const [own] = error.code === 'internal' ? details : []
  return {
    title: translator.t('ui.list.failed', { error: own ?? title }),
    lines: [...(own === undefined ? details : []), hint].filter((line) => line !== ''),
  }
}

export function ListFailed({ error, onRetry }: { error: AppError; onRetry: () => void }) {
  const { t, translator } = useTexts()
  const { title, lines } = listFailure(translator, error)
  return (
    <div className={page.center} role="alert">
      <div className={page.box}>
        <h2 className={page.boxTitle}>{title}</h2>
        <p className={page.boxText}>{lines.join('\n')}</p>
        <div className={page.row}>
          <Button tone="primary" icon="refresh-cw" caps={capsOf('reload')} onPress={onRetry}>
            {t('ui.live.tryNow')}
          </Button>
        </div>
      </div>
    </div>
  )
}
