import { actionLine } from '@qd/core/actions'
import { type AnyRow, textKey } from '@qd/core/define'
import { measured, plainText } from '@qd/core/fields'
import { capital } from '@qd/core/i18n'
import { server } from '@qd/core/resources'
import type { Host } from '@qd/core/schemas'
import { watchWithNeeds } from '@qd/core/store'
import { type ChartMetric, chartsFor, maxLines, rowStatus, scaledPoints } from '@qd/core/view'
import { cutMiddle, wholeName, widthOf } from '../../base/output/width.ts'
import {
  axisLine,
  type ChartPoint,
  type ChartRequest,
  chartStats,
  historyPoint,
  overlaidLines,
  valueRow,
} from '../../screen/fields/chart.ts'
import { endAll } from '../../screen/state/loaded.ts'
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
import { chartText, createRanged, historyRanges, rangeSpans, readHistory, tabPieces } from './chart-section.ts'

interface Compared {
  readonly name: string
  readonly points: readonly ChartPoint[]
  readonly last: string | null
  readonly stats: string | null
  readonly state: { readonly text: string; readonly role: Role } | null
}

const signs = ['●', '▲', '■', '○', '◆'] as const
const leastChart = 4
const middleFrom = 7
const shortChart = 3
const roomy = 12

const markOf = (index: number, ...roles: readonly Role[]) =>
  span(signs[index % signs.length]!, lineRoles[index % lineRoles.length]!, ...roles)

function metricsLine(texts: readonly string[], shown: number, columns: number): Line {
  const pieces = tabPieces(texts, shown)
  const fits = (first: number, end: number) => lineWidth(pieces.slice(first, end).flat()) <= columns - 2
  let first = 0
  while (first < shown && !fits(first, shown + 1)) first += 1
  let end = pieces.length
  while (end > shown + 1 && !fits(first, end)) end -= 1
  const inSight = [span(first > 0 ? '…' : ' '), ...pieces.slice(first, end).flat()]
  return cutLine(end < pieces.length ? [...inSight, span('…', 'muted')] : inSight, columns)
}

const nameLine = ({ name }: Compared, index: number, isFocused: boolean, cells: number): Line => [
  span(isFocused ? '▌' : ' ', 'accent'),
  markOf(index, ...(isFocused ? (['bold'] as const) : [])),
  span(` ${cutMiddle(name, cells, '…')}`, ...(isFocused ? (['bold'] as const) : [])),
]

/** `▌● web-1  12%  mean 8%, peak 40%`, a row per server: names aren't cut for figures. */
function legendRows(servers: readonly Compared[], focus: number, columns: number): Line[] {
  const widest = (textOf: (one: Compared) => string) => Math.max(...servers.map((one) => widthOf(textOf(one))))
  const cells = Math.min(
    widest(({ name }) => name),
    wholeName(columns),
    columns - 4,
  )
  const lastCells = widest(({ state, last }) => state?.text ?? last ?? '')
  const statsCells = widest(({ stats }) => stats ?? '')
  return servers.map((one, index) => {
    const { last, stats, state } = one
    const role = state?.role ?? (last === null ? 'muted' : index === focus ? 'bold' : 'plain')
    const name = fitLine(nameLine(one, index, index === focus, cells), cells + 3)
    const figure = [span('  '), ...fitLine([span(state?.text ?? last ?? '–', role)], lastCells, 'right')]
    const room = columns - lineWidth(name) - lineWidth(figure)
    if (room < 0) return name
    return [...name, ...figure, ...(stats !== null && room >= statsCells + 2 ? [span(`  ${stats}`, 'muted')] : [])]
  })
}

/** Names one after the other, in the first of these rows the one in front. */
function shortLegend(servers: readonly Compared[], focus: number, columns: number): Line[] {
  const rows: { line: Line; hasFocus: boolean }[] = []
  for (const [index, one] of servers.entries()) {
    const piece = nameLine(one, index, index === focus, Math.min(wholeName(columns), columns - 4))
    const last = rows.at(-1)
    if (!last || lineWidth(last.line) + 1 + lineWidth(piece) > columns)
      rows.push({ line: piece, hasFocus: index === focus })
    else
      rows[rows.length - 1] = { line: [...last.line, span(' '), ...piece], hasFocus: last.hasFocus || index === focus }
  }
  const at = rows.findIndex(({ hasFocus }) => hasFocus)
  return [...rows.slice(at), ...rows.slice(0, at)].map(({ line }) => line)
}

