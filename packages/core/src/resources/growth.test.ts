import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fullIn, growthMs, notFillingS } from './growth.ts'

const dayS = 86_400
const points = (count: number, used: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => [index * growthMs.step, used(index)] as const)

test('a filesystem that grows by 1 % a day is full when the rest is used', () => {
  expect(
    fullIn(
      points(40, (index) => 70 + index / 4),
      80,
    )! / dayS,
  ).toBeCloseTo(20, 1)
  expect(
    fullIn(
      points(9, (index) => 70 + index / 4),
      100,
    ),
  ).toBe(0)
})

test('a backup at night, or one that was cleaned up a week ago, doesn’t mislead', () => {
  const nightly = points(56, (index) => 50 + index / 4 + (index % 4 === 3 ? 0.2 : 0))
  expect(Math.abs(fullIn(nightly, 64)! / dayS - 36)).toBeLessThan(2)
  expect(
    fullIn(
      points(56, (index) => 50 + (index % 28)),
      77,
    ),
  ).toBe(notFillingS)
})

test.each<[string, readonly (readonly [number, number])[], number | null]>([
  ['nothing', [], null],
  ['seven steps', points(7, (index) => index), null],
  ['many steps of a day', points(40, (index) => index).map(([at, used]) => [at / 10, used] as const), null],
  ['no growth', points(40, () => 95), notFillingS],
  ['less and less', points(40, (index) => 95 - index), notFillingS],
  ['up and down', points(40, (index) => 50 + (index % 2)), notFillingS],
  ['hardly any', points(40, (index) => 50 + index / 10_000), notFillingS],
])('of %s', (_name, known, expected) => {
  expect(fullIn(known, 50)).toBe(expected)
})

test('whatever the points, it is a time from now to a year, or not known', () => {
  const use = fc.double({ min: 0, max: 100, noNaN: true })
  void fc.assert(
    fc.property(fc.array(use, { maxLength: 56 }), use, (all, used) => {
      const found = fullIn(
        all.map((one, index) => [index * growthMs.step, one]),
        used,
      )
      expect(found === null || (Number.isInteger(found) && found >= 0 && found <= notFillingS)).toBe(true)
    }),
  )
})
