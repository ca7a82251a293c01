import { createHash } from 'node:crypto'
import { isMountSeries, kindOfSeries } from '@qd/core/define'
import { defined } from '@qd/core/errors'
import { resourceByName } from '@qd/core/resources'
import type { HistoryPoint } from '@qd/core/schemas'
import { startOf } from './steps.ts'

/**
 * What runs on hosts is stored like results of services: a series of one value per name and server. Its number is negative and comes from the name,
 * so that no list of names has to be kept.
 */
export const hostSeriesId = (series: string): number =>
  -1 - createHash('sha256').update(series).digest().readUIntBE(0, 6)

/** How often a kind of record is read for its metrics, in ms. */
export function everyMs(kind: string): number {
  const { host } = defined(resourceByName(kind))
  const { watchedMs, shownMs } = defined(host)
  return watchedMs ?? shownMs
}

/** How often the use of each filesystem is kept, in ms: its growth takes days. */
export const mountEveryMs = 15 * 60_000
/** A value that is so many intervals old is unknown. */
export const staleIntervals = 2.5

/** How long a value of a series counts if no other comes, in ms. */
export function heldMs(series: string): number {
  const kind = kindOfSeries(series)
  return kind === null ? 0 : staleIntervals * (isMountSeries(series) ? mountEveryMs : everyMs(kind))
}

/** Points of a range, in which each value is repeated until the next one, or until it no longer counts. */
export function hold(
  points: readonly HistoryPoint[],
  { from, to, stepMs, heldMs }: { from: number; to: number; stepMs: number; heldMs: number },
): HistoryPoint[] {
  const start = startOf(from, stepMs)
  return points.flatMap((point, index) => {
    const [at, , , , last] = point
    const end = Math.min(points[index + 1]?.[0] ?? to + 1, to + 1, at + heldMs)
    const held: HistoryPoint[] = at >= start ? [point] : []
    for (let next = Math.max(startOf(at, stepMs) + stepMs, start); next < end; next += stepMs)
      held.push([next, last, last, last, last])
    return held
  })
}
