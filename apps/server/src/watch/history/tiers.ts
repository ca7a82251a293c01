import { startOf } from './steps.ts'

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
