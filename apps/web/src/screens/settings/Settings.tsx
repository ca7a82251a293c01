import { useValue } from '@legendapp/state/react'
import { allowed, fieldKey, textKey, type Values } from '@qd/core/define'
import { languages } from '@qd/core/i18n'
import { setting } from '@qd/core/resources'
import { presentCell } from '@qd/core/view'
import { Suspense, useEffect, useRef } from 'react'
import { Value } from '../../fields/Value.tsx'
import { FamilyTabs } from '../../list/FamilyTabs.tsx'
import { lazyPart } from '../../state/lazy-part.ts'
import { page$ } from '../../state/page.ts'
import { records, session } from '../../state/stores.ts'
import { surface } from '../../state/surface.ts'
import { showLanguage, useTexts } from '../../state/texts.ts'
import { ErrorPage } from '../../trouble/ErrorPage.tsx'
import { Note } from '../../ui/Note.tsx'
import { bar, heading, muted } from '../../ui/Page.css.ts'
import { LanguageMenu, ThemeMenu } from '../frame/FrameMenus.tsx'
import * as css from './Settings.css.ts'
import * as nav from './SettingsNav.css.ts'
import { SettingsNav } from './SettingsNav.tsx'
import { TrialBanner } from './TrialBanner.tsx'
import { useReading } from './use-reading.ts'

const KeySettings = lazyPart(async () => (await import('./KeySettings.tsx')).KeySettings)
const InlineForm = lazyPart(async () => (await import('../../form/InlineForm.tsx')).InlineForm)

/** Settings of the site, group by group, and what belongs to this browser. */
export function Settings() {
  const { say, t, format } = useTexts()
  const row = useValue(records.row$('setting', 1))
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    page$.set({ resource: 'setting', open: 1 })
    return () => page$.set({ resource: null, open: null })
  }, [])
  const { isRead, error } = useReading('setting')
  const { edit } = setting.actions
  const mayEdit = edit !== undefined && allowed(session.viewer(), edit)
  if (error) return <ErrorPage isFramed thrown={error} onRetry={() => void records.load('setting')} />
  return (
    <>
      <FamilyTabs resource={setting} />
      {row?.trial_until && mayEdit ? <TrialBanner until={String(row.trial_until)} /> : null}
      <div className={nav.split}>
        <SettingsNav root={page} />
        <div ref={page} className={css.page}>
          <div className={bar}>
            <h1 className={heading}>{t('ui.frame.settings')}</h1>
            {!isRead && <span className={muted}>{t('ui.list.loading')}</span>}
          </div>
          {!mayEdit && (
            <section className={css.section}>
              <div />
              <Note title={t('ui.settings.adminsOnly')} />
            </section>
          )}
          {row &&
            !mayEdit &&
            setting.form.map(({ group, fields }) => (
              <section key={group} data-section={group} className={css.section}>
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
          <section data-section="browser" className={css.section}>
            <div>
              <h2>{t('ui.settings.browser')}</h2>
            </div>
            <div className={css.row}>
              <LanguageMenu />
              <ThemeMenu />
            </div>
          </section>
          <section data-section="keys" className={css.section}>
            <div>
              <h2>{t('ui.settings.keys')}</h2>
            </div>
            <Suspense>
              <KeySettings />
            </Suspense>
          </section>
          {row && isRead && mayEdit && (
            <Suspense>
              <InlineForm
                resource={setting}
                row={row}
                notes={{ history: t('ui.settings.historySize', { size: format.bytes(Number(row.history_bytes)) }) }}
                onSaved={switchLanguage(row.language)}
              />
            </Suspense>
          )}
        </div>
      </div>
    </>
  )
}

/** After the settings are saved the language is switched if it changed (product spec, section 1). */
function switchLanguage(before: unknown) {
  return ({ language }: Values) => {
    const chosen = languages.find((known) => known === language)
    if (chosen === undefined || chosen === before) return
    session.setLanguage(chosen)
    void showLanguage(chosen)
  }
}
