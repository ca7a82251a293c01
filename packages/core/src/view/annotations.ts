import type { AnyRow, ResourceName, Tone } from '../define/index.ts'
import { ItemState, itemTones } from '../resources/run.ts'
import type { ServerEvent } from '../schemas/index.ts'
import type { Surface } from './cell.ts'
import { eventRecord, eventText } from './timeline.ts'

/** An incident or a run that charts mark. `to`: when the incident closed; null if it is open; equal to `from` for a run. */
export interface Annotation {
  readonly resource: ResourceName
  readonly id: number
  readonly from: number
  readonly to: number | null
  readonly text: string
  readonly tone: Tone
}

/** From the incidents of a server and its events. Oldest first. */
export function annotationsOf(
  { translator, format, view }: Pick<Surface, 'translator' | 'format' | 'view'>,
  incidents: readonly AnyRow[],
  events: readonly ServerEvent[],
): Annotation[] {
  const { t } = translator
  const timeOf = (at: number) => format.instant(at, view.now)
  const ofIncidents = incidents.flatMap((row): Annotation[] => {
    const from = Date.parse(String(row.opened_at))
    if (Number.isNaN(from)) return []
    const to = row.closed_at === null ? null : Date.parse(String(row.closed_at))
    const name = String(row.name)
    const text =
      to === null
        ? t('ui.chart.open', { name, from: timeOf(from) })
        : t('ui.chart.incident', { name, from: timeOf(from), span: format.duration(Math.round((to - from) / 1000)) })
    return [{ resource: 'incident', id: row.id, from, to, text, tone: to === null ? 'bad' : 'warn' }]
  })
  const ofRuns = events.flatMap((event): Annotation[] => {
    const record = eventRecord(event)
    if (record?.resource !== 'run') return []
    const from = Date.parse(event.at)
    const text = t('ui.chart.event', { time: timeOf(from), text: eventText(translator, event) })
    const isFailed = event.params.state === ItemState.failure
    return [{ ...record, from, to: from, text, tone: isFailed ? itemTones.failure : 'muted' }]
  })
  return [...ofIncidents, ...ofRuns].sort((a, b) => a.from - b.from)
}

export interface Cluster {
  /** Where it stands, as a share of the range from its start. */
  readonly at: number
  readonly annotations: readonly Annotation[]
}

/** Annotations that begin or last in a range, joined where they are closer than `apart` (a share of the range). */
export function clustersOf(
  annotations: readonly Annotation[],
  { from, to }: { from: number; to: number },
  apart: number,
): Cluster[] {
  const clusters: { at: number; annotations: Annotation[] }[] = []
  for (const one of annotations) {
    if (one.from > to || (one.to !== null && one.to < from)) continue
    const at = Math.max(0, (one.from - from) / (to - from))
    const last = clusters.at(-1)
    if (last && at - last.at < apart) last.annotations.push(one)
    else clusters.push({ at, annotations: [one] })
  }
  return clusters
}
