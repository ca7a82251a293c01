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
