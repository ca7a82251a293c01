import { useValue } from '@legendapp/state/react'
import { incident, resourceByName } from '@qd/core/resources'
import { serverEvents } from '@qd/core/schemas'
import { type Annotation, annotationsOf, type Cluster, clustersOf, recordPath } from '@qd/core/view'
import { type CSSProperties, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { navigate } from '../../act/places/navigate.ts'
import { useWidth } from '../../base/hooks/use-size.ts'
import type { Zoom } from '../../base/state/charts.ts'
import { records, session, view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Icon } from '../../ui/drawings/Icon.tsx'
import { Menu } from '../../ui/overlays/Menu.tsx'
import type { MenuButtonProps } from '../../ui/overlays/menu-props.ts'
import { useFound } from '../detail/use-found.ts'
import * as css from './Charts.css.ts'
import { useAnswer } from './use-answer.ts'

const maxIncidents = 100
const maxRuns = 200

/** Incidents and runs of a server. They never replace its charts: what can’t be read is left out. */
export function useAnnotations(id: number, { from, to }: Zoom): readonly Annotation[] {
  const { translator, format } = useTexts()
  const hasIncidents = useValue(() => incident.requires === null || session.supports(incident.requires))
  const { ids } = useFound(incident.name, hasIncidents ? { q: `server_id:#${id}`, limit: maxIncidents } : null)
  const version = useValue(() => records.version$(incident.name).get())
  const hasEvents = useValue(() => session.supports('history'))
  const query = { kind: 'run', from: Math.round(from), to: Math.round(to), limit: maxRuns }
  const { answer: events } = useAnswer(
    hasEvents ? JSON.stringify([id, query]) : '',
    [{ method: 'GET', path: `server/${id}/event`, query }],
    ([found]) => serverEvents().parse(found),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: a stored incident keeps its identity when its fields change
  return useMemo(() => {
    const rows = (ids ?? []).flatMap((one) => records.peek(incident.name, one) ?? [])
    return annotationsOf({ translator, format, view }, rows, events ?? [])
  }, [ids, version, events, translator, format])
}

const toneOf = ({ tone }: Annotation) => (tone === 'bad' || tone === 'warn' ? tone : 'muted')

/** When each began and ended, behind the lines of a chart. */
export function AnnotationSpans({ annotations, range }: { annotations: readonly Annotation[]; range: Zoom }) {
  const shareOf = (at: number) => Math.max(0, Math.min(1, (at - range.from) / (range.to - range.from)))
  return (
    <div className={css.spans} aria-hidden="true">
      {annotations.map((one) => {
        if (one.from > range.to || (one.to !== null && one.to < range.from)) return null
        const [start, end] = [shareOf(one.from), one.to === null ? 1 : shareOf(one.to)]
        const place = { left: `${start * 100}%`, width: `${(end - start) * 100}%` }
        return <span key={`${one.resource} ${one.id}`} className={css.spanOf[toneOf(one)]} style={place} />
      })}
    </div>
  )
}

/** Px below which marks would cover each other. */
const apart = 16
const maxLines = 5

/** The marks of a chart: pointing at one says what happened, pressing it opens the record. `isReachable`: by Tab. */
export function AnnotationLane({
  annotations,
  range,
  isReachable,
}: {
  annotations: readonly Annotation[]
  range: Zoom
  isReachable: boolean
}) {
  const { t } = useTexts()
  const root = useRef<HTMLDivElement>(null)
  const width = useWidth(root)
  const [shown, setShown] = useState<Cluster | null>(null)
  const clusters = useMemo(
    () => clustersOf(annotations, range, apart / Math.max(apart, width)),
    [annotations, range, width],
  )
  const isLate = shown !== null && shown.at > 0.5
  const rest = shown ? shown.annotations.length - maxLines : 0
  return (
    <div ref={root} className={css.lane} onPointerLeave={() => setShown(null)}>
      {clusters.map((cluster) => (
        <Mark
          key={`${cluster.annotations[0]!.resource} ${cluster.annotations[0]!.id}`}
          cluster={cluster}
          isReachable={isReachable}
          onShow={(isShown) => setShown(isShown ? cluster : null)}
        />
      ))}
      {shown && (
        <div
          className={isLate ? css.tipOf.end : css.tipOf.start}
          style={isLate ? { right: `${(1 - shown.at) * 100}%` } : { left: `${shown.at * 100}%` }}
          role="tooltip"
        >
          {shown.annotations.slice(0, maxLines).map(({ resource, id, text }) => (
            <span key={`${resource} ${id}`}>{text}</span>
          ))}
          {rest > 0 && <span className={css.more}>{t('ui.picker.more', { count: rest })}</span>}
        </div>
      )}
    </div>
  )
}

const pathOf = ({ resource, id }: Annotation) => recordPath(resourceByName(resource), id)

function Mark({
  cluster: { at, annotations },
  isReachable,
  onShow,
}: {
  cluster: Cluster
  isReachable: boolean
  onShow: (isShown: boolean) => void
}) {
  const { t } = useTexts()
  const worst =
    annotations.find(({ tone }) => tone === 'bad') ?? annotations.find(({ tone }) => tone === 'warn') ?? annotations[0]!
  const looks = {
    className: css.markOf[toneOf(worst)],
    style: { left: `${at * 100}%` } satisfies CSSProperties,
    tabIndex: isReachable ? 0 : -1,
    onPointerEnter: () => onShow(true),
    onFocus: () => onShow(true),
    onBlur: () => onShow(false),
  }
  const drawing = worst.resource === 'run' ? <i className={css.dot} /> : <Icon name="siren" size={12} />
  if (annotations.length === 1)
    return (
      <Link {...looks} to={pathOf(worst)} aria-label={worst.text}>
        {drawing}
      </Link>
    )
  const label = t('ui.chart.events', { count: annotations.length })
  const entries = annotations.map((one) => ({
    id: `${one.resource} ${one.id}`,
    label: one.text,
    icon: resourceByName(one.resource).icon,
    run: () => navigate(pathOf(one)),
  }))
  return (
    <Menu label={label} entries={entries}>
      <MarkButton {...looks} aria-label={label}>
        {drawing}
      </MarkButton>
    </Menu>
  )
}

function MarkButton({ onPress, ...rest }: MenuButtonProps & React.ComponentProps<'button'>) {
  return <button type="button" {...rest} onClick={onPress} />
}
