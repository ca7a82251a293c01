import { usedBy } from '@qd/core/actions'
import {
  type AnyRow,
  fieldOf,
  fieldValue,
  type PageKind,
  type Resource,
  type Section,
  type SectionKind,
} from '@qd/core/define'
import { measured, plainText } from '@qd/core/fields'
import { type ServiceHistory, serverEvents, serviceHistory } from '@qd/core/schemas'
import {
  eventText,
  headingOf,
  type Moment,
  momentsOf,
  notifiedGroup,
  type RecordLink,
  sectionsOf,
  usedByGroups,
} from '@qd/core/view'
import { widthOf } from '../../base/output/width.ts'
import type { ChartPoint } from '../../screen/fields/chart.ts'
import { dayBars } from '../../screen/fields/meter.ts'
import { createLoaded } from '../../screen/state/loaded.ts'
import type { Screen } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { blank, cutLine, type Line, ledLines, line, span, wrapText } from '../../screen/terminal/line.ts'
import type { Role } from '../../screen/terminal/theme.ts'
import { createRunScreen } from '../run/run-screen.tsx'
import { factLines } from '../views/detail-pane.ts'
import { type Chart, chartSection, chartText, createRanged } from './chart-section.ts'
import { createFigures } from './figures.ts'
import { createHosted } from './hosted.ts'
import { createChecks, createRelated } from './related.ts'
import type { SectionMaker, SectionView } from './section-view.ts'

interface OfResource<Fields> {
  readonly resource: Resource
  readonly section: Fields
}

const createText =
  (role: Role = 'plain') =>
  (ui: Ui, { resource, section }: OfResource<{ readonly field: string }>): SectionView => ({
    lines(row, columns) {
      const text = fieldValue(resource, row, section.field, ui.workspace.view)
      if (typeof text !== 'string' || text.trim() === '') return []
      const lines = text.split('\n').flatMap((one) => wrapText(plainText(one), columns - 2))
      return lines.map((one) => line(` ${one}`, role))
    },
  })

/** Marks of the title come before the first section of facts. */
const createFacts = (
  ui: Ui,
  { resource, section }: OfResource<{ readonly fields?: readonly string[] }>,
): SectionView => {
  const { detail, fields } = resource
  const isFirst = detail.sections.find(({ kind }) => kind === 'facts') === section
  const isSaid = (row: AnyRow) => (name: string) => fieldOf({ fields }, name).kind !== 'flag' || row[name] === true
  return {
    lines(row, columns) {
      const tags = isFirst ? detail.tags.filter(isSaid(row)) : []
      return factLines(ui, resource, row, { columns, names: [...tags, ...(section.fields ?? [])] })
    },
  }
}

const createDays: SectionMaker<'days'> = (ui, { section }) => {
  const daysOf = (row: AnyRow) => row[section.field] as readonly number[]
  return {
    lines: (row) => [[blank(1), ...dayBars(daysOf(row)), span(`  ${daysText(ui, daysOf(row))}`, 'muted')]],
    spoken: (row) => [daysText(ui, daysOf(row))],
  }
}

function daysText({ workspace, io }: Ui, days: readonly number[]): string {
  const { translator, format } = workspace
  const known = days.filter((percent) => percent >= 0)
  if (known.length === 0) return translator.t('ui.days.unknown')
  const worst = days.lastIndexOf(Math.min(...known))
  return translator.t('ui.days.all', {
    count: known.length,
    percent: measured('availability', days[worst]!, { translator, format }),
    day: format.day(io.now() - (days.length - 1 - worst) * 86_400_000),
  })
}

const limit = 20
const timeCells = 11

/** Newest first; nothing if the server keeps no events. */
const createEvents: SectionMaker<'events'> = (ui, { id, section }) => {
  const { client, translator, format, view, session } = ui.workspace
  const path = section.path.replace('{id}', String(id))
  const events = createLoaded(ui, async () =>
    serverEvents().parse(await client.send({ method: 'GET', path, query: { limit } })),
  )
  const isKept = () => session.supports('history')
  return {
    load: () => isKept() && events.load(),
    comes: () => events.isComing,
    watch: () => (isKept() ? events.watch() : () => undefined),
    lines(_row, columns) {
      if (!events.value) return []
      if (events.value.length === 0) return [line(` ${translator.t('ui.detail.noEvents')}`, 'muted')]
      return events.value
        .flatMap((event) => ledLines(format.instant(event.at, view.now), timeCells, [eventText(translator, event)]))
        .map((shown) => cutLine(shown, columns))
    },
    spoken: 'lines',
  }
}

const createNotifies: SectionMaker<'notifies'> = ({ workspace }, { resource, section }) => ({
  lines(row, columns) {
    const notified = notifiedGroup(workspace, resource, row, section)
    if (!notified) return [cutLine(line(` ${workspace.t('ui.incident.notifiesNobody')}`, 'muted'), columns)]
    const names = workspace.format.list(notified.members.map(({ title }) => title))
    return [cutLine(line(` ${notified.group.title}: ${names}`), columns)]
  },
  spoken: 'lines',
})

