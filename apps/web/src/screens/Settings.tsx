import { useValue } from '@legendapp/state/react'
import { actionKey, allowed, fieldKey, textKey } from '@qd/core/define'
import { setting } from '@qd/core/resources'
import { presentCell } from '@qd/core/view'
import { useEffect } from 'react'
import { Value } from '../fields/Value.tsx'
import { capsOf } from '../keys.ts'
import { page$ } from '../page.ts'
import { perform } from '../perform.ts'
import { records, session } from '../stores.ts'
import { surface } from '../surface.ts'
import { useTexts } from '../texts.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { bar, grow, heading } from '../views/ResourceList.css.ts'
import { LanguageMenu, ThemeMenu } from './FrameMenus.tsx'
import * as css from './Settings.css.ts'

/** Settings of the site, group by group, and what belongs to this browser. */
export function Settings() {
  const { say, t } = useTexts()
  const row = useValue(records.row$('setting', 1))
  useEffect(() => {
    page$.set({ resource: 'setting', open: 1 })
    return () => page$.set({ resource: null, open: null })
  }, [])
  const { edit } = setting.actions
  const mayEdit = edit !== undefined && allowed(session.viewer(), edit)
  return (
    <div className={css.page}>
      <div className={bar}>
        <h1 className={heading}>{t('ui.frame.settings')}</h1>
        <span className={grow} />
        {mayEdit && (
          <Button
            tone="primary"
            icon={edit.icon}
            caps={capsOf('action:setting.edit')}
            onPress={() => void perform(edit, [])}
          >
            {say(actionKey(edit))}
          </Button>
        )}
      </div>
      {!mayEdit && (
        <section className={css.section}>
          <div />
          <Note title={t('ui.settings.adminsOnly')} />
        </section>
      )}
      {row &&
        setting.form.map(({ group, fields }) => (
          <section key={group} className={css.section}>
            <div>
              <h2>{say(textKey.group(setting.name, group))}</h2>
            </div>
            <dl className={css.list}>
              {fields.map(({ field }) => (
                <div key={field} className={css.fact}>
                  <dt>{say(fieldKey(setting, field))}</dt>
                  <dd>
                    <Value
                      kind={setting.fields[field]!.kind}
                      shown={presentCell(surface(), { resource: setting, row, field })}
                    />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      <section className={css.section}>
        <div>
          <h2>{t('ui.settings.browser')}</h2>
        </div>
        <div className={css.row}>
          <LanguageMenu />
          <ThemeMenu />
        </div>
      </section>
    </div>
  )
}
