import { useValue } from '@legendapp/state/react'
import { fieldOf, type Resource, type Section, type SectionKind, textKey, titleOf } from '@qd/core/define'
import { lastItem } from '@qd/core/errors'
import { resourceByName, run as runResource, service } from '@qd/core/resources'
import { watchedServices } from '@qd/core/schemas'
import { detailNeeds, watchAllowed } from '@qd/core/store'
import {
  headingOf,
  linksOf,
  type Moment,
  momentsOf,
  notifiedGroup,
  recordPath,
  relatedRows,
  sectionsOf,
  tagsOf,
} from '@qd/core/view'
import { type ComponentType, Suspense, useEffect, useLayoutEffect } from 'react'
import { Link, useLocation, useParams } from 'react-router-dom'
import { charts$, keepChartsInAddress, showRange } from '../../base/state/charts.ts'
import { lazyPart } from '../../base/state/lazy-part.ts'
import { records, session, view } from '../../base/state/stores.ts'
import { surface } from '../../base/state/surface.ts'
import { useTexts } from '../../base/state/texts.ts'
import { type AnyIcon, Icon } from '../../ui/drawings/Icon.tsx'
import { Sparkline } from '../../ui/drawings/Sparkline.tsx'
import { Note } from '../../ui/Note.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ResultWord } from '../../ui/StateMark.tsx'
import { Tag } from '../../ui/Tags.tsx'
import { RangePicker, type Shown } from '../charts/RangePicker.tsx'
import { sourceFor } from '../charts/sources.ts'
import { useAnswer } from '../charts/use-answer.ts'
import { Cell, TitleCell } from '../fields/Cell.tsx'
import { useOfRow, useRowStatus, useSame } from '../fields/cells.ts'
import { Events } from './Events.tsx'
import { InTurn, useWaiting } from './InTurn.tsx'
import * as items from './Items.css.ts'
import { Links, type LinkTo } from './Links.tsx'
import { LiveCharts } from './LiveCharts.tsx'
import * as panel from './PanelFrame.css.ts'
import { PanelFrame, type PanelProps } from './PanelFrame.tsx'
import type { SectionProps } from './section-props.ts'
import { UsedBy } from './UsedBy.tsx'
import { useFound } from './use-found.ts'
import { Days, FactsOf, Lead, LongText, Problem, Rest } from './Values.tsx'

const trendPoints = 60

