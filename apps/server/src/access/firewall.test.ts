import { expect, test } from 'vitest'
import { banSeconds, leftOf } from './firewall.ts'

test.each([
  [0, 0],
  [1, 3],
  [2, 16],
  [3, 81],
  [4, 256],
  [7, 2401],
  [10, 10_000],
])('%s failures block for %s s (contract engines 8.3)', (failures, seconds) => {
  expect(banSeconds(failures)).toBe(seconds)
})

const day = 86_400
test.each([
  ['during the block', 10, 9999, 10],
  ['a day less a second after it', 10, 10_000 + day - 1, 10],
  ['a day after it', 10, 10_000 + day, 5],
  ['four days after it', 10, 10_000 + 4 * day, 0],
  ['of one, a day after it', 1, 3 + day, 0],
  ['where the clock was set back', 10, -5 * day, 10],
])('S-02 a count decays: %s', (_when, count, later, left) => {
  expect(leftOf(count, 1_000_000, 1_000_000 + later)).toBe(left)
})
