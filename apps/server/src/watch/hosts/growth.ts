import { fullIn, growthMs, mountsOf, slopeOf } from '@qd/core/resources'
import type { Clock } from '../../kernel/ports.ts'
import type { History } from '../history/history.ts'
import { mountEveryMs } from '../history/host-series.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]
type Slopes = ReadonlyMap<string, number | null>

/** How long the slopes of a server count before they are read again. */
const keptMs = 3_600_000

/** Filesystems with the time until each is full (`full_in`), by what history knows of the last days; null if it knows too little. */
export function createGrowth(clock: Clock, history: Pick<History, 'points'>) {
  const known = new Map<number, { at: number; of: ReadonlySet<string>; slopes: Promise<Slopes> }>()

  async function read(serverId: number, series: readonly string[]): Promise<Slopes> {
    const to = clock.now()
    const found = await history.points({
      ...{ servers: [serverId], metrics: series, from: to - growthMs.back, to, stepMs: growthMs.step },
    })
    return new Map(found.series.map(({ metric, points }) => [metric, slopeOf(points.map(([at, mean]) => [at, mean]))]))
  }

  function slopesOf(serverId: number, series: readonly string[]): Promise<Slopes> {
    const now = clock.now()
    // The clock may have been set back.
    const ageOf = ({ at }: { at: number }) => Math.abs(now - at)
    const before = known.get(serverId)
    // A filesystem that is new gets its points no more often.
    if (before && ageOf(before) < (series.every((one) => before.of.has(one)) ? keptMs : mountEveryMs))
      return before.slopes
    // Servers that nothing was asked of for so long.
    for (const [id, entry] of known) if (ageOf(entry) >= keptMs) known.delete(id)
    const slopes = read(serverId, series).catch((): Slopes => {
      if (known.get(serverId)?.slopes === slopes) known.delete(serverId)
      return new Map()
    })
    known.set(serverId, { at: now, of: new Set(series), slopes })
    return slopes
  }

  return async (serverId: number, rows: Rows): Promise<Rows> => {
    const series = mountsOf(rows)
    const slopes: Slopes = series.size === 0 ? new Map() : await slopesOf(serverId, [...series.values()])
    return rows.map((row) => {
      const of = series.get(row)
      return { ...row, full_in: of === undefined ? null : fullIn(slopes.get(of) ?? null, Number(row.used)) }
    })
  }
}
