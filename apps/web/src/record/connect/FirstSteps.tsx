import { useValue } from '@legendapp/state/react'
import { firstSteps } from '@qd/core/view'
import { useEffect, useState } from 'react'
import { perform } from '../../act/perform/perform.ts'
import { navigate } from '../../act/places/navigate.ts'
import { settingPath } from '../../act/places/setting-link.ts'
import { ports } from '../../base/ports.ts'
import { isAnswered, records, session, view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Icon } from '../../ui/drawings/Icon.tsx'
import * as css from './FirstSteps.css.ts'
import { dismissFirstSteps } from './first-steps-dismissed.ts'

/** Setup steps of a new installation, until done or dismissed. */
export function FirstSteps({ onDismiss }: { onDismiss: () => void }) {
  const { t } = useTexts()
  const steps = useValue(() => {
    const account = session.state$.profile.get()
    return firstSteps(view, { viewer: session.viewer(), account, supports: session.supports })
  })
  const [lists] = useState(() => [...new Set(steps.map(({ action }) => action.resource))])
  useEffect(() => {
    const stops = lists.filter((name) => !records.isWatched(name)).map((name) => records.watch(name))
    return () => {
      for (const stop of stops) stop()
    }
  }, [lists])
  const isLoaded = useValue(() => lists.every(isAnswered))
  const done = steps.filter(({ isDone }) => isDone).length
  const isOver = isLoaded && done === steps.length
  // Shows the completed list once more, so that the page doesn't move; the next page is without it.
  useEffect(() => {
    if (isOver) dismissFirstSteps(ports.storage, session.viewer().id)
  }, [isOver])
  if (!isLoaded) return null
  return (
    <section className={css.card} aria-label={t('ui.first.title')}>
      <b>{t('ui.first.title')}</b>
      <span className={css.count}>{t('ui.first.done', { done, total: steps.length })}</span>
      <div className={css.steps}>
        {[...steps.filter(({ isDone }) => !isDone), ...steps.filter(({ isDone }) => isDone)].map(
          ({ step, action, field, isDone }) =>
            isDone ? (
              <span key={step} className={css.done}>
                <Icon name="check" size={14} />
                {t(`ui.first.steps.${step}`)}
              </span>
            ) : (
              <Button
                key={step}
                size="small"
                onPress={() => (field === null ? void perform(action, []) : navigate(settingPath(field)))}
              >
                {t(`ui.first.steps.${step}`)}
              </Button>
            ),
        )}
      </div>
      <IconButton label={t('ui.first.dismiss')} icon="x" onPress={onDismiss} />
    </section>
  )
}