/** `none` in the place of lines without any. */
function chartRows(
  servers: readonly Compared[],
  focus: number,
  chart: Omit<ChartRequest, 'points'> & { none: string | null; scale: readonly string[]; scaleCells: number },
): Line[] {
  const { rows, columns, none, scale, scaleCells } = chart
  if (none !== null) return [cutLine(line(` ${none}`, 'muted'), columns), ...Array<Line>(rows - 1).fill([])]
  const traces = servers.map(({ points }, index) => {
    const isFront = index === focus
    return { points, isFront, mark: markOf(index, ...(isFront ? (['bold'] as const) : [])) }
  })
  const [top = '', middle = '', bottom = ''] = scale
  const labels = new Map([[rows - 1, bottom]])
  if (rows >= middleFrom) labels.set(valueRow(0.5, rows), middle)
  labels.set(0, top)
  return overlaidLines(traces, { ...chart, columns: Math.max(1, columns - scaleCells - 2) }).map((drawn, row) => [
    ...fitLine(line(labels.get(row) ?? '', 'muted'), scaleCells, 'right'),
    span('│', 'rule'),
    ...drawn,
  ])
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
  const first = () => state.focus - (state.focus % maxLines)
  const shownIds = () => ids.slice(first(), first() + maxLines)
  const metric = () => metrics[state.chosen]!
  const labelOf = ({ label }: ChartMetric) => capital(say(label), translator.language)
  const key = (): string => [metric().metric, rangeNow().hours, first()].join()
  const {
    loaded: history,
    now: rangeNow,
    keys,
  } = createRanged(ui, historyRanges, async (range) => ({
    key: key(),
    answer: await readHistory(ui, shownIds(), [metric().metric], range),
  }))
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
    ...keys.commands,
    rowActions: () => focused() && ui.open(actionMenu(ui, server, [focused()!])),
    copyMenu: () => focused() && ui.open(copyMenu(ui, server, [focused()!])),
    reload() {
      workspace.retryNow()
      history.load()
    },
  }
  /** `1–5 of 12` and the ranges, as far as there is room. */
  const headRight = (columns: number): Line => {
    const [begin, count] = [first(), ids.length]
    const part = t('ui.tui.chart.part', { first: begin + 1, last: Math.min(count, begin + maxLines), count })
    const tabs = rangeSpans(ui, historyRanges, rangeNow())
    const whole = count > maxLines ? [span(part, 'muted'), span('  '), ...tabs] : tabs
    const room = columns - widthOf(labelOf(metric())) - 8
    return [whole, tabs].find((one) => lineWidth(one) <= room) ?? []
  }
  const none = (servers: readonly Compared[]): string | null => {
    if (servers.some(({ points }) => points.length > 0)) return null
    return known() ? t('ui.tui.chart.none') : history.absence
  }
  const shownLines = ({ columns, rows }: Area): readonly Line[] => {
    const servers = shownIds().map(compared)
    const focus = state.focus - first()
    const to = ui.io.now()
    const from = to - rangeNow().hours * 3_600_000
    const top = metric().top ?? Math.max(1e-9, ...servers.flatMap(({ points }) => points.map(([, value]) => value)))
    const at = (time: number) => format.instant(time, to)
    const absent = none(servers)
    const scale = [text(top), text(top / 2), text(0)]
    const scaleCells = absent === null ? Math.max(...scale.map(widthOf)) + 1 : 0
    const isRoomy = rows >= roomy
    const axis: Line[] =
      isRoomy && absent === null
        ? [
            [
              blank(scaleCells + 1),
              ...axisLine({ from: at(from), middle: at((from + to) / 2), to: at(to) }, columns - scaleCells - 2),
            ],
          ]
        : []
    const head = [ruleLine([span(labelOf(metric()))], columns, headRight(columns))]
    if (isRoomy) head.push(metricsLine(metrics.map(labelOf), state.chosen, columns))
    const fixed = head.length + axis.length
    const isListed = rows - fixed - servers.length >= leastChart
    const legend = isListed
      ? legendRows(servers, focus, columns)
      : shortLegend(servers, focus, columns).slice(0, Math.max(1, rows - fixed - shortChart))
    const room = Math.max(1, rows - fixed - legend.length)
    const chart = chartRows(servers, focus, { from, to, top, columns, rows: room, none: absent, scale, scaleCells })
    const above = [...head, ...chart, ...axis]
    firstServer = isListed ? above.length : null
    return [...above, ...legend].slice(0, rows)
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
    comes: keys.comes,
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
      return `${actionLine(leadsHere, rows, view)} --metric ${metric().metric} --range ${rangeNow().hours}h`
    },
    View: () => <LiveRows lines={shownLines} />,
  }
}
