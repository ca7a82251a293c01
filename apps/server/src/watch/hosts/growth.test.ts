import { notFillingS } from '@qd/core/resources'
import { expect, test, vi } from 'vitest'
import { createFakeClock } from '../../../../../tests/support/fake-clock.ts'
import type { Series, SeriesQuery } from '../history/history.ts'
import { createGrowth } from './growth.ts'

const day = 86_400_000

test('each filesystem is told when it is full, from one reading of history an hour', async () => {
  const clock = createFakeClock()
  const asked: SeriesQuery[] = []
  let failing = false
  const history = {
    async points(query: SeriesQuery) {
      asked.push(query)
      if (failing) throw new Error('away')
      const steps = Array.from({ length: 40 }, (_, index) => query.from + index * (day / 4))
      const series = query.metrics.map((metric): Series => {
        const used = (index: number) => (metric === 'fs_used:/var' ? 80 + index / 4 : 30)
        const points = metric === 'fs_used:/new' ? [] : steps.map((at, index) => point(at, used(index)))
        return { serverId: 1, metric, points }
      })
      return { stepMs: query.stepMs, series }
    },
  }
  const point = (at: number, used: number): [number, number, number, number, number] => [at, used, used, used, used]
  const grown = createGrowth(clock, history)
  const rows = [
    { name: '/var', used: 90 },
    { name: '/', used: 30 },
    { name: '/new', used: 50 },
    { name: '/cdrom', used: 100, read_only: true },
    { name: '/dead', used: null },
  ]
  const told = async (server = 1) => (await grown(server, rows)).map(({ full_in }) => full_in)
  expect(await told()).toEqual([10 * 86_400, notFillingS, null, null, null])
  expect(asked).toMatchObject([{ servers: [1], metrics: ['fs_used:/var', 'fs_used:/', 'fs_used:/new'] }])
  await clock.advance(day / 48)
  // All slopes of a filesystem aren’t sorted again.
  const sorts = vi.spyOn(Array.prototype, 'sort')
  await told()
  const sizes = sorts.mock.contexts.map((sorted) => (sorted as unknown[]).length)
  sorts.mockRestore()
  expect(Math.max(...sizes)).toBeLessThanOrEqual(rows.length)
  expect(asked).toHaveLength(1)
  await clock.advance(day / 24)
  await told()
  expect(asked).toHaveLength(2)
  expect(await grown(3, [])).toEqual([])
  // History is away: asked again at once.
  failing = true
  expect(await told(2)).toEqual([null, null, null, null, null])
  failing = false
  expect((await told(2))[0]).toBe(10 * 86_400)
  // A filesystem that comes within the hour.
  rows.push({ name: '/late', used: 30 })
  expect((await told(2)).at(-1)).toBeNull()
  await clock.advance(day / 96)
  expect((await told(2)).at(-1)).toBe(notFillingS)
  // The clock is set back.
  const before = asked.length
  const back = createGrowth({ ...clock, now: () => clock.now() - (asked.length > before ? day : 0) }, history)
  await back(1, rows)
  await back(1, rows)
  expect(asked).toHaveLength(before + 2)
})
