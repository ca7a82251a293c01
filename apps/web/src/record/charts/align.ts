import type { HistoryPoint } from '@qd/core/schemas'

/** Px between the edges of a chart and its inner area. */
export const plotInsets = { left: 72, right: 8, top: 8, bottom: 24 } as const

export interface Span {
  readonly from: number
  readonly to: number
  readonly stepMs: number
}

/** Data as uPlot takes it: times, and per line mean, minimum and maximum; null for gaps. */
export interface Aligned {
  readonly times: number[]
  readonly lines: {
    readonly mean: (number | null)[]
    readonly least: (number | null)[]
    readonly most: (number | null)[]
  }[]
}

/** Aligns the points of all lines, so that a gap stays a gap. Drops points outside the span. */
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

export function lastKnown({ times, lines }: Aligned): number | null {
  for (let index = times.length - 1; index >= 0; index -= 1) {
    if (lines.some(({ mean }) => mean[index] !== null)) return index
  }
  return null
}
