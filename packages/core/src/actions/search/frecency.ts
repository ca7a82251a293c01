import * as z from 'zod'
import { lazy } from '../../define/index.ts'
import type { Clock } from '../clock.ts'

/** What a person uses often and lately, to rank by (behaviour P-10). */
export interface Frecency {
  /** 0 for what was never used. */
  score(key: string): number
  use(key: string): void
  /** Keys by score, best first. */
  top(count: number): readonly string[]
  clear(): void
}

const saved = lazy(() => z.record(z.string(), z.array(z.number())).catch({}))
const maxKeys = 200
const maxUses = 5
const dayMs = 86_400_000
/** What a use is worth up to an age in days. */
const worth: readonly (readonly [days: number, points: number])[] = [
  [1, 100],
  [3, 60],
  [7, 40],
  [30, 20],
  [Number.POSITIVE_INFINITY, 5],
]

/** Starts with what `load` gives, tells `save` after each change. Both hold plain JSON of keys and times, nothing else. */
export function createFrecency(
  clock: Pick<Clock, 'now'>,
  { load, save }: { load(): unknown; save(uses: unknown): void },
): Frecency {
  let uses = new Map(Object.entries(saved().parse(load())))
  const score = (key: string): number => {
    const now = clock.now()
    const points = (uses.get(key) ?? []).map((at) => worth.find(([days]) => now - at <= days * dayMs)![1])
    return points.reduce((sum, one) => sum + one, 0)
  }
  const ranked = () => [...uses.keys()].sort((a, b) => score(b) - score(a))
  return {
    score,
    use(key) {
      uses.set(key, [clock.now(), ...(uses.get(key) ?? [])].slice(0, maxUses))
      if (uses.size > maxKeys)
        uses = new Map(
          ranked()
            .slice(0, maxKeys)
            .map((kept) => [kept, uses.get(kept)!]),
        )
      save(Object.fromEntries(uses))
    },
    top: (count) => ranked().slice(0, count),
    clear() {
      uses.clear()
      save({})
    },
  }
}
