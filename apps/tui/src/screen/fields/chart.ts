import type { HistoryPoint } from '@qd/core/schemas'
import { widthOf } from '../../base/output/width.ts'
import { fitLine, joinedLine, type Line, line, type Span, span } from '../terminal/line.ts'

export type ChartPoint = readonly [at: number, value: number, most?: number]

export const historyPoint = ([at, mean, , most]: HistoryPoint): ChartPoint => [at, mean, most]

export interface ChartRequest {
  readonly points: readonly ChartPoint[]
  readonly from: number
  readonly to: number
  readonly columns: number
  readonly rows: number
  /** Value of the upper edge; the lower one is 0. */
  readonly top: number
}

const eighths = ' ▁▂▃▄▅▆▇█'

/** A column chart: blank without samples, at least an eighth of a cell with some. */
export function chartLines({ points, from, to, columns, rows, top }: ChartRequest): Line[] {
  const heights = meansBySlot(points, { from, to, slots: columns }).map((value) =>
    value === null ? 0 : Math.max(1, Math.min(rows * 8, Math.round((value / top) * rows * 8))),
  )
  return Array.from({ length: rows }, (_, row) => {
    const below = (rows - 1 - row) * 8
    return line(heights.map((height) => eighths[Math.max(0, Math.min(8, height - below))]).join(''))
  })
}

export interface ChartTrace {
  readonly points: readonly ChartPoint[]
  readonly mark: Span
  readonly isFront: boolean
}

/**
 * Draws several lines with a sign each; where they overlap, signs alternate by cell, so that none is hidden. The one in
 * front is connected.
 */
export function overlaidLines(
  traces: readonly ChartTrace[],
  { from, to, columns, rows, top }: Omit<ChartRequest, 'points'>,
): Line[] {
  const rowOf = (value: number) => valueRow(value / top, rows)
  const heights = traces.map(({ points }) =>
    meansBySlot(points, { from, to, slots: columns }).map((mean) => (mean === null ? null : rowOf(mean))),
  )
  const front = traces.findIndex(({ isFront }) => isFront)
  const joint = (row: number, column: number): Span | null => {
    const [before, here] = [heights[front]?.[column - 1] ?? null, heights[front]?.[column] ?? null]
    const isBetween = before !== null && here !== null && Math.min(before, here) < row && row < Math.max(before, here)
    return isBetween ? { text: '│', roles: traces[front]!.mark.roles } : null
  }
  const cell = (row: number, column: number): Span => {
    const met = traces.filter((_, index) => heights[index]![column] === row)
    return met[column % met.length]?.mark ?? joint(row, column) ?? span(' ')
  }
  return Array.from({ length: rows }, (_, row) =>
    joinedLine(Array.from({ length: columns }, (_cell, column) => cell(row, column))),
  )
}

/** Row from the top at which `overlaidLines` draws this share of the upper edge. */
export function valueRow(share: number, rows: number): number {
  return rows - 1 - Math.round(Math.max(0, Math.min(1, share)) * (rows - 1))
}

function meansBySlot(
  points: readonly ChartPoint[],
  { from, to, slots }: { from: number; to: number; slots: number },
): (number | null)[] {
  const sums = Array.from({ length: slots }, () => ({ sum: 0, count: 0 }))
  const slotOf = (at: number) => Math.floor(((at - from) / (to - from)) * slots)
  for (const [at, value] of points) {
    const slot = sums[slotOf(at)]
    if (!slot) continue
    slot.sum += value
    slot.count += 1
  }
  const means = sums.map(({ sum, count }) => (count === 0 ? null : sum / count))
  const step = usualStep(points)
  const span = Math.ceil((step / (to - from)) * slots) - 1
  return means.map((mean, index) => mean ?? means.slice(Math.max(0, index - span), index).findLast(isKnown) ?? null)
}

const isKnown = (value: number | null) => value !== null

function usualStep(points: readonly ChartPoint[]): number {
  const gaps = points.slice(1).map(([at], index) => at - points[index]![0])
  return gaps.sort((a, b) => a - b)[Math.floor((gaps.length - 1) / 2)] ?? 0
}

export function axisLine(times: { from: string; middle: string; to: string }, columns: number): Line {
  const third = Math.floor(columns / 3)
  const middle = Math.max(0, columns - 2 * third)
  const shown = (text: string) => span(text, 'muted')
  const left = fitLine([shown(times.from)], third)
  const centre = Math.max(0, Math.floor((middle - widthOf(times.middle)) / 2))
  return [
    ...left,
    ...fitLine([shown(' '.repeat(centre) + times.middle)], middle),
    ...fitLine([shown(times.to)], third, 'right'),
  ]
}

export function chartStats(points: readonly ChartPoint[]): { mean: number; peak: number; last: number } | null {
  const last = points.at(-1)
  if (!last) return null
  const values = points.map(([, value]) => value)
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    peak: Math.max(...points.map(([, value, most]) => most ?? value)),
    last: last[1],
  }
}
