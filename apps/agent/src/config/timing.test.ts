import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultTiming, toRetryDelayMs } from './timing.ts'

test.each([
  [false, 0, 0, 0],
  [false, 0, 0.999, 999],
  [false, 3, 0.5, 4_000],
  [false, 50, 0.999, 29_970],
  [true, 0, 0, 5_000],
  [true, 0, 0.5, 7_500],
  [true, 50, 0, 60_000],
])('refused %s, after %d failures, random %d: %d ms', (isRefused, failures, random, delayMs) => {
  expect(toRetryDelayMs(defaultTiming, isRefused, failures, random)).toBeCloseTo(delayMs)
})

test('a delay is never negative and never above its limit', () => {
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(fc.boolean(), fc.nat(), random, (isRefused, failures, value) => {
      const delayMs = toRetryDelayMs(defaultTiming, isRefused, failures, value)
      const { maxMs } = isRefused ? defaultTiming.refused : defaultTiming.reconnect
      return delayMs >= 0 && delayMs <= maxMs
    }),
  )
})
