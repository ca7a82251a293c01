import { isFirstPassword } from '@qd/core/api'
import { isAboutCode, toAppError } from '@qd/core/errors'
import { type ErrorText, errorText } from '@qd/core/i18n'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { notify, unsay } from '../../../base/state/overlays.ts'
import { session } from '../../../base/state/stores.ts'
import { notifyTabs } from '../../../base/state/tabs.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Input } from '../../../ui/inputs/Input.tsx'
import { Note } from '../../../ui/Note.tsx'
import { CodeInput } from './CodeInput.tsx'
import { form, submit } from './Login.css.ts'

const usernameMin = 2

interface Wrong {
  username?: string
  password?: string
  code?: string
  answer?: ErrorText
}

/** Used by the page and by the dialog. `username`: known user. */
export function LoginForm({ username: known = '', onDone }: { username?: string; onDone?: () => void }) {
  const { t, translator } = useTexts()
  const [username, setUsername] = useState(known)
  const [password, setPassword] = useState('')
  /** Null until the server asks for it. */
  const [code, setCode] = useState<string | null>(null)
  const [isShown, setShown] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Wrong>({})
  const fields = useRef<HTMLFormElement>(null)

  const send = async (event: FormEvent) => {
    event.preventDefault()
    const problems: Wrong = {
      ...(username.length < usernameMin ? { username: t('ui.login.usernameMin', { number: usernameMin }) } : {}),
      ...(password === '' ? { password: t('ui.login.passwordRequired') } : {}),
    }
    setWrong(problems)
    if (problems.username || problems.password)
      return fields.current?.querySelectorAll('input')[problems.username ? 0 : 1]?.focus()
    setBusy(true)
    try {
      const { recoveryLeft } = await session.signIn(username, password, code ?? undefined)
      if (recoveryLeft !== null) notify({ tone: 'warn', title: t('ui.secondFactor.left', { count: recoveryLeft }) })
      if (isFirstPassword(username, password)) notify({ tone: 'warn', title: t('ui.login.firstPassword') })
      notifyTabs('changed')
      onDone?.()
    } catch (thrown) {
      const error = toAppError(thrown)
      const answer = errorText(translator, error)
      setBusy(false)
      if (isAboutCode(error)) {
        // The first time it is only requested.
        setWrong(code === null ? {} : { code: [answer.title, ...answer.details].join(' ') })
        flushSync(() => setCode(''))
        return fields.current?.querySelectorAll('input')[2]?.focus()
      }
      setWrong({ answer })
      // The form's message replaces the page's.
      unsay('sign-in')
      fields.current?.querySelectorAll('input')[1]?.select()
    }
  }

  const reveal = isShown ? t('ui.login.hide') : t('ui.login.show')
  return (
    <form className={form} onSubmit={send} ref={fields} noValidate>
      <Input
        label={t('ui.login.username')}
        size="login"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={known === ''}
        value={username}
        onChange={setUsername}
        error={wrong.username}
      />
      <Input
        label={t('ui.login.password')}
        size="login"
        name="password"
        type={isShown ? 'text' : 'password'}
        autoComplete="current-password"
        autoFocus={known !== ''}
        value={password}
        onChange={setPassword}
        error={wrong.password}
        end={
          <IconButton
            size="small"
            label={reveal}
            icon={isShown ? 'eye-off' : 'eye'}
            onPress={() => setShown(!isShown)}
          />
        }
      />
      {code !== null && <CodeInput value={code} onChange={setCode} error={wrong.code} />}
      {wrong.answer && (
        <Note tone="bad" title={wrong.answer.title}>
          {[...wrong.answer.details, wrong.answer.hint].map((line) => line && <div key={line}>{line}</div>)}
        </Note>
      )}
      <div className={submit}>
        <Button type="submit" tone="primary" size="large" shape="wide" caps={['↵']} isPending={isBusy}>
          {t('ui.login.submit')}
        </Button>
      </div>
    </form>
  )
}
