import { randomBytes } from 'node:crypto'
import type { Clock, Random } from './services.ts'

/** The machine's clock and timers. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** The machine's cryptographic randomness. */
export const systemRandom: Random = { bytes: (size) => randomBytes(size) }
