import { type ServerEvent, serverEvents } from '@qd/core/schemas'
import { eventText } from '@qd/core/view'
import { createLoaded } from '../../screen/state/loaded.ts'
import { cutLine, fitLine, line, span } from '../../screen/terminal/line.ts'
import type { SectionMaker } from './section-view.ts'

const limit = 20

/** What happened to a record, newest first; nothing if the server keeps no history. */
export const createEvents: SectionMaker<'events'> = (ui, { id, section }) => {
  const { client, translator, format, view, session } = ui.workspace
  const path = section.path.replace('{id}', String(id))
  const events = createLoaded(ui, async () =>
    serverEvents().parse(await client.send({ method: 'GET', path, query: { limit } })),
  )
  const at = (event: ServerEvent) => format.instant(event.at, view.now)
  const isKept = () => session.supports('history')
  return {
    load: () => isKept() && events.load(),
    comes: () => events.isComing,
    watch: () => (isKept() ? events.watch() : () => undefined),
    lines(_row, columns) {
      if (!events.value) return []
      if (events.value.length === 0) return [line(` ${translator.t('ui.detail.noEvents')}`, 'muted')]
      return events.value.map((event) =>
        cutLine([span(' '), ...fitLine(line(at(event), 'muted'), 11), span(eventText(translator, event))], columns),
      )
    },
    spoken: () => (events.value ?? []).map((event) => `${at(event)} ${eventText(translator, event)}`),
  }
}
