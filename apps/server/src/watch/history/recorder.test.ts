import { appendFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Driver from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { started } from '../../../../../tests/support/built-thread.ts'
import { onlySqlite } from '../../../../../tests/support/only-sqlite.ts'
import { createTestBase, type TestBase } from '../../../../../tests/support/server/base.ts'
import { createTestClock, type TestClock } from '../../../../../tests/support/server/clock.ts'
import { createLiveStore, type LiveStore } from '../../fleet/live/live-store.ts'
import type { Engine } from '../../kernel/engine.ts'
import type { History } from './history.ts'
import { createHistory } from './recorder.ts'

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]
let clock: TestClock
let base: TestBase
let live: LiveStore
let history: History
let engine: Engine

beforeEach(async () => {
  clock = createTestClock()
  base = await createTestBase(clock)
  live = createLiveStore(base)
  await begin()
})
afterEach(async () => {
  await engine.stop()
  await base.close()
})

async function begin(): Promise<void> {
  const made = createHistory(base, live)
  history = made.history
  engine = made.engine
  await engine.start()
}

async function pass(ms: number, cpu: number, ids: readonly number[] = [1]): Promise<void> {
  for (let at = 0; at < ms; at += 3 * second) {
    for (const id of ids) live.reportState(id, { cpu })
    await clock.advance(3 * second)
  }
}

const cpu = async (from = clock.now() - hour, to = clock.now()) =>
  (await history.points({ servers: [1], metrics: ['cpu'], from, to, stepMs: 30 * second })).series[0]!.points

test('every sample counts, and nothing else of live state does', async () => {
  const start = clock.now()
  live.reportHost(1, { boot_time: 1 })
  live.reportGeoIp(1, { ip: {} })
  live.reportState(1, { cpu: 10 })
  await clock.advance(3 * second)
  live.reportGeoIp(1, { ip: { ipv4_addr: '192.0.2.1' } })
  live.reportState(1, { cpu: 40 })
  live.silent(1)
  live.reportHost(1, { boot_time: 100 })
  expect(await cpu()).toEqual([[start, 25, 10, 40, 40]])
  expect(existsSync(join(base.config.data, 'history.db'))).toBe(false)
  live.forget(1)
  await clock.advance(minute)
  expect(await cpu()).toEqual([[start, 25, 10, 40, 40]])
})

test('the last hour is told of many servers, what is open included', async () => {
  const ids = Array.from({ length: 120 }, (_, index) => index + 1)
  await pass(75 * second, 5, ids)
  const series = await history.lastHour(ids, ['cpu', 'memory'])
  expect(series.map(({ serverId, metric }) => `${serverId} ${metric}`)).toEqual(
    ids.flatMap((id) => [`${id} cpu`, `${id} memory`]),
  )
  expect(series[0]!.points.map(([ts]) => (ts - series[0]!.points[0]![0]) / second)).toEqual([0, 30, 60])
})

test('a server that says nothing has no points, not zeros', async () => {
  await pass(30 * second, 5)
  await clock.advance(90 * second)
  await pass(30 * second, 5)
  const times = (await cpu()).map(([ts]) => ts)
  expect((times[1]! - times[0]!) / second).toBe(120)
})

describe('R-08 a clock that is set', () => {
  test.each([
    ['back', -hour],
    ['forward', day],
  ])('%s: samples go on being kept', async (_, jump) => {
    await pass(30 * second, 5)
    clock.jump(jump)
    await pass(60 * second, 7)
    const points = await cpu(clock.now() - 25 * hour, clock.now() + 2 * hour)
    expect(points.map(([, mean]) => mean).sort()).toEqual([5, 7, 7])
    expect(engine.problem?.()).toBeNull()
  })
})

test('tests start the built thread, which takes a fifteenth of the CPU of one from its sources', async () => {
  const before = started.count
  await pass(minute, 10)
  await cpu()
  expect(started.count).toBe(before + 1)
})

test('R-07 a stop loses nothing, and a start goes on with the same step', async () => {
  await pass(42 * second, 10)
  await engine.stop()
  await begin()
  await pass(18 * second, 20)
  const points = await cpu()
  expect(points.map(([, mean]) => mean)).toEqual([10, 16])
})

test('R-07 a stop within the first step of a new server loses nothing', async () => {
  const start = clock.now()
  await pass(12 * second, 10)
  history.service({ serviceId: 3, serverId: 1, at: start, delay: 10, ok: true })
  await engine.stop()
  await begin()
  expect((await cpu()).map(([, mean]) => mean)).toEqual([10])
  expect(history.serviceDays(3)[29]).toMatchObject({ up: 1, down: 0 })
})

