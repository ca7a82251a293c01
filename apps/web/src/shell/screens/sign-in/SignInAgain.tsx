import { session } from '../../../base/state/stores.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { muted } from './Login.css.ts'
import { LoginForm } from './LoginForm.tsx'

/** Asked over the page when the session ended meanwhile: the page and what was typed in it stay as they are. */
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
