const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

export const tiers = [{ stepMs: 30_000 }, { stepMs: 5 * minute }, { stepMs: hour }] as const

export type Keep = readonly [fine: number, middle: number, coarse: number]

/** 10 min, 100 min and 20 h per row. Each length is a multiple of the one before. */
export const stepsPerRow = 20

export function rowMs(tier: number): number {
  return tiers[tier]!.stepMs * stepsPerRow
}

export function rowStart(tier: number, at: number): number {
  return startOf(at, rowMs(tier))
}

/** The coarsest tier that is fine enough for a step, or a coarser one if only that reaches back to `from`. */
export function tierFor(
  query: { stepMs: number; from: number; now: number },
  keep: Keep,
): { tier: number; stepMs: number } {
  const fineEnough = Math.max(
    0,
    tiers.findLastIndex(({ stepMs }) => stepMs <= query.stepMs),
  )
  const isLongEnough = (tier: number) => query.from >= query.now - keep[tier]!
  const tier = tiers.findIndex((_, index) => index >= fineEnough && isLongEnough(index))
  const chosen = tier === -1 ? tiers.length - 1 : tier
  return { tier: chosen, stepMs: Math.max(query.stepMs, tiers[chosen]!.stepMs) }
}

/** Step lengths that divide hours and days. */
const lengths = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * minute)

/** The shortest sensible step for at most `points` points. */
export function stepFor(spanMs: number, points: number): number {
  const least = spanMs / points
  return lengths.find((length) => length >= least) ?? Math.ceil(least / day) * day
}

export const spans = { hour: { ms: hour, kept: 24 }, day: { ms: day, kept: 30 } } as const

export type Figure = readonly [mean: number, min: number, max: number, last: number]

export interface Step {
  /** Start in epoch ms. */
  at: number
  n: number
  down: number
  /** One per metric; null if unknown. */
  figures: readonly (Figure | null)[]
}

export function startOf(at: number, stepMs: number): number {
  return Math.floor(at / stepMs) * stepMs
}

function joinFigures(a: Figure | null, b: Figure | null, [n, m]: readonly [number, number]): Figure | null {
  if (!a || !b) return b ?? a
  return [(a[0] * n + b[0] * m) / (n + m || 1), Math.min(a[1], b[1]), Math.max(a[2], b[2]), b[3]]
}

function join(a: Step, b: Step): Step {
  const weights = [a.n, b.n] as const
  const figures = b.figures.map((figure, index) => joinFigures(a.figures[index] ?? null, figure, weights))
  return { at: a.at, n: a.n + b.n, down: a.down + b.down, figures }
}

/** Merges steps into longer ones, sorted by time. Within a step, the later in the list is the newer. */
export function rollUp(steps: Iterable<Step>, stepMs: number): Step[] {
  const rolled = new Map<number, Step>()
  for (const step of steps) {
    const at = startOf(step.at, stepMs)
    const known = rolled.get(at)
    rolled.set(at, known ? join(known, step) : { ...step, at })
  }
  return [...rolled.values()].sort((a, b) => a.at - b.at)
}
