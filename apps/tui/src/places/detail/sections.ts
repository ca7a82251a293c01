import type { PageKind, Resource, Section, SectionKind } from '@qd/core/define'
import { sectionsOf } from '@qd/core/view'
import type { Screen } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { createRunScreen } from '../run/run-screen.tsx'
import { createEvents } from './events.ts'
import { createFigures } from './figures.ts'
import { createLatency } from './latency.ts'
import { createChecks, createRelated } from './related.ts'
import type { SectionMaker, SectionView } from './section-view.ts'
import { createTimeline } from './timeline.ts'
import { createTells } from './told.ts'
import { createUsedBy } from './used-by.ts'
import { createDays, createFacts, createLead, createLinks, createProblem, createRest, createText } from './values.ts'

/** How each kind of section is drawn: every kind, checked by the compiler. */
const makers: { [K in Exclude<SectionKind, PageKind>]: SectionMaker<K> } = {
  lead: createLead,
  problem: createProblem,
  facts: createFacts,
  rest: createRest,
  links: createLinks,
  text: createText,
  days: createDays,
  figures: createFigures,
  latency: createLatency,
  checks: createChecks,
  events: createEvents,
  tells: createTells,
  timeline: createTimeline,
  related: createRelated,
  'used-by': createUsedBy,
}

/** Sections that take the whole screen. */
const pages: { [K in PageKind]: (ui: Ui, id: number) => Screen } = { parts: createRunScreen }

/** A section that stands among others, and what draws it. */
export interface Drawn {
  readonly section: Section
  readonly part: SectionView
}

/** The sections of a record's detail page in the order of its definition. */
export function createParts(ui: Ui, resource: Resource, id: number): readonly Drawn[] {
  return sectionsOf(resource, ui.workspace.view).flatMap((section) => {
    if (section.kind === 'parts') return []
    const make = makers[section.kind] as SectionMaker<SectionKind>
    return [{ section, part: make(ui, { resource, id, section }) }]
  })
}

/** The screen of a section that takes all of it; null if the sections stand among each other. */
export function pageOf(ui: Ui, resource: Resource, id: number): Screen | null {
  const section = resource.detail.sections.find(({ kind }) => kind in pages)
  return section ? pages[section.kind as PageKind](ui, id) : null
}
