/** Width of a point in ms and number of points kept: the last ten minutes. */
const slotMs = 5000
const slots = 120

interface Ring {
  /** Slot number (epoch ms / slotMs) of the newest point. */
  slot: number
  /** One point per slot, NaN where nothing was reported. A point is the mean of the samples in its slot. */
  values: Float32Array
  /** Samples in the newest slot. */
  samples: number
}

/** The last minutes of each figure of each record, in little memory: 480 bytes each. */
export interface Trends {
  /** `at` is epoch ms of the server's clock. */
  add(id: number, figure: string, value: number, at: number): void
  /** Points, oldest first, without gaps; empty where nothing is known. A copy. */
  of(id: number, figure: string): readonly number[]
  clear(): void
}

/** Empty trends. */
export function createTrends(): Trends {
  const rings = new Map<string, Ring>()
  return {
    add(id, figure, value, at) {
      const key = `${id} ${figure}`
      const slot = Math.floor(at / slotMs)
      const ring = rings.get(key) ?? { slot, values: new Float32Array(slots).fill(Number.NaN), samples: 0 }
      rings.set(key, ring)
      if (slot < ring.slot) return
      for (let next = Math.max(ring.slot + 1, slot - slots + 1); next <= slot; next++) {
        ring.values[next % slots] = Number.NaN
        ring.samples = 0
      }
      ring.slot = slot
      const mean = ring.samples === 0 ? 0 : ring.values[slot % slots]!
      ring.samples += 1
      ring.values[slot % slots] = mean + (value - mean) / ring.samples
    },
    of(id, figure) {
      const ring = rings.get(`${id} ${figure}`)
      if (!ring) return []
      const points: number[] = []
      for (let slot = ring.slot - slots + 1; slot <= ring.slot; slot++) {
        const value = ring.values[((slot % slots) + slots) % slots]!
        if (!Number.isNaN(value)) points.push(value)
      }
      return points
    },
    clear: () => rings.clear(),
  }
}
