import { describe, expect, test } from 'vitest'
import { cycleSpan, nextCheckAt } from './cycles.ts'

const at = (text: string) => Date.parse(text)
const span = (start: string, interval: number, unit: string, now: string) => {
  const { from, to } = cycleSpan({ start, interval, unit }, at(now))
  return `${new Date(from).toISOString()} ${new Date(to).toISOString()}`
}

describe('the cycle an instant is in', () => {
  test.each([
    ['hour', 6, '2026-01-01T00:00:00Z', '2026-01-02T07:30:00Z', '2026-01-02T06:00', '2026-01-02T12:00'],
    ['', 1, '2026-01-01T00:15:00Z', '2026-01-01T02:14:59Z', '2026-01-01T01:15', '2026-01-01T02:15'],
    ['fortnight', 1, '2026-01-01T00:15:00Z', '2026-01-01T02:15:00Z', '2026-01-01T02:15', '2026-01-01T03:15'],
    ['DAY', 2, '2026-01-01T00:00:00Z', '2026-01-04T23:00:00Z', '2026-01-03T00:00', '2026-01-05T00:00'],
    ['week', 1, '2026-01-01T00:00:00Z', '2026-01-08T00:00:00Z', '2026-01-08T00:00', '2026-01-15T00:00'],
    ['month', 1, '2026-01-15T00:00:00Z', '2026-03-14T00:00:00Z', '2026-02-15T00:00', '2026-03-15T00:00'],
    ['month', 3, '2025-11-01T00:00:00Z', '2026-03-14T00:00:00Z', '2026-02-01T00:00', '2026-05-01T00:00'],
    ['Month', 1, '2026-01-31T00:00:00Z', '2026-02-20T00:00:00Z', '2026-01-31T00:00', '2026-03-03T00:00'],
    ['month', 1, '2026-01-31T00:00:00Z', '2026-04-10T00:00:00Z', '2026-04-03T00:00', '2026-05-03T00:00'],
    ['month', 1, '2024-01-31T00:00:00Z', '2024-03-10T00:00:00Z', '2024-03-02T00:00', '2024-04-02T00:00'],
    ['year', 1, '2024-02-29T00:00:00Z', '2026-06-01T00:00:00Z', '2026-03-01T00:00', '2027-03-01T00:00'],
    ['month', 1, '2026-01-01T00:00:00+08:00', '2026-02-28T16:30:00Z', '2026-02-28T16:00', '2026-03-31T16:00'],
    ['month', 1, '2026-01-31T20:00:00-05:00', '2026-02-01T02:00:00Z', '2026-02-01T01:00', '2026-03-04T01:00'],
  ])('%s, every %i from %s, at %s', (unit, interval, start, now, from, to) => {
    expect(span(start, interval, unit, now)).toBe(`${from}:00.000Z ${to}:00.000Z`)
  })

  test('a start that is still to come, as after the clock was set back, is the first cycle', () => {
    const now = at('2026-01-01T00:00:00Z')
    for (const unit of ['hour', 'month'])
      expect(cycleSpan({ start: '2026-02-01T00:00:00Z', interval: 1, unit }, now).from).toBe(at('2026-02-01T00:00:00Z'))
  })

  test('S-50 an interval beyond all dates ends', () => {
    const { from } = cycleSpan({ start: '2026-01-01T00:00:00Z', interval: 1e15, unit: 'month' }, at('2026-06-01'))
    expect(from).toBe(at('2026-01-01T00:00:00Z'))
  })
})

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
