import type { Clock } from '../../../apps/server/src/kernel/ports.ts'
import { isDatabaseBusy } from '../test-database.ts'

/** A clock that stands still until it is moved. */
export interface TestClock extends Clock {
  /** Lets time pass, in order, with everything that becomes due; awaits what that starts. */
  advance(ms: number): Promise<void>
  /** Sets the wall clock without letting time pass, as an administrator does. */
  jump(ms: number): void
}

/** A clock at `start`, epoch ms. */
export function createTestClock(start = Date.parse('2026-11-20T12:00:00Z')): TestClock {
  let wall = start
  let passed = 0
  let timers: { at: number; run: () => void }[] = []
  /** Promises and database work that a timer has started. */
  const settle = async () => {
    for (let turn = 0; turn < 5; turn = isDatabaseBusy() ? 0 : turn + 1) await new Promise((done) => setImmediate(done))
  }
  return {
    now: () => wall,
    after(ms, run) {
      const timer = { at: passed + Math.max(0, ms), run }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    async advance(ms) {
      const end = passed + ms
      for (;;) {
        const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        timers = timers.filter((timer) => timer !== next)
        wall += next.at - passed
        passed = next.at
        next.run()
        await settle()
      }
      wall += end - passed
      passed = end
      await settle()
    },
    jump(ms) {
      wall += ms
    },
  }
}
