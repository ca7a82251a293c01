import { useValue } from '@legendapp/state/react'
import { useEffect } from 'react'
import { navigate } from '../navigate.ts'
import { useSite } from '../site.ts'
import { session } from '../stores.ts'
import { useTexts } from '../texts.ts'
import { Logo } from '../ui/Logo.tsx'
import { Note } from '../ui/Note.tsx'
import { LanguageMenu, ThemeMenu } from './FrameMenus.tsx'
import { box, foot, grow, head, menus, muted, page } from './Login.css.ts'
import { LoginForm } from './LoginForm.tsx'

/** The sign-in page. */
export function Login() {
  const { t } = useTexts()
  const { name, version, years } = useSite()
  const isSignedIn = useValue(() => session.state$.status.get() === 'signedIn')
  useEffect(() => {
    if (isSignedIn) navigate('/dashboard', { replace: true })
  }, [isSignedIn])
  return (
    <div className={page}>
      <main className={box}>
        <div className={head}>
          <Logo size={40} />
          <h1>{t('ui.login.title', { site: name })}</h1>
          <p className={muted}>{location.host}</p>
        </div>
        <LoginForm />
        <Note icon="terminal">
          {t('ui.login.shell')} <code>{'qd login'}</code>
        </Note>
      </main>
      <footer className={foot}>
        <span>{version === '' ? name : t('ui.frame.version', { name, version })}</span>
        <span>{years}</span>
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
