import { fieldKey } from '@qd/core/define'
import { server } from '@qd/core/resources'
import { useCell, useStanding } from '../fields/cells.ts'
import { copy, shortText } from '../perform.ts'
import { useTexts } from '../texts.ts'
import { IconButton } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { Tag } from '../ui/Tags.tsx'
import * as css from './PanelFrame.css.ts'
import { Facts, PanelFrame, type PanelProps } from './PanelFrame.tsx'
import { ServerEvents } from './ServerEvents.tsx'
import { ServerLoad } from './ServerLoad.tsx'
import { ServerServices } from './ServerServices.tsx'
import { useCopied } from './use-copied.ts'

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

/** What was noted, with the button that copies it (product spec, section 4). */
function Notes({ id }: { id: number }) {
  return (['note', 'public_note'] as const).map((field) => <NoteOf key={field} id={id} field={field} />)
}

function NoteOf({ id, field }: { id: number; field: 'note' | 'public_note' }) {
  const { say, t } = useTexts()
  const shown = useCell(server, id, field, false)
  const [isCopied, setCopied] = useCopied()
  if (!shown || shown.sort === null || shown.text === '') return null
  const text = shown.full ?? shown.text
  const copyIt = async () => {
    // Clicks are passed over while the tick is shown.
    if (!isCopied) setCopied(await copy(text, text.length > shortText ? say(fieldKey(server, field)) : text))
  }
  return (
    <section className={css.section}>
      <h2 className={css.withButton}>
        {say(fieldKey(server, field))}
        <IconButton
          size="small"
          icon={isCopied ? 'check' : 'copy'}
          label={t('ui.panel.copy', { name: say(fieldKey(server, field)) })}
          onPress={() => void copyIt()}
        />
      </h2>
      <p className={css.note}>{text}</p>
    </section>
  )
}
