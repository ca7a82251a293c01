import { expect, test } from 'vitest'
import { firstTurn, takeDue } from './turns.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const everyMs = 30_000

test('first turns of two hundred monitors are spread over the interval', () => {
  const perSecond = new Map<number, number>()
  for (let id = 1; id <= 200; id += 1) {
    const second = Math.floor((firstTurn(id, everyMs, now).nextAt - now) / 1000)
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1)
  }
  expect(perSecond.size).toBe(30)
  expect(Math.max(...perSecond.values())).toBeLessThanOrEqual(8)
})

test.each([
  ['not due yet', now + 1, [], now + 1],
  ['due', now, [1], now + everyMs],
  ['late', now - 5_000, [1], now + everyMs - 5_000],
  ['slept through an hour: once, in the rhythm of before', now - 3_605_000, [1], now + everyMs - 5_000],
])('%s', (_name, nextAt, due, next) => {
  expect(takeDue([{ id: 1, everyMs, nextAt }], now)).toEqual({ due, turns: [{ id: 1, everyMs, nextAt: next }] })
})

test('a clock that was set back does not make a monitor wait longer than its interval', () => {
  const { due, turns } = takeDue([{ id: 1, everyMs, nextAt: now + 7_200_000 }], now)
  expect(due).toEqual([])
  expect(turns[0]!.nextAt - now).toBeLessThanOrEqual(everyMs)
})
