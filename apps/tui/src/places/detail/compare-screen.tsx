import { actionLine } from '@qd/core/actions'
import { type AnyRow, textKey } from '@qd/core/define'
import { measured, plainText } from '@qd/core/fields'
import { capital } from '@qd/core/i18n'
import { server } from '@qd/core/resources'
import { type HistoryAnswer, type Host, historyAnswer } from '@qd/core/schemas'
import { watchWithNeeds } from '@qd/core/store'
import { type ChartMetric, chartsFor, maxLines, rowStatus, scaledPoints } from '@qd/core/view'
import { cutMiddle, padTo, wholeName, widthOf } from '../../base/output/width.ts'
import {
  axisLine,
  type ChartPoint,
  type ChartTrace,
  chartStats,
  historyPoint,
  overlaidLines,
  valueRow,
} from '../../screen/fields/chart.ts'
import { createLoaded, endAll } from '../../screen/state/loaded.ts'
import { createState } from '../../screen/state/observed.ts'
import type { Area, Screen } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { blank, cutLine, fitLine, type Line, line, lineWidth, ruleLine, span } from '../../screen/terminal/line.ts'
import { lineRoles, type Role } from '../../screen/terminal/theme.ts'
import { LiveRows } from '../../screen/ui/rows.tsx'
import { actionMenu, copyMenu } from '../perform/list-menus.ts'
import { perform } from '../perform/perform.ts'
import { actionHints } from '../views/action-hints.ts'
import { stepCommands } from '../views/steps.ts'
import { chartText, createRanges, historyRanges, pointsRequested, type Range, rangeSpans } from './chart-section.ts'

interface Compared {
  readonly name: string
  readonly points: ChartTrace['points']
  readonly last: string | null
  readonly stats: string | null
  readonly state: { readonly text: string; readonly role: Role } | null
}

interface Comparison {
  readonly title: string
  readonly ranges: Line
  readonly metrics: readonly { readonly text: string; readonly isShown: boolean }[]
  readonly servers: readonly Compared[]
  readonly focus: number
  /** `1–5 of 12`; empty if all are shown. */
  readonly part: string
  readonly none: string | null
  readonly from: number
  readonly to: number
  readonly top: number
  readonly scale: readonly [top: string, middle: string, bottom: string]
  axis(cells: number): Line
}

/** `firstServer`: first row of the legend with a row per server; null without room for one. */
interface ComparisonRows {
  readonly lines: readonly Line[]
  readonly firstServer: number | null
}

const signs = ['●', '▲', '■', '○', '◆'] as const
const leastChart = 4
const middleFrom = 7
const shortChart = 3
const roomy = 12

const markOf = (index: number, ...roles: readonly Role[]) =>
  span(signs[index % signs.length]!, lineRoles[index % lineRoles.length]!, ...roles)

function comparisonRows(shown: Comparison, { columns, rows }: Area): ComparisonRows {
  const head = [ruleLine([span(shown.title)], columns, headRight(shown, columns))]
  if (rows >= roomy) head.push(metricsLine(shown.metrics, columns))
  const hasAxis = rows >= roomy && shown.none === null
  const fixed = head.length + (hasAxis ? 1 : 0)
  const isListed = rows - fixed - shown.servers.length >= leastChart
  const legend = isListed
    ? shown.servers.map((_, index) => legendLine(shown, index, columns))
    : shortLegend(shown, columns).slice(0, Math.max(1, rows - fixed - shortChart))
  const chart = drawChart(shown, { columns, rows: Math.max(1, rows - fixed - legend.length) })
  const cells = labelCells(shown)
  const axis = hasAxis ? [[blank(cells + 1), ...shown.axis(columns - cells - 2)]] : []
  const above = [...head, ...chart, ...axis]
  return { lines: [...above, ...legend].slice(0, rows), firstServer: isListed ? above.length : null }
}

