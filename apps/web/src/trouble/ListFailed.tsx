import type { AppError } from '@qd/core/errors'
import { errorText } from '@qd/core/i18n'
import { capsOf } from '../keys/keys.ts'
import { useTexts } from '../state/texts.ts'
import { Button } from '../ui/Button.tsx'
import * as page from '../ui/Page.css.ts'

/** The list could not be read and nothing is known from before. */
export function ListFailed({ error, onRetry }: { error: AppError; onRetry: () => void }) {
  const { t, translator } = useTexts()
  const { title, details, hint } = errorText(translator, error)
  return (
    <div className={page.center} role="alert">
      <div className={page.box}>
        <h2 className={page.boxTitle}>{t('ui.list.failed', { error: title })}</h2>
        <p className={page.boxText}>{[...details, hint].filter(Boolean).join('\n')}</p>
        <div className={page.row}>
          <Button tone="primary" icon="refresh-cw" caps={capsOf('reload')} onPress={onRetry}>
            {t('ui.live.tryNow')}
          </Button>
        </div>
      </div>
    </div>
  )
}
