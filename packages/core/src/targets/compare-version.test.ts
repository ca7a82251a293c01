import { expect, test } from 'vitest'
import { versionOrder } from './index.ts'

const own = '2.3.3+qd.'
test.each([
  [`${own}0.0.9`, `${own}0.1.0`, -1],
  [`${own}0.10.0`, `${own}0.9.9`, 1],
  [`${own}0.1.0`, `${own}0.1`, 0],
  [`${own}0.1.0`, '2.3.3', 0],
  [`${own}0.1.0`, '2.3.4', -1],
  ['2.3.3-rc.2+qd.0.1.0', '2.3.3+qd.0.0.1', -1],
  ['2.3.3-rc.2', '2.3.3-rc.10', -1],
  ['2.3.3+build.7', '2.3.3+build.8', 0],
])('issue 36.15 %s against %s', (a, b, order) => {
  expect(Math.sign(versionOrder(a, b)!)).toBe(order)
  expect(Math.sign(versionOrder(b, a)!)).toBe(order === 0 ? 0 : -order)
})
