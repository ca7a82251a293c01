import { useValue } from '@legendapp/state/react'
import { type Confirm, failureTexts, sayText, usersOf } from '@qd/core/actions'
import { type AnyRow, textKey } from '@qd/core/define'
import { nounOf } from '@qd/core/i18n'
import { watchAllowed } from '@qd/core/store'
import { targetsOfAction } from '@qd/core/view'
import { type ReactNode, useEffect } from 'react'
import { live, records, session, view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Icon } from '../../ui/drawings/Icon.tsx'
import { Note } from '../../ui/Note.tsx'
import { StateMark } from '../../ui/StateMark.tsx'
import { useUsedBy } from '../detail/UsedBy.tsx'
import { TargetsView } from '../form/FormPreview.tsx'
import * as css from './ConfirmParts.css.ts'

const objectsShown = 30

export function Objects({ confirm: { objects, resource } }: { confirm: Confirm }) {
  const { t, say } = useTexts()
  const more = objects.length - objectsShown
  return (
    <Scroller count={objects.length} label={say(textKey.many(resource.name))}>
      {objects.slice(0, objectsShown).map(({ id, name, state }) => (
        <li key={id} className={css.object}>
          {resource.state && state && <StateMark tone={state.tone} label={say(state.label)} />}
          <span className={css.name} title={name}>
            {name}
          </span>
        </li>
      ))}
      {more > 0 && <li className={css.object}>{t('ui.picker.more', { count: more })}</li>}
    </Scroller>
  )
}

const fits = 8

/** A list in a question. A scrolling one is a tab stop, for the arrow keys. */
function Scroller({ count, label, children }: { count: number; label: string; children: ReactNode }) {
  return (
    <ul className={css.objects} aria-label={label} {...(count > fits ? { tabIndex: 0 } : {})}>
      {children}
    </ul>
  )
}

export function Facts({ confirm: { counts, kind, resource }, rows }: { confirm: Confirm; rows: readonly AnyRow[] }) {
  const { t, say, format, translator } = useTexts()
  // Lists that aren’t loaded yet are read while the question is open.
  const ids = kind === 'delete' ? rows.map(({ id }) => id) : []
  const users = useUsedBy(resource, ids)
  useEffect(
    () => watchAllowed(records, usersOf(resource), { viewer: session.viewer(), supports: session.supports }),
    [resource],
  )
  const hasStates = resource.state !== null && counts.length > 0
  if (!hasStates && users.length === 0) return null
  return (
    <ul className={css.facts}>
      {hasStates && (
        <li className={css.fact}>
          <span className={css.icon}>
            <Icon name="info" size={14} />
          </span>
          {format.list(counts.map(({ count, label }) => t('ui.confirm.count', { number: count, state: say(label) })))}
        </li>
      )}
      {users.map(({ icon, label, links }) => (
        <li key={label} className={css.fact}>
          <span className={css.icon}>
            <Icon name={icon} size={14} />
          </span>
          {t('ui.confirm.referring', {
            noun: nounOf(label, translator.language),
            names: links.map(({ title }) => title),
          })}
        </li>
      ))}
    </ul>
  )
}

export function Targets({ confirm: { action, resource }, rows }: { confirm: Confirm; rows: readonly AnyRow[] }) {
  const { say } = useTexts()
  useValue(() => live.now())
  const targetPreview = targetsOfAction(action, resource, rows, { view, viewer: session.viewer() })
  if (!targetPreview) return null
  const named = targetPreview.targets.online.map((id) => ({ id, name: view.title('server', id) ?? `#${id}` }))
  return (
    <>
      <TargetsView targetPreview={targetPreview} isRun />
      {named.length > 0 && (
        <Scroller count={named.length} label={say(textKey.many('server'))}>
          {named.map(({ id, name }) => (
            <li key={id} className={css.object}>
              <StateMark tone="ok" label="" decorative />
              <span className={css.name} title={name}>
                {name}
              </span>
            </li>
          ))}
        </Scroller>
      )}
    </>
  )
}

export function Warnings({ confirm: { warnings, left, resource } }: { confirm: Confirm }) {
  const { t, translator, format } = useTexts()
  const nameOf = (id: number) => view.title(resource.name, id) ?? `#${id}`
  const leftOut = failureTexts(left, { translator, format, nameOf })
  return (
    <>
      {warnings.map((warning) => (
        <Note key={warning.key} tone="warn" title={sayText(translator, warning)} />
      ))}
      {leftOut.length > 0 && (
        <Note tone="warn" title={t('ui.confirm.left')}>
          {leftOut.join(' · ')}
        </Note>
      )}
    </>
  )
}
