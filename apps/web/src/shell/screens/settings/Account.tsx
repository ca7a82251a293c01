import { useValue } from '@legendapp/state/react'
import { actionOf, allowed, fieldKey, fieldOf, type ResourceName, textKey } from '@qd/core/define'
import { account, resourceByName, setting } from '@qd/core/resources'
import { presentCell } from '@qd/core/view'
import { useEffect } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { ActionButton } from '../../../act/action-items/ActionButton.tsx'
import { ActionItemButton } from '../../../act/action-items/ActionItemButton.tsx'
import { actionItems } from '../../../act/action-items/action-items.ts'
import { notifyError } from '../../../act/perform/perform.ts'
import { navigate } from '../../../act/places/navigate.ts'
import { notify } from '../../../base/state/overlays.ts'
import { page$ } from '../../../base/state/page.ts'
import { records, session, view } from '../../../base/state/stores.ts'
import { surface } from '../../../base/state/surface.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { facts } from '../../../record/detail/PanelFrame.css.ts'
import { ErrorPage } from '../../../record/errors/ErrorPage.tsx'
import { Value } from '../../../record/fields/Value.tsx'
import { bar, grow, heading } from '../../../ui/Page.css.ts'
import { Avatar } from '../frame/Avatar.tsx'
import { useReturn } from '../sign-in/ProviderButtons.tsx'
import { BrowserSections } from './BrowserSections.tsx'
import * as css from './Settings.css.ts'
import { useReading } from './use-reading.ts'

/** Product spec, section 2. */
const counted = ['server', 'server-group'] as const satisfies readonly ResourceName[]

export function Account() {
  const texts = useTexts()
  const { say, t } = texts
  const items = useValue(() => actionItems(account, [], texts))
  const profile = useValue(session.state$.profile)
  useEffect(() => {
    page$.set({ resource: 'account', open: profile?.id ?? null })
    return () => page$.set({ resource: null, open: null })
  }, [profile?.id])
  const { error } = useReading('account')
  const back = useReturn()
  const { search } = useLocation()
  useEffect(() => {
    if (!search.includes('oauth2=')) return
    if (back.error) notifyError(back.error)
    else notify({ tone: 'ok', title: t('ui.providers.isBound') })
    navigate('/dashboard/profile', { replace: true })
  })
  if (error) return <ErrorPage isFramed thrown={error} onRetry={() => void records.load('account')} />
  if (!profile) return null
  const mayEdit = allowed(session.viewer(), actionOf(setting, 'edit'))
  return (
    <div className={css.page}>
      <div className={bar}>
        <h1 className={heading}>{say(textKey.one('account'))}</h1>
        <span className={grow} />
        {['sign-out', 'edit'].map((name) => {
          const item = items.find(({ action }) => action.name === name)
          return item && <ActionButton key={name} item={item} rows={[]} tone={name === 'edit' ? 'primary' : 'plain'} />
        })}
      </div>
      <section className={css.section}>
        <div>
          <h2>{say(textKey.group(account.name, 'credentials'))}</h2>
        </div>
        <div className={css.who}>
          <Avatar size={32} />
          <dl className={facts}>
            {account.columns.map(({ field }) => (
              <div key={field} className={css.fact}>
                <dt>{say(fieldKey(account, field))}</dt>
                <dd>
                  <Value
                    kind={fieldOf(account, field).kind}
                    shown={presentCell(surface(), { resource: account, row: profile, field })}
                  />
                </dd>
              </div>
            ))}
            {counted.map((name) => (
              <Count key={name} name={name} />
            ))}
          </dl>
        </div>
      </section>
      {parts.map(({ field, actions }) => (
        <section key={field} className={css.section}>
          <div>
            <h2>{say(fieldKey(account, field))}</h2>
          </div>
          <Part actions={actions} />
        </section>
      ))}
      {!mayEdit && <BrowserSections />}
    </div>
  )
}

/** Actions besides sign-in. */
const parts: readonly { field: string; actions: readonly string[] }[] = [
  { field: 'bound', actions: ['bind', 'unbind', 'password-off', 'password-on'] },
  { field: 'totp', actions: ['totp', 'recovery-codes', 'totp-off'] },
  { field: 'agent_secret', actions: ['show-secret', 'rotate-secret', 'end-rotation', 'renew-secret'] },
]

function Part({ actions }: { actions: readonly string[] }) {
  const texts = useTexts()
  const items = useValue(() => actionItems(account, [], texts)).filter(({ action }) => actions.includes(action.name))
  return (
    <div className={css.row}>
      {items.map((item) => (
        <ActionItemButton key={item.action.name} item={item} />
      ))}
    </div>
  )
}

function Count({ name }: { name: ResourceName }) {
  const { say, format } = useTexts()
  const count = useValue(() => (records.list$(name).loadedAt.get() === null ? null : view.all(name).length))
  return (
    <div className={css.fact}>
      <dt>{say(textKey.many(name))}</dt>
      <dd>{count !== null && <Link to={resourceByName(name)!.path}>{format.number(count)}</Link>}</dd>
    </div>
  )
}
