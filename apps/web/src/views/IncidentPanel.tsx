import { useValue } from '@legendapp/state/react'
import { fieldKey, type ResourceName, textKey } from '@qd/core/define'
import { incident, resourceByName } from '@qd/core/resources'
import type { Told } from '@qd/core/schemas'
import { Link } from 'react-router-dom'
import { useCell } from '../fields/cells.ts'
import { screenPath } from '../perform.ts'
import { records, view } from '../stores.ts'
import { useTexts } from '../texts.ts'
import { Icon } from '../ui/Icon.tsx'
import { Note } from '../ui/Note.tsx'
import { tones } from '../ui/StateMark.css.ts'
import { ResultWord } from '../ui/StateMark.tsx'
import { Tag } from '../ui/Tags.tsx'
import * as own from './IncidentPanel.css.ts'
import * as css from './PanelFrame.css.ts'
import { Facts, PanelFrame, type PanelProps } from './PanelFrame.tsx'
import * as list from './ServerEvents.css.ts'

const facts = [
  'state',
  'reading',
  'opened_at',
  'lasted',
  'closed_at',
  'source',
  'acked_by',
  'acked_at',
  'silenced_until',
]
/** What it is about, each with its page. */
const about = { server_id: 'server', service_id: 'service', rule_id: 'alert-rule' } as const satisfies Record<
  string,
  ResourceName
>

/** One incident beside the list: what fails where since when, whom it told, which tasks it started. */
export function IncidentPanel(props: PanelProps) {
  const { id } = props
  const { say } = useTexts()
  const error = useCell(incident, id, 'error', false)
  return (
    <PanelFrame resource={incident} tags={<Quiet id={id} />} {...props}>
      {error && error.sort !== null && error.text !== '' && (
        <Note tone="bad" title={say(fieldKey(incident, 'error'))}>
          {error.full ?? error.text}
        </Note>
      )}
      <Facts resource={incident} id={id} fields={facts} known />
      <About id={id} />
      <ToldWhom id={id} />
      <Runs id={id} />
    </PanelFrame>
  )
}

/** Opened while nobody was to be told. */
function Quiet({ id }: { id: number }) {
  const { say } = useTexts()
  const isQuiet = useValue(() => records.row$('incident', id).get()?.quiet === true)
  return isQuiet ? <Tag text={say(fieldKey(incident, 'quiet'))} /> : null
}

function About({ id }: { id: number }) {
  const { say } = useTexts()
  const links = useValue(() => {
    const row = records.row$('incident', id).get()
    return Object.entries(about).flatMap(([field, name]) => {
      const ref = Number(row?.[field] ?? 0)
      return ref > 0 ? [{ name, ref, title: view.title(name, ref) ?? `#${ref}` }] : []
    })
  })
  return (
    <p className={own.links}>
      {links.map(({ name, ref, title }) => (
        <Link key={name} to={pathOf(name, ref)}>
          {`${say(textKey.one(name))} ${title}`}
        </Link>
      ))}
    </p>
  )
}

/** The page of a record: its panel where there is one, else the list with just this row. */
function pathOf(name: ResourceName, id: number): string {
  if (name === 'server' || name === 'service') return screenPath(name, id)
  return `${resourceByName(name)!.path}?q=${encodeURIComponent(`id:${id}`)}`
}

function ToldWhom({ id }: { id: number }) {
  const { t, say, format } = useTexts()
  const told = useValue(() => records.row$('incident', id).get()?.told as Told | undefined) ?? []
  return (
    <section className={css.section}>
      <h2>{say(fieldKey(incident, 'notified'))}</h2>
      {told.length === 0 && <p className={css.muted}>{t('ui.incident.toldNobody')}</p>}
      <ul className={list.list}>
        {told.map(({ notification_id: notifier, name, at, ok, error }) => (
          <li key={`${notifier} ${at}`} className={list.item}>
            <time className={list.time} dateTime={at} title={format.instantFull(at)}>
              {format.instant(at, view.now)}
            </time>
            <span className={list.text}>
              {name}
              {!ok && <span className={own.reason}>{` ${error}`}</span>}
            </span>
            <ResultWord tone={ok ? 'ok' : 'bad'} text={t(ok ? 'ui.incident.sent' : 'ui.incident.notSent')} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Runs({ id }: { id: number }) {
  const { t, say } = useTexts()
  const runs = useValue(() => records.row$('incident', id).get()?.runs as readonly number[] | undefined) ?? []
  if (runs.length === 0) return null
  return (
    <section className={css.section}>
      <h2>{say(fieldKey(incident, 'runs'))}</h2>
      <ul className={own.links}>
        {runs.map((run) => (
          <li key={run}>
            <Link to={screenPath('run', run)}>
              <span className={tones.muted}>
                <Icon name="play" size={12} />
              </span>{' '}
              {t('ui.incident.run', { id: String(run) })}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
