import type { AnyRow, ResourceName, SectionOf, Tone } from '../define/index.ts'
import { plainLines, plainText } from '../fields/index.ts'
import type { Translator } from '../i18n/index.ts'
import type { Deliveries, IncidentResponse, ServerEvent } from '../schemas/index.ts'
import type { Surface } from './cell.ts'

export interface Moment {
  readonly at: string
  readonly kind: 'opened' | 'closed' | 'told' | IncidentResponse['kind']
  readonly text: string
  /** The outcome, if there is one. */
  readonly result: { readonly text: string; readonly tone: Tone } | null
  /** The run that it started; 0 for none. */
  readonly run: number
}

/** The events of a record, oldest first. Texts at `ui.timeline.<kind>`. */
export function momentsOf(
  { translator, format, view }: Pick<Surface, 'translator' | 'format' | 'view'>,
  row: AnyRow,
  section: SectionOf<'timeline'>,
): Moment[] {
  const { t } = translator
  const end = (kind: 'opened' | 'closed'): Moment[] => {
    const at = row[section[kind]] as string | null
    return at === null ? [] : [{ at, kind, text: t(`ui.timeline.${kind}`), result: null, run: 0 }]
  }
  const deliveries = ((row[section.told] ?? []) as Deliveries).map(({ name, at, ok, error }): Moment => {
    const result = { text: t(ok ? 'ui.incident.sent' : 'ui.incident.notSent'), tone: ok ? 'ok' : 'bad' } as const
    return { at, kind: 'told', text: plainText(error === '' ? name : `${name}: ${error}`), result, run: 0 }
  })
  const done = ((row[section.responses] ?? []) as readonly IncidentResponse[]).map(
    ({ at, kind, by, text, until, run }): Moment => {
      const name = view.title('run', run) ?? `#${run}`
      const said = t(`ui.timeline.${kind}`, {
        by,
        text,
        until: until === null ? '' : format.instant(until, view.now),
        name,
      })
      return { at, kind, text: plainLines(said), result: null, run }
    },
  )
  // The sort is stable: events at the same time keep their possible order.
  return [...end('opened'), ...deliveries, ...done, ...end('closed')].sort(
    (a, b) => Date.parse(a.at) - Date.parse(b.at),
  )
}

/** A server’s event in one line: "Ran backup: failure". */
export function eventText({ say, has }: Translator, { kind, params }: ServerEvent): string {
  const state = `ui.run.states.${params.state}`
  return plainText(say(`ui.events.${kind}`, { ...params, ...(has(state) && { state: say(state) }) }))
}

/** The record that an event tells about; null if none. */
export function eventRecord({ kind, params }: ServerEvent): { resource: ResourceName; id: number } | null {
  const resource = kind === 'run' ? 'run' : 'incident'
  const id = Number(kind === 'run' ? params.run_id : params.incident)
  return id > 0 ? { resource, id } : null
}
