import { useValue } from '@legendapp/state/react'
import { fieldKey, textKey } from '@qd/core/define'
import { incident, service } from '@qd/core/resources'
import { Suspense, useEffect } from 'react'
import { Link } from 'react-router-dom'
import { Cell } from '../fields/Cell.tsx'
import { useCell } from '../fields/cells.ts'
import { lazyPart } from '../lazy-part.ts'
import { screenPath } from '../perform.ts'
import { records, session, view } from '../stores.ts'
import { useTexts } from '../texts.ts'
import { Note } from '../ui/Note.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import * as css from './PanelFrame.css.ts'
import { Facts, PanelFrame, type PanelProps } from './PanelFrame.tsx'
import * as list from './ServerEvents.css.ts'
import * as own from './ServicePanel.css.ts'
import { useFound } from './use-found.ts'

const LatencyCharts = lazyPart(async () => (await import('../charts/LatencyCharts.tsx')).LatencyCharts)

const facts = [
  'state',
  'status_since',
  'type',
  'duration',
  'reach',
  'delay',
  'up_percent',
  'cert_expires_at',
  'cert_issuer',
  'hide_for_guest',
]
/** Incidents that are shown. */
const most = 8

/** One monitored service beside the list: how it stands and was, from where it is looked at, what went wrong, whom it tells. */
export function ServicePanel(props: PanelProps) {
  const { id } = props
  const { say } = useTexts()
  const error = useCell(service, id, 'error', false)
  useEffect(() => records.watch('notification'), [])
  return (
    <PanelFrame resource={service} {...props}>
      {error && error.sort !== null && error.text !== '' && (
        <Note tone="bad" title={say(fieldKey(service, 'error'))}>
          {error.full ?? error.text}
        </Note>
      )}
      <Target id={id} />
      <Facts resource={service} id={id} fields={facts} known />
      <section className={css.section}>
        <h2>{say(fieldKey(service, 'days'))}</h2>
        <div className={own.days}>
          <Cell resource={service} id={id} column={{ field: 'days', kind: 'days', live: false }} />
        </div>
      </section>
      <Suspense fallback={<Skeleton width={280} />}>
        <LatencyCharts key={id} id={id} />
      </Suspense>
      <Tells id={id} />
      <Incidents id={id} />
    </PanelFrame>
  )
}

/** What is looked at; a web address is a link. */
function Target({ id }: { id: number }) {
  const { t } = useTexts()
  const target = useValue(() => String(records.row$('service', id).get()?.target ?? ''))
  if (!/^https?:\/\//i.test(target)) return <p className={own.target}>{target}</p>
  return (
    <p className={own.target}>
      <a href={target} target="_blank" rel="noreferrer noopener" title={t('ui.keys.openLink')}>
        {target}
      </a>
    </p>
  )
}

/** The group that is told and who is in it; with whether anything is told at all. */
function Tells({ id }: { id: number }) {
  const { t, say, format } = useTexts()
  const told = useValue(() => {
    const row = records.row$('service', id).get()
    const group = Number(row?.notification_group_id ?? 0)
    const members = view.find('notification-group', group)?.notifications as readonly number[] | undefined
    const isTold = row?.notify === true || row?.latency_notify === true
    return JSON.stringify({
      isTold,
      group: group > 0 && isTold ? (view.title('notification-group', group) ?? `#${group}`) : null,
      names: (members ?? []).map((member) => view.title('notification', member) ?? `#${member}`),
    })
  })
  const { group, names } = JSON.parse(told) as { group: string | null; names: readonly string[] }
  return (
    <section className={css.section}>
      <h2>{say(fieldKey(service, 'notification_group_id'))}</h2>
      <p className={group === null ? css.muted : undefined}>
        {group === null ? t('ui.incident.tellsNobody') : `${group}: ${format.list(names)}`}
      </p>
    </section>
  )
}

function Incidents({ id }: { id: number }) {
  const { say, format } = useTexts()
  const isKept = useValue(() => session.supports('incidents'))
  const { ids } = useFound('incident', isKept ? { q: `service_id:#${id}`, limit: most } : null)
  if (!ids?.length) return null
  return (
    <section className={css.section}>
      <h2>{say(textKey.many('incident'))}</h2>
      <ul className={list.list}>
        {ids.map((one) => (
          <li key={one} className={list.item}>
            <time className={list.time}>
              {format.instant(String(records.peek('incident', one)?.opened_at ?? 0), view.now)}
            </time>
            <Link className={list.text} to={screenPath('incident', one)}>
              <Cell resource={incident} id={one} column={{ field: 'state', kind: 'choice', live: false }} />
            </Link>
            <span className={list.side}>
              <Cell resource={incident} id={one} column={{ field: 'lasted', kind: 'duration', live: false }} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