const createTimeline: SectionMaker<'timeline'> = ({ workspace }, { section }) => {
  const at = (moment: Moment) => workspace.format.instant(moment.at, workspace.view.now)
  const linesOf = (moment: Moment, columns: number): Line[] => {
    const { text, result } = moment
    const said = text.split('\n').flatMap((one) => wrapText(one, columns - timeCells - 2))
    const shown = ledLines(at(moment), timeCells, said)
    const last = shown.pop() ?? []
    return [...shown, [...last, span(result ? `  ${result.text}` : '', result?.tone === 'bad' ? 'bad' : 'muted')]]
  }
  return {
    lines: (row, columns) => momentsOf(workspace, row, section).flatMap((moment) => linesOf(moment, columns)),
    spoken: 'lines',
  }
}

const createUsedBy: SectionMaker<'used-by'> = ({ workspace }, { resource, id }) => {
  const groups = () => usedByGroups(workspace, usedBy(resource, [id], workspace.view))
  const namesOf = (links: readonly RecordLink[]) => workspace.format.list(links.map(({ title }) => title))
  return {
    lines(_row, columns) {
      const found = groups()
      const cells = Math.min(Math.floor(columns / 2), Math.max(0, ...found.map(({ label }) => widthOf(label))))
      return found.flatMap(({ label, links }) =>
        ledLines(
          label,
          cells,
          wrapText(namesOf(links), columns - cells - 4).map((text) => `  ${text}`),
        ),
      )
    },
    links: () => groups().flatMap(({ label, links }) => links.map((link) => ({ ...link, label }))),
    spoken: () => groups().map(({ label, links }) => `${label}: ${namesOf(links)}`),
  }
}

/** Source: contract http-api 4.5. */
const ranges = [
  { hours: 24, period: '1d' },
  { hours: 168, period: '7d' },
  { hours: 720, period: '30d' },
] as const

const createLatency: SectionMaker<'latency'> = (ui, { resource, id, section }) => {
  const { workspace } = ui
  const { translator, format, t } = workspace
  const path = section.path.replace('{id}', String(id))
  const { loaded, now, keys } = createRanged(
    ui,
    ranges,
    async ({ period }): Promise<ServiceHistory> =>
      serviceHistory().parse(await workspace.client.send({ method: 'GET', path, query: { period } })),
  )
  const text = (value: number) => measured('latency', value, { translator, format })
  const upText = (percent: number) => measured('availability', percent, { translator, format })
  const charts = (): Chart[] => {
    const servers = (loaded.value?.servers ?? []).map(({ server_id, server_name, stats }) => ({
      name: `${server_name || `#${server_id}`}, ${upText(stats.up_percent)}`,
      points: stats.data_points.filter(({ status }) => status === 1).map(({ ts, delay }): ChartPoint => [ts, delay]),
    }))
    const top = Math.max(1e-9, ...servers.flatMap(({ points }) => points.map(([, delay]) => delay)))
    return servers.map((one) => ({ ...one, top, text }))
  }
  const waiting = (drawn: readonly Chart[]): string | null => {
    if (drawn.length > 0) return null
    return loaded.value ? t('ui.tui.chart.none') : loaded.absence
  }
  return {
    ...keys,
    spoken: () => charts().map((chart) => chartText(ui, chart)),
    lines(_row, columns) {
      const drawn = charts()
      const title = headingOf(translator, resource, section) ?? ''
      return [[], ...chartSection(ui, { title, ranges, range: now(), charts: drawn, none: waiting(drawn), columns })]
    },
  }
}

const makers: { [K in Exclude<SectionKind, PageKind>]: SectionMaker<K> } = {
  lead: createText(),
  problem: createText('bad'),
  text: createText(),
  facts: createFacts,
  rest: createFacts,
  links: createFacts,
  days: createDays,
  figures: createFigures,
  latency: createLatency,
  checks: createChecks,
  events: createEvents,
  notifies: createNotifies,
  timeline: createTimeline,
  related: createRelated,
  hosted: createHosted,
  'used-by': createUsedBy,
}

const pages: { [K in PageKind]: (ui: Ui, id: number) => Screen } = { parts: createRunScreen }

export interface Drawn {
  readonly section: Section
  readonly part: SectionView
}

export function createParts(ui: Ui, resource: Resource, id: number): readonly Drawn[] {
  return sectionsOf(resource, ui.workspace.view).flatMap((section) => {
    if (section.kind === 'parts') return []
    const make = makers[section.kind] as SectionMaker<SectionKind>
    return [{ section, part: make(ui, { resource, id, section }) }]
  })
}

export function pageOf(ui: Ui, resource: Resource, id: number): Screen | null {
  const section = resource.detail.sections.find(({ kind }) => kind in pages)
  return section ? pages[section.kind as PageKind](ui, id) : null
}