function headRight({ title, ranges, part }: Comparison, columns: number): Line {
  const whole: Line = part === '' ? ranges : [span(part, 'muted'), span('  '), ...ranges]
  const room = columns - widthOf(title) - 8
  return lineWidth(whole) <= room ? whole : lineWidth(ranges) <= room ? ranges : []
}

function metricsLine(metrics: Comparison['metrics'], columns: number): Line {
  const pieces = metrics.map(
    ({ text, isShown }): Line =>
      isShown ? [span(`‹${text}›`, 'bold'), span(' ')] : [span(` ${text} `, 'muted'), span(' ')],
  )
  const at = metrics.findIndex(({ isShown }) => isShown)
  const fits = (first: number, end: number) => lineWidth(pieces.slice(first, end).flat()) <= columns - 2
  let first = 0
  while (first < at && !fits(first, at + 1)) first += 1
  let end = pieces.length
  while (end > at + 1 && !fits(first, end)) end -= 1
  const shown = [span(first > 0 ? '…' : ' '), ...pieces.slice(first, end).flat()]
  return cutLine(end < pieces.length ? [...shown, span('…', 'muted')] : shown, columns)
}

const labelCells = ({ scale, none }: Comparison) => (none === null ? Math.max(...scale.map(widthOf)) + 1 : 0)

function drawChart(shown: Comparison, { columns, rows }: Area): Line[] {
  if (shown.none !== null)
    return Array.from({ length: rows }, (_, row) =>
      row === 0 ? cutLine(line(` ${shown.none}`, 'muted'), columns) : [],
    )
  const cells = labelCells(shown)
  const traces = shown.servers.map(({ points }, index) => {
    const isFront = index === shown.focus
    return { points, isFront, mark: isFront ? markOf(index, 'bold') : markOf(index) }
  })
  const { from, to, top } = shown
  const labels = scaleRows(shown.scale, rows)
  const drawn = overlaidLines(traces, { from, to, top, rows, columns: Math.max(1, columns - cells - 2) })
  return drawn.map((cellsOfRow, row) => {
    const label = labels.get(row) ?? ''
    return [...fitLine(line(label, 'muted'), cells, 'right'), span('│', 'rule'), ...cellsOfRow]
  })
}

function scaleRows([top, middle, bottom]: Comparison['scale'], rows: number): Map<number, string> {
  const labels = new Map([[rows - 1, bottom]])
  if (rows >= middleFrom) labels.set(valueRow(0.5, rows), middle)
  return labels.set(0, top)
}

/** `▌● web-1  12%  mean 8%, peak 40%`: the name isn't cut for figures. */
function legendLine({ servers, focus }: Comparison, index: number, columns: number): Line {
  const { name, last, stats, state } = servers[index]!
  const isFocused = index === focus
  const roles: readonly Role[] = isFocused ? ['bold'] : []
  const longest = Math.max(...servers.map((one) => widthOf(one.name)))
  const cells = Math.min(longest, wholeName(columns), columns - 4)
  const lastCells = Math.max(...servers.map((one) => widthOf(one.state?.text ?? one.last ?? '')))
  const figure = state ? span(state.text, state.role) : span(last ?? '–', ...(last ? roles : (['muted'] as const)))
  const start: Line = [
    span(isFocused ? '▌' : ' ', 'accent'),
    markOf(index, ...roles),
    span(' '),
    span(padTo(cutMiddle(name, cells, '…'), cells, 'left'), ...roles),
  ]
  const withFigure: Line = [...start, span('  '), ...fitLine([figure], lastCells, 'right')]
  if (lineWidth(withFigure) > columns) return start
  const longestStats = Math.max(...servers.map((one) => widthOf(one.stats ?? '')))
  const hasStats = stats !== null && lineWidth(withFigure) + 2 + longestStats <= columns
  return hasStats ? [...withFigure, span(`  ${stats}`, 'muted')] : withFigure
}

