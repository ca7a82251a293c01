import { expect, test } from 'vitest'
import { withLines } from './tail.ts'

const line = (at: number, text = String(at)) => ({
  ...{ at, text, unit: '', name: '', pid: 0, level: 6, server_id: 1, server: 'web-1' },
})
const times = (lines: readonly { at: number }[]) => lines.map(({ at }) => at)

test('lines stay in the order of their times, also those of a host that is late', () => {
  const lines = withLines(withLines([], [line(1), line(3)]), [line(2), line(4)])
  expect(times(lines)).toEqual([1, 2, 3, 4])
})

test('lines of the same time stay in the order in which they came', () => {
  const lines = withLines([line(1, 'a'), line(2, 'b')], [line(1, 'c'), line(2, 'd')])
  expect(lines.map(({ text }) => text)).toEqual(['a', 'c', 'b', 'd'])
})

test('beyond the maximum the oldest lines go', () => {
  expect(times(withLines([line(1), line(2)], [line(3)], 2))).toEqual([2, 3])
})