function Checks({ resource, id, section }: SectionProps<'checks'>) {
  const { t, format, translator } = useTexts()
  const version = useValue(() => records.version$(service.name).get())
  const path = section.path.replace('{id}', String(id))
  const { answer, error } = useAnswer(JSON.stringify([path, version]), [{ method: 'GET', path }], ([items]) =>
    watchedServices().parse(items),
  )
  useWaiting(!answer && !error)
  if (!answer || answer.length === 0) return null
  return (
    <section className={panel.section}>
      <h2>{headingOf(translator, resource, section)}</h2>
      <ul className={items.list}>
        {answer.map(({ monitor_id: monitor, monitor_name: name, avg_delay: delays }) => (
          <li key={monitor} className={items.item}>
            <Link className={items.text} to={recordPath(service, monitor)}>
              {records.peek(service.name, monitor) ? <TitleCell resource={service} id={monitor} /> : name}
            </Link>
            <Sparkline points={delays.slice(-trendPoints)} max={Math.max(...delays, 1) * 1.25} />
            <span className={items.side}>
              {delays.at(-1) ? format.latency(lastItem(delays)) : t('ui.value.noData')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const HistoryCharts = lazyPart(async () => (await import('../charts/HistoryCharts.tsx')).HistoryCharts)

function Figures({ resource, id, section }: SectionProps<'figures'>) {
  const { t } = useTexts()
  const source = useValue(() => sourceFor(session.supports))
  const shown: readonly Shown[] = ['live', ...source.ranges]
  const chosen = useValue(charts$.range)
  const range = shown.find((one) => one === chosen) ?? 'live'
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation may bring another address
  useLayoutEffect(() => keepChartsInAddress(id, source), [id, source, key])
  return (
    <section className={panel.section}>
      <div className={panel.sectionHead}>
        <h2>{t('ui.panel.load')}</h2>
        <RangePicker ranges={shown} value={range} onChange={showRange} />
      </div>
      {range === 'live' ? (
        <LiveCharts resource={resource} id={id} figures={section.figures} />
      ) : (
        <Suspense fallback={<Skeleton width={280} />}>
          <HistoryCharts key={id} id={id} range={range} source={source} />
        </Suspense>
      )}
    </section>
  )
}

const maxRelated = 8

function Related({ resource, id, section }: SectionProps<'related'>) {
  const { translator, format } = useTexts()
  const of = resourceByName(section.of)
  const { by } = section
  const isThere = useValue(() => of.requires === null || session.supports(of.requires))
  const isAsked = of.wire.paging === 'server' && typeof by === 'string' && isThere
  const { ids: found, error } = useFound(of.name, isAsked ? { q: `${by}:#${id}`, limit: maxRelated } : null)
  const known = useSame(() => (isAsked ? [] : relatedRows(surface(), section, id).map((row) => row.id)))
  const ids = (isAsked ? (found ?? []) : known).slice(0, maxRelated)
  const isListLoading = useValue(() => isThere && records.list$(of.name).status.get() === 'loading')
  useWaiting(isAsked ? !found && !error : isListLoading && ids.length === 0)
  if (ids.length === 0) return null
  const order = fieldOf(of, of.sort.field).kind === 'instant' ? of.sort.field : null
  return (
    <section className={panel.section}>
      <h2>{headingOf(translator, resource, section)}</h2>
      <ul className={items.list}>
        {ids.map((one) => {
          const row = records.peek(of.name, one)
          return (
            <li key={one} className={items.item}>
              {order && <time className={items.time}>{format.instant(String(row?.[order] ?? 0), view.now)}</time>}
              <Link className={items.text} to={recordPath(of, one)}>
                {row ? titleOf(of, row) : `#${one}`}
              </Link>
              {section.fields.map((field) => (
                <span key={field} className={items.side}>
                  <Cell resource={of} id={one} column={{ field, kind: fieldOf(of, field).kind }} />
                </span>
              ))}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const momentIcons = {
  opened: 'siren',
  closed: 'check',
  told: 'send',
  acknowledged: 'check',
  silenced: 'bell-off',
  unsilenced: 'bell',
  note: 'pencil',
  run: 'play',
} satisfies Record<Moment['kind'], AnyIcon>

function Timeline({ resource, id, section }: SectionProps<'timeline'>) {
  const { translator, format } = useTexts()
  const moments = useOfRow(resource, id, (row) => momentsOf({ translator, format, view }, row, section)) ?? []
  return (
    <section className={panel.section}>
      <h2>{headingOf(translator, resource, section)}</h2>
      <ol className={items.list}>
        {moments.map(({ at, kind, text, result, run }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what has happened stays where it is
          <li key={`${at} ${index}`} className={items.item}>
            <time className={items.time} dateTime={at} title={format.instantFull(at)}>
              {format.instant(at, view.now)}
            </time>
            <span className={items.mark}>
              <Icon name={momentIcons[kind]} size={14} />
            </span>
            <span className={kind === 'note' ? items.written : items.text}>
              {run > 0 ? <Link to={recordPath(runResource, run)}>{text}</Link> : text}
            </span>
            {result && <ResultWord {...result} />}
          </li>
        ))}
      </ol>
    </section>
  )
}

const LatencyCharts = lazyPart(async () => (await import('./LatencyCharts.tsx')).LatencyCharts)
const RunResults = lazyPart(async () => (await import('./run/RunResults.tsx')).RunResults)
const Hosted = lazyPart(async () => (await import('./Hosted.tsx')).Hosted)

const drawers: { [K in SectionKind]: ComponentType<SectionProps<K>> } = {
  lead: Lead,
  problem: Problem,
  facts: FactsOf,
  rest: Rest,
  links: RecordLinks,
  text: LongText,
  days: Days,
  figures: Figures,
  latency: LatencyCharts,
  checks: Checks,
  events: Events,
  notifies: Notifies,
  timeline: Timeline,
  related: Related,
  hosted: Hosted,
  parts: RunResults,
  'used-by': UsedBy,
}

export function Sections({ resource, id }: { resource: Resource; id: number }) {
  const sections = useValue(() => sectionsOf(resource, view))
  return (
    <InTurn key={id}>
      {sections.map((section) => {
        const Drawer = drawers[section.kind] as ComponentType<SectionProps<Section['kind']>>
        return (
          <Suspense key={resource.detail.sections.indexOf(section)} fallback={<Skeleton width={280} />}>
            <Drawer resource={resource} id={id} section={section} />
          </Suspense>
        )
      })}
    </InTurn>
  )
}

export function DetailPage({ resource }: { resource: Resource }) {
  return <Sections resource={resource} id={Number(useParams().id)} />
}

function RecordLinks({ resource, id, section }: SectionProps<'links'>) {
  const { say, translator } = useTexts()
  const found = useOfRow(resource, id, (row) =>
    linksOf({ view }, resource, row, section.fields).map(
      ({ resource: to, id: of, title }): LinkTo => ({
        name: to.name,
        id: of,
        title: `${say(textKey.one(to.name))} ${title}`,
      }),
    ),
  )
  if (!found || found.length === 0) return null
  const heading = headingOf(translator, resource, section)
  if (heading === null) return <Links of={found} />
  return (
    <section className={panel.section}>
      <h2>{heading}</h2>
      <Links of={found} />
    </section>
  )
}

function Notifies({ resource, id, section }: SectionProps<'notifies'>) {
  const { t, format, translator } = useTexts()
  const group = useOfRow(resource, id, (row) => {
    const found = notifiedGroup({ view }, resource, row, section)
    return found && { name: found.group.title, members: found.members.map(({ title }) => title) }
  })
  return (
    <section className={panel.section}>
      <h2>{headingOf(translator, resource, section)}</h2>
      <p className={group ? undefined : panel.muted}>
        {group ? `${group.name}: ${format.list(group.members)}` : t('ui.incident.notifiesNobody')}
      </p>
    </section>
  )
}

export function DetailPanel(props: PanelProps) {
  const { resource, id } = props
  const status = useRowStatus(resource, id)
  const tags = useOfRow(resource, id, (row) => tagsOf(surface(), resource, row)) ?? []
  useEffect(() => {
    // Server-paged lists are requested where they are drawn.
    const lists = detailNeeds(resource).filter(({ wire }) => wire.paging === 'all')
    return watchAllowed(records, lists, { viewer: session.viewer(), supports: session.supports })
  }, [resource])
  return (
    <PanelFrame tags={tags.map((tag) => <Tag key={tag} text={tag} />)} {...props}>
      {status?.absence && <Note tone={status.tone === 'bad' ? 'bad' : 'plain'} title={status.absence} />}
      <Sections resource={resource} id={id} />
    </PanelFrame>
  )
}
