import { fieldKey } from '@qd/core/define'
import { server } from '@qd/core/resources'
import { useCell, useStanding } from '../fields/cells.ts'
import { useTexts } from '../texts.ts'
import { Note } from '../ui/Note.tsx'
import { Tag } from '../ui/Tags.tsx'
import * as css from './PanelFrame.css.ts'
import { Facts, PanelFrame, type PanelProps } from './PanelFrame.tsx'
import { ServerEvents } from './ServerEvents.tsx'
import { ServerLoad } from './ServerLoad.tsx'
import { ServerServices } from './ServerServices.tsx'

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

/** One server beside the list: who it is, what can be done with it, how it was and is loaded, what happened to it. */
export function ServerPanel(props: PanelProps) {
  const { id } = props
  const standing = useStanding(server, id)
  return (
    <PanelFrame resource={server} tags={<Groups id={id} />} {...props}>
      {standing?.absence && <Note tone={standing.tone === 'bad' ? 'bad' : 'plain'} title={standing.absence} />}
      <Facts resource={server} id={id} fields={facts} />
      <ServerLoad id={id} />
      <ServerServices id={id} />
      <ServerEvents id={id} />
      <Notes id={id} />
    </PanelFrame>
  )
}

function Groups({ id }: { id: number }) {
  const shown = useCell(server, id, 'groups', false)
  return shown?.sort === null || !shown ? null : <Tag text={shown.text} />
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
