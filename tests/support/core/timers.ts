/** A clock that stands still until the test moves it; `start` is epoch ms. */
export function createTimers(start: number) {
  const timers = new Set<{ at: number; run: () => void }>()
  let now = start
  return {
    now: () => now,
    setTimer(run: () => void, ms: number) {
      const timer = { at: now + ms, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    /** Moves on and runs what comes due, in order; a step each. */
    *passing(ms: number) {
      const until = now + ms
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
        if (!next) break
        timers.delete(next)
        now = Math.max(now, next.at)
        next.run()
        yield
      }
      now = until
    },
  }
}
