import { expect, test } from 'vitest'
import { nextCheckAt } from './cycle-check.ts'

test.each([
  [0, 1000, 1800],
  [250, 1000, 1350],
  [500, 1000, 900],
  [750, 1000, 450],
  [900, 1000, 180],
  [5000, 1000, 180],
  [5, 0, 180],
  [0, 0, 0],
])('%i of %i bytes: looked at again after %i s', (value, max, seconds) => {
  expect(nextCheckAt(1_000_000, { value, max }) - 1_000_000).toBe(seconds * 1000)
})
