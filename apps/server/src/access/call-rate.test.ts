import { expect, test } from 'vitest'
import { createCallRate } from './limits.ts'

test('contract http-api 3.22: 10 calls a second and 120 a minute for each token', () => {
  let at = 0
  const passes = createCallRate({ now: () => at })
  const burst = (key: number, count: number) => Array.from({ length: count }, () => passes(key)).filter(Boolean).length
  expect(burst(1, 15)).toBe(10)
  expect(burst(2, 15)).toBe(10)
  at = 999
  expect(burst(1, 1)).toBe(0)
  for (let second = 1; second < 30; second++) {
    at = second * 1000
    burst(1, 10)
  }
  // 120 in the first twelve seconds, then none until the first of them are a minute old.
  at = 59_999
  expect(burst(1, 10)).toBe(0)
  at = 60_000
  expect(burst(1, 15)).toBe(10)
})
