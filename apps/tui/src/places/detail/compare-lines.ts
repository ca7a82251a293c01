import { cutMiddle, padTo, wholeName, widthOf } from '../../base/output/width.ts'
import { type ChartTrace, overlaidLines, valueRow } from '../../screen/fields/chart.ts'
import type { Area } from '../../screen/state/screen.ts'
import { blank, cutLine, fitLine, type Line, line, lineWidth, ruleLine, span } from '../../screen/terminal/line.ts'
import { lineRoles, type Role } from '../../screen/terminal/theme.ts'

export interface Compared {
  readonly name: string
  readonly points: ChartTrace['points']
  readonly last: string | null
  readonly stats: string | null
  readonly state: { readonly text: string; readonly role: Role } | null
}

export interface Comparison {
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
export interface ComparisonRows {
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

export function comparisonRows(shown: Comparison, { columns, rows }: Area): ComparisonRows {
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
