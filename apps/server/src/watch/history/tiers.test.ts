import { describe, expect, test } from 'vitest'
import { type Keep, rollUp, rowStart, type Step, startOf, stepFor, tierFor, tiers } from './steps.ts'

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]
const now = Date.parse('2026-11-21T12:00:00Z')
const usual: Keep = [26 * hour, 8 * day, 365 * day]

test.each([
  ['2026-11-21T12:00:29.999Z', 30 * second, '2026-11-21T12:00:00Z'],
  ['2026-11-21T12:00:30Z', 30 * second, '2026-11-21T12:00:30Z'],
  ['2026-11-21T12:04:59Z', 5 * minute, '2026-11-21T12:00:00Z'],
  ['2026-11-21T13:59:59Z', 2 * hour, '2026-11-21T12:00:00Z'],
  ['1969-12-31T23:59:59Z', minute, '1969-12-31T23:59:00Z'],
])('%s is in the step of %d ms that begins at %s', (at, stepMs, start) => {
  expect(startOf(Date.parse(at), stepMs)).toBe(Date.parse(start))
})

test('a row of a tier lies in one row of each coarser tier', () => {
  for (let at = now - 5 * day; at < now; at += 7 * minute)
    for (const tier of [1, 2]) {
      const start = rowStart(0, at)
      expect(rowStart(tier, start)).toBe(rowStart(tier, start + 20 * tiers[0].stepMs - 1))
    }
})

test.each<[step: number, back: number, keep: Keep, tier: number, given: number]>([
  [30 * second, day, usual, 0, 30 * second],
  [30 * minute, 7 * day, usual, 1, 30 * minute],
  [2 * hour, 30 * day, usual, 2, 2 * hour],
  [second, hour, usual, 0, 30 * second],
  [30 * second, 7 * day, usual, 1, 5 * minute],
  [30 * second, 30 * day, usual, 2, hour],
  [30 * second, day, [6 * hour, 8 * day, 365 * day], 1, 5 * minute],
  [30 * second, 1000 * day, usual, 2, hour],
  [day, 7 * day, usual, 2, day],
])('steps of %d ms since %d ms ago, kept %j, come from tier %d with %d ms', (stepMs, back, keep, tier, given) => {
  expect(tierFor({ stepMs, from: now - back, now }, keep)).toEqual({ tier, stepMs: given })
})

test.each([
  [hour, 120, 30 * second],
  [hour, 119, minute],
  [day, 2880, 30 * second],
  [day, 300, 5 * minute],
  [7 * day, 340, 30 * minute],
  [30 * day, 360, 2 * hour],
  [365 * day, 100, 4 * day],
  [0, 10, 30 * second],
])('a span of %d ms in at most %d points has steps of %d ms', (span, points, step) => {
  expect(stepFor(span, points)).toBe(step)
})

const step = (at: number, n: number, mean: number, down = 0): Step => ({
  at,
  n,
  down,
  figures: [n === 0 ? null : [mean, mean - 1, mean + 1, mean]],
})

describe('rolling up', () => {
  test('weighs means by samples, keeps the extremes and the last', () => {
    const rolled = rollUp([step(0, 10, 10), step(30_000, 30, 50)], minute)
    expect(rolled).toEqual([{ at: 0, n: 40, down: 0, figures: [[40, 9, 51, 50]] }])
  })

  test('leaves out what is missing, never counts it as 0', () => {
    const rolled = rollUp([step(0, 0, 0, 4), step(30_000, 2, 8)], minute)
    expect(rolled).toEqual([{ at: 0, n: 2, down: 4, figures: [[8, 7, 9, 8]] }])
  })

  test('keeps apart what is in different steps, and sorts', () => {
    expect(
      rollUp([step(90_000, 1, 5), step(0, 1, 3), step(119_999, 1, 7)], minute).map(({ at, n }) => [at, n]),
    ).toEqual([
      [0, 1],
      [minute, 2],
    ])
  })

  test('thirty seconds by way of five minutes make the same hour as directly', () => {
    const fine = Array.from({ length: 120 }, (_, index) => step(index * 30_000, (index % 10) + 1, index * 3, index % 3))
    const byWay = rollUp(rollUp(fine, 5 * minute), hour)[0]!
    const directly = rollUp(fine, hour)[0]!
    expect(byWay.figures[0]![0]).toBeCloseTo(directly.figures[0]![0], 9)
    expect({ ...byWay, figures: [] }).toEqual({ ...directly, figures: [] })
  })
})
