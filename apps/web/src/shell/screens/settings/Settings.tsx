import { useValue } from '@legendapp/state/react'
import { allowed, type Values } from '@qd/core/define'
import { languages } from '@qd/core/i18n'
import { setting } from '@qd/core/resources'
import { Suspense, useEffect, useRef } from 'react'
import { Navigate } from 'react-router-dom'
import { ActionItemButton } from '../../../act/action-items/ActionItemButton.tsx'
import { actionItems } from '../../../act/action-items/action-items.ts'
import { useFamily } from '../../../act/places/navigation.ts'
import { useSeconds } from '../../../base/hooks/use-timers.ts'
import { lazyPart } from '../../../base/state/lazy-part.ts'
import { page$ } from '../../../base/state/page.ts'
import { records, session } from '../../../base/state/stores.ts'
import { showLanguage, useTexts } from '../../../base/state/texts.ts'
import { ErrorPage } from '../../../record/errors/ErrorPage.tsx'
import { FamilyTabs, useFamilyKeys } from '../../../record/list/FamilyTabs.tsx'
import { Banner } from '../../../ui/Note.tsx'
import { bar, heading, muted } from '../../../ui/Page.css.ts'
import { BrowserSections } from './BrowserSections.tsx'
import * as css from './Settings.css.ts'
import { SettingsNav } from './SettingsNav.tsx'
import { useReading } from './use-reading.ts'

/** Settings on trial: when they revert, and how to keep them (behaviour D6). */
function TrialBanner({ until }: { until: string }) {
  const texts = useTexts()
  const { t, format } = texts
  const left = Math.max(0, Math.ceil((Date.parse(until) - useSeconds(true)) / 1000))
  const items = useValue(() => actionItems(setting, [], texts)).filter(({ action }) => ends.includes(action.name))
  return (
    <Banner
      tone="warn"
      title={t('ui.settings.trial', { span: format.duration(left) })}
      action={items.map((item) => <ActionItemButton key={item.action.name} item={item} />)}
    />
  )
}

const ends: readonly string[] = ['keep', 'revert']

const InlineForm = lazyPart(async () => (await import('../../../record/form/InlineForm.tsx')).InlineForm)

/** Site and browser settings; without the right to change them, redirects (product spec, section 6). */
export function Settings() {
  const { t, format } = useTexts()
  const row = useValue(() => records.row$('setting', 1).get())
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    page$.set({ resource: 'setting', open: 1 })
    return () => page$.set({ resource: null, open: null })
  }, [])
  useFamilyKeys(setting)
  const { isRead, error } = useReading('setting')
  const { edit } = setting.actions
  const mayEdit = edit !== undefined && allowed(session.viewer(), edit)
  const [home] = useFamily(setting)
  if (!mayEdit && home) return <Navigate to={home.path} replace />
  if (error) return <ErrorPage isFramed thrown={error} onRetry={() => void records.load('setting')} />
  return (
    <>
      <FamilyTabs resource={setting} />
      {row?.trial_until ? <TrialBanner until={String(row.trial_until)} /> : null}
      <div className={css.split}>
        <SettingsNav root={page} />
        <div ref={page} className={css.page}>
          <div className={bar}>
            <h1 className={heading}>{t('ui.frame.settings')}</h1>
            {!isRead && <span className={muted}>{t('ui.list.loading')}</span>}
          </div>
          <BrowserSections />
          {row && isRead && (
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

/** Switches the language after saving (product spec, section 1). */
function switchLanguage(before: unknown) {
  return ({ language }: Values) => {
    const chosen = languages.find((known) => known === language)
    if (chosen === undefined || chosen === before) return
    session.setLanguage(chosen)
    void showLanguage(chosen)
  }
}