test('services are kept by reporter; days and hours outlive a restart', async () => {
  const point = (serverId: number, delay: number | null) =>
    history.service({ serviceId: 3, serverId, at: clock.now(), delay, ok: delay !== null })
  point(1, 10)
  point(1, 20)
  point(2, null)
  await clock.advance(30 * second)
  point(1, 40)
  const query = { services: [3], from: clock.now() - hour, to: clock.now(), stepMs: 30 * second }
  const { series } = await history.servicePoints(query)
  expect(
    series.map(({ serverId, steps }) => [serverId, ...steps.map(({ up, down, delay }) => [up, down, delay])]),
  ).toEqual([
    [1, [2, 0, 15], [1, 0, 40]],
    [2, [0, 1, null]],
  ])
  const one = await history.servicePoints({ ...query, servers: [2] })
  expect(one.series.map(({ serverId }) => serverId)).toEqual([2])
  const [days, trend] = [history.serviceDays(3), history.serviceTrend(3)]
  expect([days[29], trend[23]]).toEqual([{ up: 3, down: 1, delay: 70 / 3 }, 70 / 3])
  await engine.stop()
  await begin()
  expect([history.serviceDays(3), history.serviceTrend(3)]).toEqual([days, trend])
})

test('R-03 where it cannot be stored the reason is told, until it can', async () => {
  const file = join(base.config.data, 'history.db')
  await pass(60 * second, 5)
  await cpu()
  await engine.stop()
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
  appendFileSync(join(base.config.data, 'a-file'), '')
  const config = { ...base.config, data: join(base.config.data, 'a-file') }
  const broken = createHistory({ ...base, config }, live)
  await broken.engine.start()
  await pass(60 * second, 6)
  await expect.poll(() => String(broken.engine.problem?.())).toContain('cannot write history')
  await expect(broken.engine.stop()).rejects.toThrow('unable to open database file')
  await begin()
  await pass(60 * second, 6)
  expect(await cpu()).not.toEqual([])
  expect(engine.problem?.()).toBeNull()
})

describe('what runs on hosts', () => {
  const of = async (series: string, from: number, stepMs = 30 * second) =>
    (await history.points({ servers: [1], metrics: ['cpu', series], from, to: clock.now(), stepMs })).series[1]!.points

  test('a value counts until the next one, and no longer than it does for rules', async () => {
    const start = clock.now()
    history.host(1, [['units_failed', 0]])
    await clock.advance(minute)
    history.host(1, [['units_failed', 2]])
    history.host(2, [['units_failed', 7]])
    await clock.advance(10 * minute)
    const held = (await of('units_failed', start)).map(([at, mean]) => [(at - start) / second, mean])
    expect(held).toEqual([0, 30, 60, 90, 120, 150, 180].map((at) => [at, at < 60 ? 0 : 2]))
    expect(await of('unit_down:nginx', start)).toEqual([])
  })

  test('what was read before the range counts in it, and a restart loses nothing', async () => {
    history.host(1, [
      ['updates', 3],
      ['fs_used:/var', 41.5],
    ])
    history.service({ serviceId: 5, serverId: 1, at: clock.now(), delay: 20, ok: true })
    await clock.advance(minute)
    await engine.stop()
    await begin()
    await clock.advance(14 * hour)
    const [point] = await of('updates', clock.now() - 10 * minute)
    expect(point!.slice(1)).toEqual([3, 3, 3, 3])
    await clock.advance(2 * hour)
    expect(await of('updates', clock.now() - 10 * minute)).toEqual([])
    const day = await of('fs_used:/var', clock.now() - 20 * hour, hour)
    expect(day.map(([, mean]) => mean)).toEqual([41.5])
  })

  onlySqlite(
    'what counts longer than the finest resolution is kept is known in each step of the last hour',
    async () => {
      await base.settings.put({ ...base.settings.get(), history_fine_hours: 1 })
      history.host(1, [['updates', 3]])
      await clock.advance(2 * hour)
      const file = join(base.config.data, 'history.db')
      const tiersOfUpdates = async () => {
        await clock.advance(minute)
        history.service({ serviceId: 5, serverId: 1, at: clock.now(), delay: 20, ok: true })
        const db = new Driver(file, { readonly: true })
        try {
          return db.prepare('SELECT tier FROM history_rows WHERE service_id < 0 ORDER BY tier').pluck().all()
        } finally {
          db.close()
        }
      }
      await expect.poll(tiersOfUpdates, { timeout: 20_000 }).toEqual([1, 2])
      const [, { points }] = (await history.lastHour([1], ['cpu', 'updates'])) as [unknown, { points: unknown[][] }]
      expect(points.map(([, mean]) => mean)).toEqual(Array.from({ length: 121 }, () => 3))
      const { stepMs } = await history.points({
        ...{ servers: [1], metrics: ['updates'], from: clock.now() - hour, to: clock.now(), stepMs: 30 * second },
      })
      expect(stepMs).toBe(30 * second)
    },
  )
})
