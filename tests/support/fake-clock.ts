import type { Clock } from '@qd/server/ports'

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
  /** Timers go by the time that has passed, whatever the clock was set to. */
  let passed = 0
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: passed + Math.max(0, ms), run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async advance(ms) {
      const end = passed + ms
      const passTo = (at: number) => {
        now += at - passed
        passed = at
      }
      for (;;) {
        let next: { at: number; run(): void } | undefined
        for (const timer of timers) if (timer.at <= end && (!next || timer.at < next.at)) next = timer
        if (!next) break
        passTo(next.at)
        timers.delete(next)
        next.run()
        await new Promise((resolve) => setImmediate(resolve))
      }
      passTo(end)
    },
    set(to) {
      now = to
    },
  }
}
