import type { Cancel } from '@qd/core/api'
import { type ServerEvent, serverEvents } from '@qd/core/schemas'
import { eventText } from '@qd/core/view'
import { createLoaded } from '../app/loaded.ts'
import type { Ui } from '../app/ui.ts'
import { cutLine, fitLine, type Line, line, ruleLine, span } from '../terminal/line.ts'

const limit = 20

/** What happened to one server, newest first. */
export interface ServerEvents {
  load(): void
  watch(): Cancel
  lines(columns: number): Line[]
  texts(): string[]
}

/** Builds the section of events of a server. */
export function createServerEvents(ui: Ui, id: number): ServerEvents {
  const { client, translator, format, view } = ui.desk
  const { t } = translator
  const events = createLoaded(ui, async () =>
    serverEvents.parse(await client.send({ method: 'GET', path: `server/${id}/event`, query: { limit } })),
  )
  const at = (event: ServerEvent) => format.instant(event.at, view.now)
  return {
    load: events.load,
    watch: events.watch,
    lines(columns) {
      if (!events.value) return []
      const lines = events.value.map((event) =>
        cutLine([span(' '), ...fitLine(line(at(event), 'muted'), 11), span(eventText(translator, event))], columns),
      )
      return [
        [],
        ruleLine([span(t('ui.tui.events.title'))], columns),
        ...(lines.length > 0 ? lines : [line(` ${t('ui.tui.events.none')}`, 'muted')]),
      ]
    },
    texts: () => (events.value ?? []).map((event) => `${at(event)} ${eventText(translator, event)}`),
  }
}
