const hourMs = 3_600_000

/** How far back growth looks, and the length of a step, in ms. */
export const growthMs = { back: 14 * 24 * hourMs, step: 6 * hourMs } as const

/** The longest time that is told, in seconds: a filesystem that takes longer to fill, or doesn’t grow, has this one. */
export const notFillingS = 365 * 24 * 3600

/** From when on a filesystem needs care, in seconds. */
export const fullInLimits = { warn: 14 * 24 * 3600, bad: 3 * 24 * 3600 } as const

/** At least so many steps, over at least so long, say something about the days to come. */
const least = { steps: 8, spanMs: 48 * hourMs }
/** The part of all pairs of steps in which the later one must be higher. */
const steady = 0.8

/** From this use on, in percent, a filesystem is full: that it stays there says nothing of how it grew. */
const full = 99.9

/**
 * How fast a filesystem grows, in percent per ms, by its use over the last days, oldest first; 0 if it doesn’t rise steadily, null with too little
 * data. Takes the median of all slopes, which a night's backup doesn't move.
 */
export function slopeOf(points: readonly (readonly [at: number, used: number])[]): number | null {
  const first = points[0]?.[0] ?? 0
  const last = points.at(-1)?.[0] ?? 0
  if (points.length < least.steps || last - first < least.spanMs) return null
  const slopes = points.flatMap(([at, before], index) =>
    points
      .slice(index + 1)
      .filter(([, after]) => before < full || after < full)
      .map(([later, after]) => (after - before) / (later - at)),
  )
  const rising = slopes.filter((slope) => slope > 0).length
  if (rising < steady * slopes.length) return 0
  return slopes.sort((a, b) => a - b)[Math.floor(slopes.length / 2)] ?? 0
}

/**
 * When a filesystem is full, in seconds from now, by its slope and its use now. In whole hours, from three days on in whole days, rounded down: so it
 * doesn’t change at each reading, and “less than 7 days” stays exact.
 */
export function fullIn(slope: number | null, used: number): number | null {
  if (used >= 100) return 0
  if (slope === null) return null
  const seconds = Math.min(notFillingS, Math.round((100 - used) / slope / 1000))
  return seconds - (seconds % (seconds < fullInLimits.bad ? 3600 : 24 * 3600))
}
