import { useValue } from '@legendapp/state/react'
import { AppError, isErrorCode, toAppError } from '@qd/core/errors'
import { errorText } from '@qd/core/i18n'
import { providerAddress } from '@qd/core/resources'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { notify } from '../../../base/state/overlays.ts'
import { client, records, session } from '../../../base/state/stores.ts'
import { notifyTabs } from '../../../base/state/tabs.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { Button } from '../../../ui/Button.tsx'
import { Input } from '../../../ui/inputs/Input.tsx'
import { Note } from '../../../ui/Note.tsx'
import { divider, form } from './Login.css.ts'

export function useReturn(): { error: AppError | null; needsCode: boolean } {
  const query = new URLSearchParams(useLocation().search)
  const code = query.get('oauth2')
  if (code === null || code === 'true' || !isErrorCode(code)) return { error: null, needsCode: false }
  if (code === 'codeRequired') return { error: null, needsCode: true }
  const error = new AppError(code, { provider: query.get('provider') ?? '', reason: query.get('reason') ?? '' })
  return { error, needsCode: false }
}

/** Sign-in providers, and the result of the last attempt (product spec, section 2). */
export function ProviderButtons() {
  const { t, translator } = useTexts()
  const names = useValue(() => (records.row$('setting', 1).get()?.oauth2_providers ?? []) as readonly string[])
  const [busy, setBusy] = useState<string | null>(null)
  const back = useReturn()
  const [failed, setFailed] = useState(back.error)
  const begin = async (name: string) => {
    setBusy(name)
    try {
      const path = `oauth2/${encodeURIComponent(name)}`
      location.assign(providerAddress(await client.send({ method: 'GET', path, query: { type: 1 } }, { probe: true })))
    } catch (thrown) {
      setFailed(toAppError(thrown))
      setBusy(null)
    }
  }
  const said = failed && errorText(translator, failed)
  return (
    <>
      {said && (
        <Note tone="bad" title={said.title}>
          {[...said.details, said.hint].filter(Boolean).join(' ')}
        </Note>
      )}
      {back.needsCode && <CodeForm />}
      {names.length > 0 && (
        <div className={form}>
          <div className={divider}>{t('ui.providers.divider')}</div>
          {names.map((name) => (
            <Button key={name} size="large" shape="wide" isPending={busy === name} onPress={() => void begin(name)}>
              {t('ui.providers.signIn', { provider: name })}
            </Button>
          ))}
        </div>
      )}
    </>
  )
}

function CodeForm() {
  const { t, translator } = useTexts()
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    try {
      const { recoveryLeft } = await session.claim(code)
      if (recoveryLeft !== null) notify({ tone: 'warn', title: t('ui.secondFactor.left', { count: recoveryLeft }) })
      notifyTabs('changed')
    } catch (thrown) {
      setWrong(errorText(translator, toAppError(thrown)).title)
    }
  }
  return (
    <form className={form} onSubmit={send} noValidate>
      <Input
        label={t('ui.secondFactor.code')}
        help={t('ui.secondFactor.help')}
        size="login"
        name="provider-code"
        autoComplete="one-time-code"
        value={code}
        onChange={setCode}
        error={wrong}
      />
      <Button type="submit" tone="primary" size="large" shape="wide">
        {t('ui.login.submit')}
      </Button>
    </form>
  )
}
