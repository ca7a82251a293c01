import { expect, test } from 'vitest'
import { createServiceSums } from './service-sums.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const at = (text: string) => Date.parse(text)
const ok = (time: string, delay: number | null, serviceId = 1) => ({
  serviceId,
  serverId: 1,
  at: at(time),
  delay,
  ok: true,
})
const failed = (time: string) => ({ serviceId: 1, serverId: 2, at: at(time), delay: null, ok: false })

test('a day has every result of every reporter, and the mean delay of the successes', () => {
  const sums = createServiceSums(() => 'UTC')
  for (const point of [ok('2026-11-21T00:00:00Z', 10), ok('2026-11-21T23:59:59Z', 20), failed('2026-11-21T12:00:00Z')])
    sums.add(point)
  sums.add(ok('2026-11-20T23:59:59Z', 7))
  const days = sums.days(1, at('2026-11-21T23:59:59Z'))
  expect(days).toHaveLength(30)
  expect(days.slice(27)).toEqual([
    { up: 0, down: 0, delay: null },
    { up: 1, down: 0, delay: 7 },
    { up: 2, down: 1, delay: 15 },
  ])
  expect(sums.days(1, at('2026-11-22T00:00:00Z')).slice(28)).toEqual([
    { up: 2, down: 1, delay: 15 },
    { up: 0, down: 0, delay: null },
  ])
  expect(sums.days(2, at('2026-11-21T12:00:00Z'))).toEqual(Array(30).fill({ up: 0, down: 0, delay: null }))
})

test.each([
  ['UTC', '2026-11-20T16:00:00Z', 28],
  ['Asia/Shanghai', '2026-11-20T16:00:00Z', 29],
  ['Asia/Shanghai', '2026-11-20T15:59:59Z', 28],
  ['Asia/Kathmandu', '2026-11-20T18:15:00Z', 29],
  ['Asia/Kathmandu', '2026-11-20T18:14:59Z', 28],
  ['America/New_York', '2026-11-20T16:00:00Z', 29],
])('the days are those of %s: %s is day %d', (zone, time, index) => {
  const now = at(zone === 'America/New_York' ? '2026-11-21T03:00:00Z' : '2026-11-21T12:00:00Z')
  const sums = createServiceSums(() => zone)
  sums.add(ok(time, 5))
  expect(sums.days(1, now).findIndex(({ up }) => up === 1)).toBe(index)
})

test('days across the change of the clocks are all different', () => {
  const sums = createServiceSums(() => 'Europe/Berlin')
  for (let time = at('2026-10-23T22:00:00Z'); time < at('2026-10-27T23:00:00Z'); time += hour / 2)
    sums.add({ serviceId: 1, serverId: 1, at: time, delay: 1, ok: true })
  expect(
    sums
      .days(1, at('2026-10-27T12:00:00Z'))
      .slice(26)
      .map(({ up }) => up),
  ).toEqual([48, 50, 48, 48])
})

test('the zone may be changed', () => {
  let zone = 'UTC'
  const sums = createServiceSums(() => zone)
  sums.add(ok('2026-11-21T20:00:00Z', 5))
  zone = 'Asia/Shanghai'
  sums.add(ok('2026-11-21T20:00:00Z', 5))
  expect(
    sums
      .days(1, at('2026-11-21T20:00:00Z'))
      .slice(28)
      .map(({ up }) => up),
  ).toEqual([1, 1])
})

test('the trend is the mean of each of 24 hours', () => {
  const sums = createServiceSums(() => 'UTC')
  for (const [time, delay] of [
    ['10:00', 4],
    ['10:59', 6],
    ['12:30', 9],
  ] as const)
    sums.add(ok(`2026-11-21T${time}:00Z`, delay))
  const trend = sums.trend(1, at('2026-11-21T12:59:00Z'))
  expect(trend).toHaveLength(24)
  expect(trend.slice(20)).toEqual([null, 5, null, 9])
})

test('what has changed is answered once, and is enough to go on from', () => {
  const sums = createServiceSums(() => 'UTC')
  sums.add(ok('2026-11-21T10:00:00Z', 4))
  const rows = sums.changed()
  expect(rows).toHaveLength(2)
  expect(sums.changed()).toEqual([])
  const after = createServiceSums(() => 'UTC')
  after.load(rows)
  after.add(ok('2026-11-21T10:10:00Z', 8))
  expect(after.days(1, at('2026-11-21T11:00:00Z')).at(-1)).toEqual({ up: 2, down: 0, delay: 6 })
  expect(after.trend(1, at('2026-11-21T10:30:00Z')).at(-1)).toBe(6)
})

test('memory does not grow with time', () => {
  const sums = createServiceSums(() => 'UTC')
  for (let time = 0; time < 60 * day; time += 6 * hour)
    sums.add({ serviceId: 1, serverId: 1, at: time, delay: 1, ok: true })
  expect(sums.days(1, 60 * day - minute).map(({ up }) => up)).toEqual(Array(30).fill(4))
  sums.changed()
  sums.add({ serviceId: 1, serverId: 1, at: 60 * day, delay: 1, ok: true })
  expect(sums.changed()).toHaveLength(2)
})
