import type { HistoryPoint } from '@qd/core/schemas'

/** A span of time in epoch ms and the length of its steps. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly stepMs: number
}

/** Columns as a chart draws them: times, and per line mean, least and greatest value; null if nothing was measured. */
export interface Aligned {
  readonly times: number[]
  readonly lines: {
    readonly mean: (number | null)[]
    readonly least: (number | null)[]
    readonly most: (number | null)[]
  }[]
}

/** Puts the points of all lines on the same steps, so that a gap stays a gap. Points outside the span are left out. */
export function alignLines(lines: readonly (readonly HistoryPoint[])[], { from, to, stepMs }: Span): Aligned {
  const start = Math.floor(from / stepMs) * stepMs
  const count = Math.max(0, Math.floor((to - start) / stepMs)) + 1
  const times = Array.from({ length: count }, (_, index) => start + index * stepMs)
  return {
    times,
    lines: lines.map((points) => {
      const empty = () => Array.from({ length: count }, (): number | null => null)
      const columns = { mean: empty(), least: empty(), most: empty() }
      for (const [at, mean, least, most] of points) {
        const index = Math.floor((at - start) / stepMs)
        if (index < 0 || index >= count) continue
        columns.mean[index] = mean
        columns.least[index] = least
        columns.most[index] = most
      }
      return columns
    }),
  }
}

/** The last step that has a value in any line; null if none has. */
export function lastKnown({ times, lines }: Aligned): number | null {
  for (let index = times.length - 1; index >= 0; index -= 1) {
    if (lines.some(({ mean }) => mean[index] !== null)) return index
  }
  return null
}
