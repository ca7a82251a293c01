import { textKey } from '@qd/core/define'
import { type HistoryAnswer, historyAnswer } from '@qd/core/schemas'
import type { Annotation } from '@qd/core/view'
import { cutTo, widthOf } from '../../base/output/width.ts'
import { axisLine, type ChartPoint, chartLines, chartStats } from '../../screen/fields/chart.ts'
import { createLoaded } from '../../screen/state/loaded.ts'
import { createState } from '../../screen/state/observed.ts'
import type { Hints } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import {
  blank,
  fitLine,
  joinedLine,
  type Line,
  line,
  lineWidth,
  ruleLine,
  type Span,
  span,
} from '../../screen/terminal/line.ts'

export interface Range {
  readonly hours: number
}

export const historyRanges = [
  { hours: 1 },
  { hours: 24 },
  { hours: 168 },
  { hours: 720 },
] as const satisfies readonly Range[]
const pointsRequested = 240

/** The metrics of these servers up to now. */
export async function readHistory(
  { workspace }: Ui,
  servers: readonly number[],
  metrics: readonly string[],
  { hours }: Range,
): Promise<HistoryAnswer> {
  const to = workspace.view.now
  const range = { from: to - hours * 3_600_000, to, points: pointsRequested }
  const query = { servers: servers.join(','), metric: metrics.join(','), ...range }
  return historyAnswer().parse(await workspace.client.send({ method: 'GET', path: 'history', query }))
}

export interface Chart {
  readonly name: string
  readonly points: readonly ChartPoint[]
  readonly top: number | null
  text(value: number): string
}

const chartRows = 3
const gap = 2

/** What is loaded for one of several ranges, with the keys that change it. */
export function createRanged<One extends Range, Value>(
  ui: Ui,
  ranges: readonly One[],
  ask: (range: One) => Promise<Value>,
) {
  const state = createState({ index: 0 })
  const now = () => ranges[state.index]!
  const loaded = createLoaded(ui, () => ask(now()))
  const step = (by: number) => {
    state.index = (state.index + by + ranges.length) % ranges.length
    loaded.load()
  }
  return {
    loaded,
    now,
    keys: {
      commands: { previousTab: () => step(-1), nextTab: () => step(1) },
      hints: (): Hints => ({ ']': 'range' }),
      load: loaded.load,
      comes: () => loaded.isComing,
      watch: loaded.watch,
    },
  }
}

/** `─ History ──────────────── 1 h ‹24 h› 7 d 30 d ──`, and charts side by side above one time axis. */
export function chartSection(
  ui: Ui,
  section: {
    title: string
    ranges: readonly Range[]
    range: Range
    charts: readonly Chart[]
    none: string | null
    columns: number
    annotations?: readonly Annotation[]
  },
): Line[] {
  const { title, ranges, range, charts, none, columns, annotations = [] } = section
  const now = ui.io.now()
  const from = now - range.hours * 3_600_000
  const head = ruleLine([span(title)], columns, rangeSpans(ui, ranges, range))
  if (none !== null) return [head, line(` ${none}`, 'muted')]
  const across = Math.min(charts.length, columns >= 150 ? 3 : columns >= 76 ? 2 : 1)
  const cells = Math.floor((columns - 1 - gap * (across - 1)) / across)
  const rows = Array.from({ length: Math.ceil(charts.length / across) }, (_, index) => {
    const shown = charts.slice(index * across, (index + 1) * across)
    const drawn = shown.map((chart) => drawChart(ui, chart, { from, to: now, cells }))
    const height = shown.some(hasPoints) ? chartRows + 1 : 1
    return Array.from({ length: height }, (_empty, row) => beside(drawn.map((one) => one[row]!)))
  })
  const { format, say } = ui.workspace
  const at = (time: number) => format.instant(time, now)
  const axis = axisLine({ from: at(from), middle: at((from + now) / 2), to: at(now) }, cells)
  if (!charts.some(hasPoints)) return [head, ...rows.flat()]
  const marked = annotationLine(annotations, { from, to: now, cells })
  const legend = ` ▲ ${say(textKey.one('incident'))}  • ${say(textKey.one('run'))}`
  const below = marked === null ? [axis] : [marked, axis]
  return [
    head,
    ...rows.flat(),
    ...below.map((one) => beside(Array.from({ length: across }, () => one))),
    ...(marked === null ? [] : [line(legend, 'muted')]),
  ]
}

