import { useValue } from '@legendapp/state/react'
import { fieldKey } from '@qd/core/define'
import { server } from '@qd/core/resources'
import { useCell, useStanding } from '../fields/cells.ts'
import { Value } from '../fields/Value.tsx'
import { capsOf } from '../keys.ts'
import { perform } from '../perform.ts'
import { records } from '../stores.ts'
import { useTexts } from '../texts.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Note } from '../ui/Note.tsx'
import { StateMark } from '../ui/StateMark.tsx'
import { Tag } from '../ui/Tags.tsx'
import { ActionButton } from './ActionButton.tsx'
import { offers } from './ListBar.tsx'
import { ServerCharts } from './ServerCharts.tsx'
import * as css from './ServerPanel.css.ts'

/** Actions that stand as buttons; the rest is in the menu. */
const buttons = 2
/** What the panel says of the machine, beside its title and charts. */
const facts = [
  'address',
  'uptime',
  'platform',
  'version',
  'arch',
  'country',
  'last_active',
  'hide_for_guest',
  'traffic_in',
  'traffic_out',
  'processes',
  'connections',
]

/** One server beside the list: who it is, what can be done with it, the last minutes as charts. `onMove` goes to the row above or below. */
export function ServerPanel({
  id,
  onClose,
  onMove,
}: {
  id: number
  onClose: () => void
  onMove: (step: number) => void
}) {
  const { t } = useTexts()
  const isKnown = useValue(() => records.row$('server', id).get() !== undefined)
  const standing = useStanding(server, id)
  const title = useCell(server, id, server.title, false)
  return (
    <aside className={css.panel} aria-label={title?.text ?? t('ui.panel.title')}>
      <header className={css.head}>
        <div className={css.row}>
          {standing && <StateMark tone={standing.tone} label={standing.word} />}
          <h2 className={css.name}>{title?.text}</h2>
          <span className={css.id}>{`#${id}`}</span>
          <Groups id={id} />
          {standing?.cause && <span className={css.cause}>{standing.cause}</span>}
          <span className={css.grow} />
          <IconButton
            label={t('ui.panel.previous')}
            icon="arrow-up"
            caps={capsOf('previous')}
            onPress={() => onMove(-1)}
          />
          <IconButton label={t('ui.panel.next')} icon="arrow-down" caps={capsOf('next')} onPress={() => onMove(1)} />
          <IconButton label={t('ui.frame.close')} icon="x" caps={capsOf('escape')} onPress={onClose} />
        </div>
        {isKnown && <Actions id={id} />}
      </header>
      {isKnown ? (
        <div className={css.body}>
          {standing?.absence && <Note tone={standing.tone === 'bad' ? 'bad' : 'plain'} title={standing.absence} />}
          <dl className={css.facts}>
            {facts.map((field) => (
              <Fact key={field} id={id} field={field} />
            ))}
          </dl>
          <ServerCharts id={id} />
          <Notes id={id} />
        </div>
      ) : (
        <div className={css.body}>
          <Note title={t('ui.panel.unknown', { id: String(id) })} />
        </div>
      )}
    </aside>
  )
}

function Groups({ id }: { id: number }) {
  const shown = useCell(server, id, 'groups', false)
  return shown?.sort === null || !shown ? null : <Tag text={shown.text} />
}

function Fact({ id, field }: { id: number; field: string }) {
  const { say } = useTexts()
  const shown = useCell(server, id, field, false)
  if (!shown) return null
  return (
    <>
      <dt>{say(fieldKey(server, field))}</dt>
      <dd>
        <Value kind={server.fields[field]!.kind} shown={shown} />
      </dd>
    </>
  )
}

function Actions({ id }: { id: number }) {
  const texts = useTexts()
  const row = records.peek('server', id)
  if (!row) return null
  const offered = offers(server, [row], texts).filter(({ action }) => action.on !== 'none' && action.name !== 'open')
  // What has a key is asked for most.
  const shown = [
    ...offered.filter(({ caps, action }) => caps.length > 0 && action.tone !== 'bad'),
    ...offered.filter(({ caps, action }) => caps.length === 0 || action.tone === 'bad'),
  ]
  return (
    <div className={css.actions}>
      {shown.slice(0, buttons).map((offer) => (
        <ActionButton key={offer.action.name} offer={offer} rows={[row]} />
      ))}
      <span className={css.grow} />
      {shown.length > buttons && (
        <Menu
          label={texts.t('ui.panel.more')}
          entries={shown.slice(buttons).map(({ action, label, reason, caps }) => ({
            id: action.name,
            label,
            icon: action.icon,
            caps,
            reason,
            tone: action.tone === 'bad' ? 'bad' : 'plain',
            run: () => void perform(action, [row]),
          }))}
        >
          <Button tone="ghost" icon="ellipsis">
            {texts.t('ui.panel.more')}
          </Button>
        </Menu>
      )}
    </div>
  )
}

function Notes({ id }: { id: number }) {
  const { say } = useTexts()
  const note = useCell(server, id, 'note', false)
  const publicNote = useCell(server, id, 'public_note', false)
  return (
    <>
      {[['note', note] as const, ['public_note', publicNote] as const].map(
        ([field, shown]) =>
          shown &&
          shown.sort !== null &&
          shown.text !== '' && (
            <section key={field} className={css.section}>
              <h2>{say(fieldKey(server, field))}</h2>
              <p>{shown.full ?? shown.text}</p>
            </section>
          ),
      )}
    </>
  )
}
