import { fullIn, growthMs, mountsOf } from '@qd/core/resources'
import type { Clock } from '../../kernel/ports.ts'
import type { History } from '../history/history.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]
type Points = readonly (readonly [at: number, used: number])[]

/** How long the points of a server count before they are read again. */
const keptMs = 3_600_000

/** Filesystems with the time until each is full (`full_in`), by what history knows of the last days; null if it knows too little. */
export function createGrowth(clock: Clock, history: Pick<History, 'points'>) {
  const known = new Map<number, { at: number; points: Promise<ReadonlyMap<string, Points>> }>()

  async function read(serverId: number, series: readonly string[]): Promise<ReadonlyMap<string, Points>> {
    const to = clock.now()
    const found = await history.points({
      ...{ servers: [serverId], metrics: series, from: to - growthMs.back, to, stepMs: growthMs.step },
    })
    return new Map(found.series.map(({ metric, points }) => [metric, points.map(([at, mean]) => [at, mean])]))
  }

  function pointsOf(serverId: number, series: readonly string[]): Promise<ReadonlyMap<string, Points>> {
    const now = clock.now()
    const before = known.get(serverId)
    if (before && now - before.at < keptMs) return before.points
    // Servers that nothing was asked of for so long.
    for (const [id, { at }] of known) if (now - at >= keptMs) known.delete(id)
    const points = read(serverId, series).catch(() => new Map<string, Points>())
    known.set(serverId, { at: now, points })
    return points
  }

  return async (serverId: number, rows: Rows): Promise<Rows> => {
    const series = mountsOf(rows)
    const points = series.size === 0 ? new Map<string, Points>() : await pointsOf(serverId, [...series.values()])
    return rows.map((row) => {
      const of = points.get(series.get(row) ?? '')
      return { ...row, full_in: of ? fullIn(of, Number(row.used)) : null }
    })
  }
}
