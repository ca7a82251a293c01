import { Suspense } from 'react'
import { lazyPart } from '../../../base/state/lazy-part.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { LanguageMenu, ThemeMenu } from '../frame/FrameMenus.tsx'
import * as css from './Settings.css.ts'

const KeySettings = lazyPart(async () => (await import('./KeySettings.tsx')).KeySettings)

export function BrowserSections() {
  const { t } = useTexts()
  return (
    <>
      <section data-section="browser" className={css.section}>
        <div>
          <h2>{t('ui.settings.browser')}</h2>
        </div>
        <div className={css.row}>
          <LanguageMenu />
          <ThemeMenu />
        </div>
      </section>
      <section data-section="keys" className={css.section}>
        <div>
          <h2>{t('ui.settings.keys')}</h2>
        </div>
        <Suspense>
          <KeySettings />
        </Suspense>
      </section>
    </>
  )
}
