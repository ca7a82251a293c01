import type { Machine } from '../machine.ts'
import { withTimeout } from '../waiting.ts'

/** Timing of what is read less often than it is reported, in milliseconds. */
export interface LatestTiming {
  /** A value that is younger is not read again. */
  periodMs: number
  /** How long a report waits for a new value before it takes the one before. */
  patienceMs: number
}

/**
 * Returns a function for the newest value of a slow read; undefined before the first. It never holds a report up for long, and never
 * reads again while an answer is owed: what hangs takes one place and not one more with every report. Another `subject` than before, such
 * as a changed setting, is read at once.
 */
export const createLatest = <T>(
  machine: Pick<Machine, 'now' | 'sleep'>,
  { periodMs, patienceMs }: LatestTiming,
  read: () => Promise<T>,
): ((subject?: unknown) => Promise<T | undefined>) => {
  let value: T | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let readOf: unknown
  let reading: Promise<void> | undefined
  return async (subject) => {
    if (!reading && (machine.now() - readAt >= periodMs || subject !== readOf)) {
      readAt = machine.now()
      readOf = subject
      reading = read()
        .then(
          (found) => {
            value = found
          },
          () => undefined,
        )
        .finally(() => {
          reading = undefined
        })
    }
    if (reading) await withTimeout(machine, patienceMs, reading)
    return value
  }
}