function shortLegend({ servers, focus }: Comparison, columns: number): Line[] {
  const rows: Line[] = []
  for (const [index, { name }] of servers.entries()) {
    const roles: readonly Role[] = index === focus ? ['bold'] : []
    const cells = Math.min(wholeName(columns), columns - 4)
    const piece: Line = [
      span(index === focus ? '▌' : ' ', 'accent'),
      markOf(index, ...roles),
      span(` ${cutMiddle(name, cells, '…')}`, ...roles),
    ]
    const last = rows.at(-1)
    if (last && lineWidth(last) + 1 + lineWidth(piece) <= columns)
      rows[rows.length - 1] = [...last, span(' '), ...piece]
    else rows.push(piece)
  }
  // Never drops the line in front.
  const at = rows.findIndex((row) => row.some(({ text }) => text === '▌'))
  return at <= 0 ? rows : [...rows.slice(at), ...rows.slice(0, at)]
}

interface HistoryReply {
  readonly key: string
  readonly answer: HistoryAnswer
}

export function createCompareScreen(ui: Ui, ids: readonly number[]): Screen {
  const { workspace } = ui
  const { translator, records, format, view, t, say } = workspace
  const names = new Map(ids.map((id) => [id, view.title('server', id) ?? `#${id}`]))
  const nameOf = (id: number) => plainText(view.title('server', id) ?? names.get(id)!)
  const leadsHere = server.actions.compare
  const state = createState({ chosen: 0, focus: 0 })
  const metrics = chartsFor(workspace.session.supports).flatMap((chart) => chart.metrics)
  let firstServer: number | null = null
  const ranges = createRanges<Range>(historyRanges, () => history.load())
  const first = () => state.focus - (state.focus % maxLines)
  const shownIds = () => ids.slice(first(), first() + maxLines)
  const metric = () => metrics[state.chosen]!
  const labelOf = ({ label }: ChartMetric) => capital(say(label), translator.language)
  const key = () => [metric().metric, ranges.now.hours, first()].join()
  const history = createLoaded<HistoryReply>(ui, async () => {
    const to = view.now
    const from = to - ranges.now.hours * 3_600_000
    const query = { servers: shownIds().join(','), metric: metric().metric, from, to, points: pointsRequested }
    const mine = key()
    return {
      key: mine,
      answer: historyAnswer().parse(await workspace.client.send({ method: 'GET', path: 'history', query })),
    }
  })
  const known = () => (history.value?.key === key() ? history.value.answer : null)
  const row = (id: number): AnyRow | undefined => records.peek('server', id)
  const focused = () => row(ids[state.focus]!)
  const text = (value: number) => measured(metric().metric, value, { translator, format })
  const pointsOf = (id: number): readonly ChartPoint[] => {
    const found = known()?.series.find((series) => series.server_id === id)?.points ?? []
    return scaledPoints(found, metric().metric, (row(id)?.host ?? {}) as Host).map(historyPoint)
  }
  const compared = (id: number): Compared => {
    const points = pointsOf(id)
    const stats = chartStats(points)
    const record = row(id)
    const status = record ? rowStatus(workspace.surface(), server, record) : null
    const gone = record ? null : ({ text: t('ui.tui.chart.gone'), role: 'bad' } as const)
    return {
      name: nameOf(id),
      points,
      last: stats && text(stats.last),
      stats: stats
        ? t('ui.tui.chart.stats', { mean: text(stats.mean), peak: text(stats.peak) })
        : known() && t('ui.tui.chart.none'),
      state: gone ?? (status?.absence ? { text: status.word, role: status.tone } : null),
    }
  }
  const goTo = (next: number) => {
    const before = first()
    state.focus = Math.max(0, Math.min(ids.length - 1, next))
    if (first() !== before) history.load()
  }
  const choose = (by: number) => {
    state.chosen = (state.chosen + by + metrics.length) % metrics.length
    history.load()
  }
  const commands: Readonly<Record<string, () => void>> = {
    ...stepCommands(
      (by) => goTo(state.focus + by),
      () => maxLines,
    ),
    first: () => goTo(0),
    last: () => goTo(ids.length - 1),
    pageDown: () => goTo(Math.min(ids.length - 1, first() + maxLines)),
    pageUp: () => goTo(first() - maxLines),
    nextMetric: () => choose(1),
    previousMetric: () => choose(-1),
    ...ranges.commands,
    rowActions: () => focused() && ui.open(actionMenu(ui, server, [focused()!])),
    copyMenu: () => focused() && ui.open(copyMenu(ui, server, [focused()!])),
    reload() {
      workspace.retryNow()
      history.load()
    },
  }
  const none = (servers: readonly Compared[]): string | null => {
    if (servers.some(({ points }) => points.length > 0)) return null
    return known() ? t('ui.tui.chart.none') : history.absence
  }
  const shownLines = (area: Area): readonly Line[] => {
    const servers = shownIds().map(compared)
    const to = ui.io.now()
    const from = to - ranges.now.hours * 3_600_000
    const greatest = Math.max(1e-9, ...servers.flatMap(({ points }) => points.map(([, value]) => value)))
    const top = metric().top ?? greatest
    const at = (time: number) => format.instant(time, to)
    const drawn = comparisonRows(
      {
        title: labelOf(metric()),
        ranges: rangeSpans(ui, ranges.all, ranges.now),
        metrics: metrics.map((one) => ({ text: labelOf(one), isShown: one === metric() })),
        servers,
        focus: state.focus - first(),
        part:
          ids.length > maxLines
            ? t('ui.tui.chart.part', { first: first() + 1, last: first() + servers.length, count: ids.length })
            : '',
        none: none(servers),
        ...{ from, to, top, scale: [text(top), text(top / 2), text(0)] as const },
        axis: (cells) => axisLine({ from: at(from), middle: at((from + to) / 2), to: at(to) }, cells),
      },
      area,
    )
    firstServer = drawn.firstServer
    return drawn.lines
  }
  return {
    key: `compare:${ids.join()}`,
    layer: 'page',
    resource: server,
    ledHere: leadsHere,
    commands,
    place: () => [say(textKey.many('server')), t('ui.tui.chart.compared', { count: ids.length })],
    hints() {
      const { [leadsHere.key.tui!]: _here, ...actions } = focused() ? actionHints(ui, server, [focused()!]) : {}
      return { v: 'metric', ']': 'range', ...actions, '.': 'actions', '?': 'keys', Escape: 'back' }
    },
    command({ action }) {
      const record = focused()
      if (action && (record || action.on === 'none')) {
        if (action !== leadsHere) void perform(ui, action, action.on === 'none' ? [] : [record!])
      } else return false
      return true
    },
    click(at) {
      const next = firstServer === null ? -1 : at - firstServer
      if (next < 0 || next >= shownIds().length) return false
      goTo(first() + next)
      return true
    },
    comes: () => history.isComing,
    spoken: () => {
      const all = shownIds().map((id) => ({ name: nameOf(id), points: pointsOf(id), top: null, text }))
      const now = all[state.focus - first()]!
      return [
        t('ui.tui.spoken.row', {
          index: state.focus + 1,
          count: ids.length,
          text: `${labelOf(metric())}, ${chartText(ui, now)}`,
        }),
      ]
    },
    enter: () => endAll(watchWithNeeds(records, server), history.watch()),
    chosen: () => [focused()].filter((record) => record !== undefined),
    cliLine: () => {
      const rows = ids.map((id) => row(id) ?? { id })
      return `${actionLine(leadsHere, rows, view)} --metric ${metric().metric} --range ${ranges.now.hours}h`
    },
    View: () => <LiveRows lines={shownLines} />,
  }
}
