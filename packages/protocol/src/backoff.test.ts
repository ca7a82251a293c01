import { expect, test } from 'vitest'
import { backoffMs, jitteredBackoffMs } from './backoff.ts'

const backoff = { firstMs: 1000, maxMs: 30_000 }

test.each([
  [0, 1000],
  [1, 2000],
  [4, 16_000],
  [5, 30_000],
  [5000, 30_000],
])('after %i failures in a row the wait is %i ms', (failures, waitMs) => {
  expect(backoffMs(backoff, failures)).toBe(waitMs)
})

test('half of the wait is jitter', () => {
  expect(jitteredBackoffMs(backoff, 1, 0)).toBe(1000)
  expect(jitteredBackoffMs(backoff, 1, 0.5)).toBe(1500)
  expect(jitteredBackoffMs(backoff, 1, 0.999_999)).toBeLessThan(2000)
})
