import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fullIn, growthMs, notFillingS, slopeOf } from './growth.ts'

const dayS = 86_400
const points = (count: number, used: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => [index * growthMs.step, used(index)] as const)

const fullAfter = (known: Parameters<typeof slopeOf>[0], used: number) => fullIn(slopeOf(known), used)

test('a filesystem that grows by 1 % a day is full when the rest is used', () => {
  const growing = points(40, (index) => 70 + index / 4)
  expect(fullAfter(growing, 80)).toBe(20 * dayS)
  expect(fullAfter(growing, 100)).toBe(0)
})

test('it’s told in whole hours, from three days on in whole days, and never too late', () => {
  const growing = points(40, (index) => 70 + index / 4)
  expect([80.001, 96.999, 97.001, 99.99].map((used) => fullAfter(growing, used))).toEqual([
    19 * dayS,
    3 * dayS,
    71 * 3_600,
    0,
  ])
})

test('one that stays full is full, however long, and had been growing', () => {
  const filled = points(56, (index) => Math.min(100, 40 + index * 2))
  expect(filled.filter(([, used]) => used === 100)).toHaveLength(26)
  expect(fullAfter(filled, 100)).toBe(0)
  expect(fullAfter(filled, 99.95)).toBe(0)
  const always = points(56, () => 100)
  expect([fullAfter(always, 100), fullAfter([], 100), fullAfter(always, 60)]).toEqual([0, 0, notFillingS])
})

test('a backup at night, or one that was cleaned up a week ago, doesn’t mislead', () => {
  const nightly = points(56, (index) => 50 + index / 4 + (index % 4 === 3 ? 0.2 : 0))
  expect(Math.abs(fullAfter(nightly, 64)! / dayS - 36)).toBeLessThan(2)
  const cleaned = points(56, (index) => 50 + (index % 28))
  expect(fullAfter(cleaned, 77)).toBe(notFillingS)
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
  expect(fullAfter(known, 50)).toBe(expected)
})

test('whatever the points, it is a time from now to a year, or not known', () => {
  const use = fc.double({ min: 0, max: 100, noNaN: true })
  void fc.assert(
    fc.property(fc.array(use, { maxLength: 56 }), use, (all, used) => {
      const found = fullAfter(
        all.map((one, index) => [index * growthMs.step, one]),
        used,
      )
      expect(found === null || (Number.isInteger(found) && found >= 0 && found <= notFillingS)).toBe(true)
    }),
  )
})
