import { useValue } from '@legendapp/state/react'
import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { navigate } from '../../../act/places/navigate.ts'
import { useSite, useSiteLine } from '../../../base/state/site.ts'
import { records, session } from '../../../base/state/stores.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { Logo } from '../../../ui/drawings/Logo.tsx'
import { Mascot } from '../../../ui/drawings/Mascot.tsx'
import { Note } from '../../../ui/Note.tsx'
import { LanguageMenu, ThemeMenu } from '../frame/FrameMenus.tsx'
import { box, brand, foot, grow, head, menus, muted, page } from './Login.css.ts'
import { LoginForm } from './LoginForm.tsx'
import { ProviderButtons } from './ProviderButtons.tsx'

export function Login() {
  const { t } = useTexts()
  const { name } = useSite()
  const line = useSiteLine()
  // The page requested before sign-in.
  const { asked = '/dashboard' } = (useLocation().state ?? {}) as { asked?: string }
  const isSignedIn = useValue(() => session.state$.status.get() === 'signedIn')
  const isDemo = useValue(() => session.supports('demo'))
  // Visitors' settings hold the site's name and language.
  useEffect(() => records.watch('setting'), [])
  useEffect(() => {
    document.title = name
  }, [name])
  useEffect(() => {
    if (isSignedIn) navigate(asked, { replace: true })
  }, [isSignedIn, asked])
  return (
    <div className={page}>
      <main className={box}>
        <div className={head}>
          <span className={brand}>
            <Logo size={40} />
            <Mascot />
          </span>
          <h1>{t('ui.login.title', { site: name })}</h1>
          <p className={muted}>{location.host}</p>
        </div>
        <LoginForm />
        <ProviderButtons />
        {isDemo && <Note tone="warn">{t('ui.demo.signIn')}</Note>}
        <Note icon="terminal">
          {t('ui.login.shell')} <code>{'qd login'}</code>
        </Note>
      </main>
      <footer className={foot}>
        <span>{line}</span>
        <a href="/">{t('ui.login.publicPage')}</a>
        <span className={grow} />
        <span className={menus}>
          <LanguageMenu />
          <ThemeMenu />
        </span>
      </footer>
    </div>
  )
}
