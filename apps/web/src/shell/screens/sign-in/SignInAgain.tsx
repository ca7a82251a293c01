import { session } from '../../../base/state/stores.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { muted } from './Login.css.ts'
import { LoginForm } from './LoginForm.tsx'

/** Signs in over the page after the session ended; the page and unsaved input stay. */
export function SignInAgain() {
  const { t } = useTexts()
  return (
    <Dialog
      title={t('ui.login.ended')}
      width={360}
      sticky
      lasting
      closeLabel={t('ui.login.leave')}
      onClose={() => session.giveUp()}
    >
      <p className={muted}>{t('ui.login.endedHelp')}</p>
      <LoginForm username={String(session.state$.profile.peek()?.username ?? '')} />
    </Dialog>
  )
}
