import { useValue } from '@legendapp/state/react'
import type { Resource, Section, SectionKind } from '@qd/core/define'
import { sectionsOf } from '@qd/core/view'
import { type ComponentType, Suspense } from 'react'
import { useParams } from 'react-router-dom'
import { lazyPart } from '../../base/state/lazy-part.ts'
import { view } from '../../base/state/stores.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Checks } from './Checks.tsx'
import { Events } from './Events.tsx'
import { Figures } from './Figures.tsx'
import { Related } from './Related.tsx'
import type { SectionProps } from './section-props.ts'
import { Timeline } from './Timeline.tsx'
import { RecordLinks, Tells } from './Told.tsx'
import { UsedBy } from './UsedBy.tsx'
import { Days, FactsOf, Lead, LongText, Problem, Rest } from './Values.tsx'

const LatencyCharts = lazyPart(async () => (await import('./LatencyCharts.tsx')).LatencyCharts)
const RunResults = lazyPart(async () => (await import('./run/RunResults.tsx')).RunResults)

/** How each kind of section is drawn: every kind, checked by the compiler. */
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
  tells: Tells,
  timeline: Timeline,
  related: Related,
  parts: RunResults,
  'used-by': UsedBy,
}

/** The sections of a record's detail page, in the order of its definition. */
export function Sections({ resource, id }: { resource: Resource; id: number }) {
  const sections = useValue(() => sectionsOf(resource, view))
  return sections.map((section) => {
    const Drawer = drawers[section.kind] as ComponentType<SectionProps<Section['kind']>>
    return (
      <Suspense key={`${id} ${resource.detail.sections.indexOf(section)}`} fallback={<Skeleton width={280} />}>
        <Drawer resource={resource} id={id} section={section} />
      </Suspense>
    )
  })
}

/** A record whose detail page takes the whole page. */
export function DetailPage({ resource }: { resource: Resource }) {
  return <Sections resource={resource} id={Number(useParams().id)} />
}
