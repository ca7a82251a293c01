import { useValue } from '@legendapp/state/react'
import { actionKey, fieldKey, textKey } from '@qd/core/define'
import { account } from '@qd/core/resources'
import { presentCell } from '@qd/core/view'
import { useEffect } from 'react'
import { Value } from '../fields/Value.tsx'
import { capsOf } from '../keys.ts'
import { page$ } from '../page.ts'
import { perform } from '../perform.ts'
import { session } from '../stores.ts'
import { surface } from '../surface.ts'
import { useTexts } from '../texts.ts'
import { Button } from '../ui/Button.tsx'
import { Identicon } from '../ui/Identicon.tsx'
import { facts } from '../views/PanelFrame.css.ts'
import { bar, grow, heading } from '../views/ResourceList.css.ts'
import * as css from './Settings.css.ts'

/** Who is signed in, and changing name or password. */
export function Account() {
  const { say, t } = useTexts()
  const profile = useValue(session.state$.profile)
  useEffect(() => {
    page$.set({ resource: 'account', open: profile?.id ?? null })
    return () => page$.set({ resource: null, open: null })
  }, [profile?.id])
  if (!profile) return null
  const { edit, 'sign-out': signOut } = account.actions
  return (
    <div className={css.page}>
      <div className={bar}>
        <h1 className={heading}>{t('ui.frame.profile')}</h1>
        <span className={grow} />
        {signOut && (
          <Button icon={signOut.icon} onPress={() => void perform(signOut, [])}>
            {say(actionKey(signOut))}
          </Button>
        )}
        {edit && (
          <Button
            tone="primary"
            icon={edit.icon}
            caps={capsOf('action:account.edit')}
            onPress={() => void perform(edit, [])}
          >
            {say(actionKey(edit))}
          </Button>
        )}
      </div>
      <section className={css.section}>
        <div>
          <h2>{say(textKey.one(account.name))}</h2>
        </div>
        <div className={css.who}>
          <Identicon name={String(profile.username)} size={32} />
          <dl className={facts}>
            {account.columns.map(({ field }) => (
              <div key={field} className={css.fact}>
                <dt>{say(fieldKey(account, field))}</dt>
                <dd>
                  <Value
                    kind={account.fields[field]!.kind}
                    shown={presentCell(surface(), { resource: account, row: profile, field })}
                  />
                </dd>
              </div>
            ))}
          </dl>
        </div>
      </section>
    </div>
  )
}
