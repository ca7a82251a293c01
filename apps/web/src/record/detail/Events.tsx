import { useValue } from '@legendapp/state/react'
import { resourceByName } from '@qd/core/resources'
import { type EventKind, type ServerEvent, serverEvents } from '@qd/core/schemas'
import { eventRecord, eventText, headingOf, recordPath } from '@qd/core/view'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { session, view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { type AnyIcon, Icon } from '../../ui/drawings/Icon.tsx'
import { useAnswer } from '../charts/use-answer.ts'
import { useRowStatus } from '../fields/cells.ts'
import { useWaiting } from './InTurn.tsx'
import * as css from './Items.css.ts'
import * as panel from './PanelFrame.css.ts'
import type { SectionProps } from './section-props.ts'

const few = 8
const many = 200

const icons = {
  enrolled: 'plus',
  online: 'check',
  offline: 'x',
  restarted: 'power',
  'agent-version': 'circle-arrow-up',
  'ip-changed': 'globe',
  'two-agents': 'copy',
  'incident-opened': 'siren',
  'incident-closed': 'check',
  run: 'play',
} satisfies Record<EventKind, AnyIcon>

export function Events({ resource, id, section }: SectionProps<'events'>) {
  const { t, translator } = useTexts()
  const [limit, setLimit] = useState(few)
  const path = section.path.replace('{id}', String(id))
  const isKept = useValue(() => session.supports('history'))
  const status = useRowStatus(resource, id)
  const key = isKept ? JSON.stringify([path, limit, status?.option]) : ''
  const { answer, error } = useAnswer(key, [{ method: 'GET', path, query: { limit } }], ([events]) =>
    serverEvents().parse(events),
  )
  useWaiting(isKept && !answer && !error)
  if (!isKept || !answer) return null
  return (
    <section className={panel.section}>
      <h2>{headingOf(translator, resource, section)}</h2>
      {answer.length === 0 && <p className={panel.muted}>{t('ui.detail.noEvents')}</p>}
      <ol className={css.list}>
        {answer.map((event) => (
          <Event key={event.id} event={event} />
        ))}
      </ol>
      {answer.length === few && limit === few && (
        <div>
          <Button size="small" icon="history" onPress={() => setLimit(many)}>
            {t('ui.panel.moreEvents')}
          </Button>
        </div>
      )}
    </section>
  )
}

function Event({ event }: { event: ServerEvent }) {
  const { translator, format } = useTexts()
  const { at, kind } = event
  const text = eventText(translator, event)
  const record = eventRecord(event)
  return (
    <li className={css.item}>
      <time className={css.time} dateTime={at} title={format.instantFull(at)}>
        {format.instant(at, view.now)}
      </time>
      <span className={css.mark}>
        <Icon name={icons[kind]} size={14} />
      </span>
      <span className={css.text}>
        {record ? <Link to={recordPath(resourceByName(record.resource), record.id)}>{text}</Link> : text}
      </span>
    </li>
  )
}