/** `▲━━━` for an incident while it lasts, `•` for a run; null without any in the range. */
function annotationLine(
  annotations: readonly Annotation[],
  { from, to, cells }: { from: number; to: number; cells: number },
): Line | null {
  const cellOf = (at: number) => Math.floor(((at - from) / (to - from)) * cells)
  const drawn = Array.from({ length: cells }, () => span(' '))
  const shown = annotations.filter((one) => one.from <= to && (one.to ?? to) >= from)
  const put = (at: number, one: Span) => at >= 0 && at < cells && drawn.splice(at, 1, one)
  for (const { resource, from: start, tone } of shown) if (resource === 'run') put(cellOf(start), span('•', tone))
  for (const { resource, from: start, to: end, tone } of shown) {
    if (resource === 'run') continue
    for (let at = Math.max(0, cellOf(start)); at <= cellOf(end ?? to); at++) put(at, span('━', tone))
    put(Math.max(0, cellOf(start)), span('▲', tone))
  }
  return shown.length === 0 ? null : joinedLine(drawn)
}

const hasPoints = ({ points }: Chart) => points.length > 0

/** `‹24 h›  7 d `: one of several is shown. */
export function tabPieces(texts: readonly string[], shown: number): Line[] {
  return texts.map((text, at) => [at === shown ? span(`‹${text}›`, 'bold') : span(` ${text} `, 'muted'), span(' ')])
}

export function rangeSpans({ workspace }: Pick<Ui, 'workspace'>, ranges: readonly Range[], shown: Range): Line {
  const texts = ranges.map(({ hours }) =>
    hours <= 24 ? workspace.t('ui.units.hours', { value: hours }) : workspace.t('ui.units.days', { value: hours / 24 }),
  )
  return tabPieces(texts, ranges.indexOf(shown)).flat().slice(0, -1)
}

export function chartText({ workspace }: Pick<Ui, 'workspace'>, { name, points, text }: Chart): string {
  const { t } = workspace
  const stats = chartStats(points)
  if (!stats) return `${name}: ${t('ui.tui.chart.none')}`
  const more = t('ui.tui.chart.stats', { mean: text(stats.mean), peak: text(stats.peak) })
  return `${name} ${text(stats.last)}, ${more}`
}

function drawChart(
  ui: Ui,
  { name, points, top, text }: Chart,
  { from, to, cells }: { from: number; to: number; cells: number },
): Line[] {
  const { t } = ui.workspace
  const stats = chartStats(points)
  const known = stats ? [span(` ${text(stats.last)}`, 'bold')] : [span(`  ${t('ui.tui.chart.none')}`, 'muted')]
  const room = cells - lineWidth(known) - 1
  const label = [span(cutTo(name, Math.max(4, room), '…')), ...known]
  const more = stats ? statsThatFit() : ''
  const head = more === '' ? label : [...label, blank(cells - lineWidth(label) - widthOf(more)), span(more, 'muted')]
  const scale = top ?? Math.max(1e-9, stats?.peak ?? 0)
  return [fitLine(head, cells), ...chartLines({ points, from, to, columns: cells, rows: chartRows, top: scale })]

  /** Mean and peak, only the peak, or nothing, so that the name isn't cut. */
  function statsThatFit(): string {
    const [mean, peak] = [text(stats!.mean), text(stats!.peak)]
    const words = [t('ui.tui.chart.stats', { mean, peak }), t('ui.tui.chart.peak', { peak })]
    const free = widthOf(name) <= room ? cells - lineWidth(label) - 2 : 0
    return words.find((one) => widthOf(one) <= free) ?? ''
  }
}

function beside(parts: readonly Line[]): Line {
  return [blank(1), ...parts.flatMap((part, index) => [...(index > 0 ? [blank(gap)] : []), ...part])]
}
