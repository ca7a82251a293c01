import { describe, expect, test } from 'vitest'
import { cycleOf, cycleSpan } from './rule-cycles.ts'

const at = (text: string) => Date.parse(text)
const cycle = (cycle_start: string, cycle_interval: number, cycle_unit: string) =>
  cycleOf({ cycle_start, cycle_interval, cycle_unit })!
const span = (start: string, interval: number, unit: string, now: string) => {
  const { from, to } = cycleSpan(cycle(start, interval, unit), at(now))
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
      expect(cycleSpan(cycle('2026-02-01T00:00:00Z', 1, unit), now).from).toBe(at('2026-02-01T00:00:00Z'))
  })

  test('S-50 an interval beyond all dates ends', () => {
    const { from } = cycleSpan(cycle('2026-01-01T00:00:00Z', 1e15, 'month'), at('2026-06-01'))
    expect(from).toBe(at('2026-01-01T00:00:00Z'))
  })
})

test.each([
  ['no start', { cycle_interval: 1 }],
  ['a start that is no time', { cycle_interval: 1, cycle_start: 'soon' }],
  ['no length', { cycle_start: '2026-01-01T00:00:00Z' }],
  ['less than one', { cycle_start: '2026-01-01T00:00:00Z', cycle_interval: 0 }],
])('a condition with %s has no cycles', (_name, rule) => expect(cycleOf(rule)).toBeNull())
