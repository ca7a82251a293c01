import { isAboutCode, toAppError } from '@qd/core/errors'
import { errorText } from '@qd/core/i18n'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { notify } from '../../../base/state/overlays.ts'
import { session } from '../../../base/state/stores.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { Button } from '../../../ui/Button.tsx'
import { Input } from '../../../ui/inputs/Input.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { CodeInput } from './CodeInput.tsx'
import { form, muted, submit } from './Login.css.ts'

/** Asks for the password over the page before sensitive calls (behaviours N-11, R-12). */
export function StepUp() {
  const { t, translator } = useTexts()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string | null>(session.state$.profile.peek()?.totp === true ? '' : null)
  const [isBusy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<string | null>(null)
  const [wrongCode, setWrongCode] = useState<string | null>(null)
  const fields = useRef<HTMLFormElement>(null)
  const input = (index = 0) => fields.current?.querySelectorAll('input')[index]
  // After the dialog traps the focus, or a form below would take it back.
  useEffect(() => fields.current?.querySelector('input')?.focus(), [])

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (password === '') return setWrong(t('ui.login.passwordRequired'))
    setBusy(true)
    setWrong(null)
    setWrongCode(null)
    try {
      const { recoveryLeft } = await session.giveProof(password, code || undefined)
      if (recoveryLeft !== null) notify({ tone: 'warn', title: t('ui.secondFactor.left', { count: recoveryLeft }) })
    } catch (thrown) {
      const error = toAppError(thrown)
      if (isAboutCode(error)) {
        flushSync(() => {
          setCode('')
          setWrongCode(errorText(translator, error).title)
          setBusy(false)
        })
        return input(1)?.focus()
      }
      setWrong(error.code === 'wrongPassword' ? t('ui.stepUp.wrong') : errorText(translator, error).title)
      setBusy(false)
      input()?.select()
    }
  }

  return (
    <Dialog
      title={t('ui.stepUp.title')}
      width={360}
      sticky
      closeLabel={t('ui.form.cancel')}
      onClose={() => session.declineProof()}
    >
      <p className={muted}>{t('ui.stepUp.help')}</p>
      <form className={form} onSubmit={send} ref={fields} noValidate>
        <Input
          label={t('ui.login.password')}
          size="login"
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={wrong}
        />
        {code !== null && <CodeInput value={code} onChange={setCode} error={wrongCode} />}
        <div className={submit}>
          <Button type="submit" tone="primary" size="large" shape="wide" caps={['↵']} isPending={isBusy}>
            {t('ui.stepUp.submit')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
