import { type Bytes, sum } from './meter.ts'
import type { TrafficStore } from './traffic-store.ts'

/** Servers asked for in one query: a year of hours of each must not keep other calls waiting. */
const mostAtOnce = 20

/** What servers moved since the beginning of a cycle, kept once it was asked for. */
export interface TrafficSums {
  /** Null if it is not read yet; it will be. */
  since(from: number, serverId: number): Bytes | null
  /** An hour was stored. */
  add(serverId: number, at: number, bytes: Bytes): void
  /** Discards all sums, so that they are read again. */
  clear(): void
}

/** Nothing read yet. `inTurn` runs work while no hour is being written down, so that none is read twice or not at all. */
export function createTrafficSums(
  store: Pick<TrafficStore, 'since'>,
  inTurn: (work: () => Promise<void>) => void,
): TrafficSums {
  const known = new Map<number, Map<number, Bytes>>()
  const wanted = new Map<number, Set<number>>()
  let isReading = false

  const under = <T>(map: Map<number, T>, key: number, make: () => T): T => {
    const found = map.get(key) ?? make()
    map.set(key, found)
    return found
  }

  async function readAll() {
    isReading = false
    for (const [from, servers] of wanted) {
      wanted.delete(from)
      const ids = [...servers]
      for (let first = 0; first < ids.length; first += mostAtOnce) {
        const some = ids.slice(first, first + mostAtOnce)
        const sums = await store.since(from, some)
        const kept = under(known, from, () => new Map<number, Bytes>())
        for (const id of some) kept.set(id, sums.get(id) ?? { in: 0, out: 0 })
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
  }

  return {
    since(from, serverId) {
      const sums = known.get(from)?.get(serverId)
      if (sums) return sums
      under(wanted, from, () => new Set<number>()).add(serverId)
      if (!isReading) inTurn(readAll)
      isReading = true
      return null
    },
    add(serverId, at, bytes) {
      for (const [from, sums] of known) {
        const before = sums.get(serverId)
        if (before && at >= from) sums.set(serverId, sum(before, bytes))
      }
    },
    clear: () => known.clear(),
  }
}
