/** Bytes per second over the last seconds, and when bytes last moved. Times are epoch ms. */
export interface Pace {
  add(bytes: number, at: number): void
  /** Null until there is something to reckon from. */
  rate(at: number): number | null
  readonly lastAt: number
}

/** How far back a rate looks. */
const windowMs = 5000
const pieceMs = 250

/** A pace that begins now. */
export function createPace(startedAt: number): Pace {
  let pieces: { at: number; bytes: number }[] = []
  let lastAt = startedAt
  return {
    get lastAt() {
      return lastAt
    },
    add(bytes, at) {
      lastAt = at
      const newest = pieces.at(-1)
      if (newest && at - newest.at < pieceMs) newest.bytes += bytes
      else pieces.push({ at, bytes })
      pieces = pieces.filter((piece) => at - piece.at <= windowMs)
    },
    rate(at) {
      const recent = pieces.filter((piece) => at - piece.at <= windowMs)
      const since = Math.max(startedAt, at - windowMs)
      if (at - since < pieceMs || recent.length === 0) return null
      return (recent.reduce((sum, { bytes }) => sum + bytes, 0) / (at - since)) * 1000
    },
  }
}
