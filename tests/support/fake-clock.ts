import type { Clock } from '@qd/server/services'

/** A clock that stands still until it is moved. */
export interface FakeClock extends Clock {
  /** Moves on and runs what comes due on the way, in order; answers when nothing of it is pending. */
  advance(ms: number): Promise<void>
  /** Jumps without running anything on the way, as when somebody sets the clock. */
  set(now: number): void
}

/** A fake clock; `start` is epoch ms. */
export function createFakeClock(start = Date.parse('2026-11-20T12:00:00Z')): FakeClock {
  const timers = new Set<{ at: number; run(): void }>()
  let now = start
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async advance(ms) {
      const end = now + ms
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
        if (!next) break
        now = Math.max(now, next.at)
        timers.delete(next)
        next.run()
        await new Promise((resolve) => setImmediate(resolve))
      }
      now = end
    },
    set(to) {
      now = to
    },
  }
}
