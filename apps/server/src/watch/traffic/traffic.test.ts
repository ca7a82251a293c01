import { selectionInitial } from '@qd/core/resources'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestBase, type TestBase } from '../../../../../tests/support/server/base.ts'
import { createTestClock, type TestClock } from '../../../../../tests/support/server/clock.ts'
import { createLiveStore, type LiveStore } from '../../fleet/live/live-store.ts'
import { createTraffic, type Traffic } from './traffic.ts'

const noon = Date.parse('2026-11-20T12:00:00Z')
const hour = 3_600_000

let clock: TestClock
let base: TestBase
let live: LiveStore
let traffic: Traffic
beforeEach(async () => {
  clock = createTestClock(noon + 10 * 60_000)
  base = await createTestBase(clock)
  live = createLiveStore(base)
  traffic = createTraffic(base, live)
  await traffic.engine.start()
})
afterEach(() => base.close())

function report(id: number, received: number, sent: number, boot = 1000) {
  live.reportHost(id, { boot_time: boot })
  live.reportState(id, { net_in_transfer: received, net_out_transfer: sent })
}

const rows = async () =>
  (await base.db.selectFrom('traffic').selectAll().orderBy('at').execute()).map((row) => [
    row.server_id,
    (row.at - noon) / hour,
    row.in_bytes,
    row.out_bytes,
  ])

/** What is known after the first asking, which has it read. */
async function since(id: number, from: number, direction: 'in' | 'out' | 'all' = 'all') {
  await vi.waitUntil(() => traffic.since(id, direction, from) !== null, 60_000)
  return traffic.since(id, direction, from)
}

const countDaily = (coverage: { cover: number; ignore?: Record<string, boolean> }) =>
  base.alertRules.insert({
    owner_id: base.admin.id,
    name: 'traffic',
    ...selectionInitial,
    enable: false,
    trigger_mode: 0,
    notification_group_id: 0,
    rules: [
      {
        type: 'transfer_in_cycle',
        max: 5,
        cycle_start: '2026-11-01T06:00:00Z',
        cycle_interval: 1,
        cycle_unit: 'day',
        ...coverage,
      },
    ],
    fail_trigger_tasks: [],
    recover_trigger_tasks: [],
  })

test('Q4 a row carries the start of its hour, and what grew in it', async () => {
  const { id } = await base.addServer()
  report(id, 1000, 100)
  report(id, 1500, 130)
  await clock.advance(50 * 60_000)
  await expect.poll(rows).toEqual([[id, 0, 500, 30]])
  report(id, 1600, 130)
  await clock.advance(hour)
  await expect.poll(rows).toEqual([
    [id, 0, 500, 30],
    [id, 1, 100, 0],
  ])
})

test('a value is what is written down since the cycle began, and what has grown since', async () => {
  const { id } = await base.addServer()
  report(id, 1000, 100)
  report(id, 1500, 130)
  await clock.advance(50 * 60_000)
  report(id, 1510, 131)
  expect(await since(id, noon)).toBe(541)
  expect(await since(id, noon, 'in')).toBe(510)
  expect(await since(id, noon, 'out')).toBe(31)
  expect(await since(id, noon + hour)).toBe(11)
  await clock.advance(hour)
  expect(traffic.since(id, 'all', noon)).toBe(541)
})

test('a reboot of the host loses nothing that was reported', async () => {
  const { id } = await base.addServer()
  report(id, 1000, 100)
  report(id, 1500, 130)
  report(id, 20, 2, 2000)
  expect(await since(id, noon)).toBe(552)
  await clock.advance(50 * 60_000)
  await expect.poll(rows).toEqual([[id, 0, 520, 32]])
})

test('what was moved while this server was down is counted', async () => {
  const { id } = await base.addServer()
  await countDaily({ cover: 0 })
  report(id, 1000, 100)
  report(id, 1500, 130)
  await traffic.engine.stop()
  await expect.poll(rows).toEqual([[id, 0, 500, 30]])
  traffic = createTraffic(base, live)
  await traffic.engine.start()
  report(id, 1700, 130)
  expect(await since(id, noon)).toBe(730)
})

test('each night rows that no rule counts are forgotten, and those of deleted servers', async () => {
  const [kept, other] = [await base.addServer(), await base.addServer()]
  const yesterday = noon - 24 * hour
  for (const [server_id, at] of [
    [kept.id, yesterday],
    [kept.id, noon - hour],
    [other.id, noon - hour],
    [777, noon - hour],
  ] as const)
    await base.db.insertInto('traffic').values({ server_id, at, in_bytes: 1, out_bytes: 0 }).execute()
  await countDaily({ cover: 1, ignore: { [kept.id]: true } })
  await base.settings.put({ ...base.settings.get(), time_zone: 'UTC' })
  await traffic.engine.stop()
  traffic = createTraffic(base, live)
  await traffic.engine.start()
  await clock.advance(0)
  await expect.poll(rows).toEqual([[kept.id, -1, 1, 0]])
  await clock.advance(15 * hour)
  await expect.poll(rows).toEqual([[kept.id, -1, 1, 0]])
  await clock.advance(25 * hour)
  await expect.poll(rows).toEqual([])
})
