import { expect, test } from 'vitest'
import { gridOf } from './Wall.tsx'

test.each([0, 1, 2, 5, 7, 23, 60, 120, 200])('%i servers all fit on one screen', (count) => {
  for (const shape of [16 / 9, 9 / 16, 4]) {
    const { columns, rows } = gridOf(count, shape)
    expect(columns * rows).toBeGreaterThanOrEqual(count)
    // No row stays empty.
    expect((rows - 1) * columns).toBeLessThan(Math.max(1, count))
  }
})

test('a wide screen has more columns than a tall one', () => {
  expect(gridOf(60, 16 / 9).columns).toBeGreaterThan(gridOf(60, 9 / 16).columns)
  expect(gridOf(1, 16 / 9)).toEqual({ columns: 1, rows: 1 })
})

test('issue 12, looks: squares of a thousand servers are nearly square on a wide screen', () => {
  const { columns, rows } = gridOf(1000, 2, 1)
  expect(columns * rows).toBeGreaterThanOrEqual(1000)
  expect((2 * rows) / columns).toBeGreaterThan(0.8)
  expect((2 * rows) / columns).toBeLessThan(1.25)
})
