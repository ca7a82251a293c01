import { useLocation } from 'react-router-dom'
import { navigate } from '../../act/places/navigate.ts'
import { useTexts } from '../../base/state/texts.ts'
import * as css from '../../record/trouble/ErrorPage.css.ts'
import { Button } from '../../ui/Button.tsx'

/** An address of the console that leads nowhere. */
export function NotFound() {
  const { t } = useTexts()
  const { pathname } = useLocation()
  return (
    <div className={css.page}>
      <div className={css.box}>
        <h1 className={css.title}>{t('ui.error.notFound')}</h1>
        <p className={css.text}>{t('ui.error.notFoundText', { path: pathname })}</p>
        <div className={css.row}>
          <Button tone="primary" onPress={() => navigate('/dashboard')}>
            {t('ui.error.back')}
          </Button>
        </div>
      </div>
    </div>
  )
}
