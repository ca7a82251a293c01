const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The resolutions of the history, finest first (decisions.md, "History"). */
export const tiers = [{ stepMs: 30_000 }, { stepMs: 5 * minute }, { stepMs: hour }] as const

/** How long each tier is kept, in ms. */
export type Keep = readonly [fine: number, middle: number, coarse: number]

/** Steps that one row holds: 10 minutes, 100 minutes, 20 hours. Each length is a multiple of those before it. */
export const stepsPerRow = 20

/** Length of what one row of a tier holds. */
export function rowMs(tier: number): number {
  return tiers[tier]!.stepMs * stepsPerRow
}

/** Start of the row that a moment is in. */
export function rowStart(tier: number, at: number): number {
  return startOf(at, rowMs(tier))
}

/**
 * Which tier answers for a step of this length from then on, and the length it can give: the coarsest that is fine enough,
 * or a coarser one where nothing so fine is kept that long.
 */
export function tierFor(
  query: { stepMs: number; from: number; now: number },
  keep: Keep,
): { tier: number; stepMs: number } {
  const fineEnough = Math.max(
    0,
    tiers.findLastIndex(({ stepMs }) => stepMs <= query.stepMs),
  )
  const reaches = (tier: number) => query.from >= query.now - keep[tier]!
  const tier = tiers.findIndex((_, index) => index >= fineEnough && reaches(index))
  const chosen = tier === -1 ? tiers.length - 1 : tier
  return { tier: chosen, stepMs: Math.max(query.stepMs, tiers[chosen]!.stepMs) }
}

/** Lengths of steps that divide hours and days. */
const lengths = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * minute)

/** The shortest sensible step with which a span has at most so many of them. */
export function stepFor(spanMs: number, points: number): number {
  const least = spanMs / points
  return lengths.find((length) => length >= least) ?? Math.ceil(least / day) * day
}

/** What the results of a service are summed up by, and how many of each are kept. */
export const spans = { hour: { ms: hour, kept: 24 }, day: { ms: day, kept: 30 } } as const

/** One figure over a step: mean, least, greatest and last value. */
export type Figure = readonly [mean: number, min: number, max: number, last: number]

/** What one step of a series came to. */
export interface Step {
  /** Start in epoch ms. */
  at: number
  /** Samples, or successes of a probe. */
  n: number
  /** Failures of a probe. */
  down: number
  /** One for each of the series' metrics; null if it was not known. */
  figures: readonly (Figure | null)[]
}

/** Start of the step of this length that a moment lies in; steps are aligned to the epoch. */
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

/** Steps of another length, made of shorter ones; of those in the same step the later in the list is the newer. Sorted by time. */
export function rollUp(steps: Iterable<Step>, stepMs: number): Step[] {
  const rolled = new Map<number, Step>()
  for (const step of steps) {
    const at = startOf(step.at, stepMs)
    const known = rolled.get(at)
    rolled.set(at, known ? join(known, step) : { ...step, at })
  }
  return [...rolled.values()].sort((a, b) => a.at - b.at)
}
