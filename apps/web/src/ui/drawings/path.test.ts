import { expect, test } from 'vitest'
import { areaPath, linePath, roundUp } from './path.ts'

const box = { width: 100, height: 10, min: 0, max: 100 }

test('a line goes from the left to the right edge, values outside the scale are held at the edge', () => {
  expect(linePath([0, 50, 400], box)).toBe('M0.0 10.0L50.0 5.0L100.0 0.0')
  expect(linePath([1], box)).toBe('M100.0 9.9h0')
  expect(linePath([], box)).toBe('')
})

test('fewer points than slots end at the right edge', () => {
  expect(linePath([0, 100], { ...box, slots: 5 })).toBe('M75.0 10.0L100.0 0.0')
  expect(areaPath([0, 100], { ...box, slots: 5 })).toBe('M75.0 10.0L100.0 0.0L100.0 10L75.0 10Z')
})

test('issue 36.34 what is not known leaves a gap, and a line that ended before now ends before the edge', () => {
  const points = [0, 50, null, null, 100, null]
  expect(linePath(points, box)).toBe('M0.0 10.0L20.0 5.0M80.0 0.0h0')
  expect(areaPath([null, 0, 50, null, 100], box)).toBe(
    'M25.0 10.0L50.0 5.0L50.0 10L25.0 10ZM100.0 0.0L100.0 10L100.0 10Z',
  )
})

test.each([
  [0, 1],
  [0.3, 0.5],
  [7.41, 10],
  [1284, 2000],
  [88e6, 1e8],
])('%d rounds up to %d', (value, round) => {
  expect(roundUp(value)).toBeCloseTo(round)
})
