import { useLocation, useNavigate } from 'react-router-dom'
import { useTexts } from '../texts.ts'
import { Button } from '../ui/Button.tsx'
import * as css from './ErrorPage.css.ts'

/** An address of the console that leads nowhere. */
export function NotFound() {
  const { t } = useTexts()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  return (
    <div className={css.page}>
      <div className={css.box}>
        <h1 className={css.title}>{t('ui.error.notFound')}</h1>
        <p className={css.text}>{t('ui.error.notFoundText', { path: pathname })}</p>
        <div className={css.row}>
          <Button tone="primary" onPress={() => void navigate('/dashboard')}>
            {t('ui.error.back')}
          </Button>
        </div>
      </div>
    </div>
  )
}
