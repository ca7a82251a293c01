import { onlineWithinMs } from '../resources/online.ts'

/** Width of a point in ms and number of points: the last ten minutes. */
const slotMs = 5000
const slots = 120
/** A server with two samples at most this far apart stayed online in between. */
const bridgedSlots = onlineWithinMs / slotMs
export const trendMs = slotMs * slots

interface Ring {
  /** Slot number (epoch ms / slotMs) of the newest point. */
  slot: number
  /** One point per slot, the mean of its samples; NaN without samples. */
  values: Float32Array
  samples: number
}

/** The last minutes of each record’s metrics, 480 bytes each. */
export interface Trends {
  /** `at` is epoch ms of the server’s clock. */
  add(id: number, figure: string, value: number, at: number): void
  /** Fills empty points with a mean from `at` for `ms`. Ignores what is too old. */
  fill(id: number, figure: string, value: number, at: number, ms: number): void
  /** A value per slot before `now`, oldest first; null if offline. Gaps between samples of an online server repeat the earlier value. Empty if nothing is known. */
  of(id: number, figure: string, now: number): readonly (number | null)[]
  clear(): void
}

export function createTrends(): Trends {
  const figures = new Map<string, Map<number, Ring>>()
  const ringOf = (id: number, figure: string, slot: number): Ring => {
    const rings = figures.get(figure) ?? new Map<number, Ring>()
    if (rings.size === 0) figures.set(figure, rings)
    const known = rings.get(id)
    if (known) return known
    const fresh = { slot, values: new Float32Array(slots).fill(Number.NaN), samples: 0 }
    rings.set(id, fresh)
    return fresh
  }
  return {
    add(id, figure, value, at) {
      const slot = Math.floor(at / slotMs)
      const ring = ringOf(id, figure, slot)
      if (slot < ring.slot) return
      for (let next = Math.max(ring.slot + 1, slot - slots + 1); next <= slot; next++) {
        ring.values[next % slots] = Number.NaN
        ring.samples = 0
      }
      ring.slot = slot
      const mean = ring.samples === 0 ? 0 : (ring.values[slot % slots] ?? 0)
      ring.samples += 1
      ring.values[slot % slots] = mean + (value - mean) / ring.samples
    },
    fill(id, figure, value, at, ms) {
      if (ms <= 0) return
      const last = Math.floor((at + ms - 1) / slotMs)
      const ring = ringOf(id, figure, last)
      if (last > ring.slot && ring.samples === 0) {
        for (let slot = ring.slot + 1; slot <= last; slot++) ring.values[slot % slots] = Number.NaN
        ring.slot = last
      }
      for (let slot = Math.floor(at / slotMs); slot <= last; slot++) {
        if (slot > ring.slot || slot <= ring.slot - slots) continue
        if (Number.isNaN(ring.values[slot % slots])) ring.values[slot % slots] = value
      }
    },
    of(id, figure, now) {
      const ring = figures.get(figure)?.get(id)
      if (!ring) return []
      const first = Math.floor(now / slotMs) - slots + 1
      const points: (number | null)[] = Array(slots).fill(null)
      let known: number | null = null
      for (let index = 0; index < slots; index++) {
        const slot = first + index
        if (slot > ring.slot || slot <= ring.slot - slots) continue
        const value = ring.values[((slot % slots) + slots) % slots]
        if (value === undefined || Number.isNaN(value)) continue
        if (known !== null && index - known <= bridgedSlots) points.fill(points[known] ?? null, known + 1, index)
        points[index] = value
        known = index
      }
      return known === null ? [] : points
    },
    clear: () => figures.clear(),
  }
}
