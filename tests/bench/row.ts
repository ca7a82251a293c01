/** One figure of `npm run bench`: what was measured, what it may be at most (or at least), and what it was. */
export interface Row {
  what: string
  /** In words, e.g. `4.7 ms`. */
  budget: string
  measured: string
  met: boolean
}

/** Median and 95th percentile of samples, in the samples' unit. */
export function spread(samples: readonly number[]): { p50: number; p95: number } {
  const sorted = [...samples].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  return { p50: at(0.5), p95: at(0.95) }
}

/** A row whose figure must stay at or below its budget. */
export function atMost({
  what,
  limit,
  figure,
  unit,
  digits = 1,
}: {
  what: string
  limit: number
  figure: number
  unit: string
  digits?: number
}): Row {
  return { what, budget: `${limit} ${unit}`, measured: `${figure.toFixed(digits)} ${unit}`, met: figure <= limit }
}

/** A row whose figure must reach its budget. */
export function atLeast({
  what,
  limit,
  figure,
  unit,
  digits = 1,
}: {
  what: string
  limit: number
  figure: number
  unit: string
  digits?: number
}): Row {
  return {
    what,
    budget: `at least ${limit} ${unit}`,
    measured: `${figure.toFixed(digits)} ${unit}`,
    met: figure >= limit,
  }
}

/** Milliseconds that something takes. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}

/** Runs something several times, one after the other, and answers each time in ms. */
export async function samples(count: number, run: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index++) times.push(await timed(run))
  return times
}
