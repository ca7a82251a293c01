import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestBase, type TestBase } from '../../../../../tests/support/server/base.ts'
import { createTestClock, type TestClock } from '../../../../../tests/support/server/clock.ts'
import { openForTest } from '../../../../../tests/support/server/db.ts'
import { createLiveStore, type LiveStore } from '../live/live-store.ts'
import { createEvents, type EventStore } from './event-store.ts'

const [second, minute, day] = [1000, 60_000, 86_400_000]
let clock: TestClock
let base: TestBase
let live: LiveStore
let events: EventStore

beforeEach(async () => {
  clock = createTestClock()
  base = await createTestBase(clock)
  live = createLiveStore(base)
  await begin()
})
afterEach(async () => {
  await events.engine.stop()
  await base.close()
})

async function begin(): Promise<void> {
  events = createEvents(base, live)
  await events.engine.start()
}
const kinds = async (id: number) =>
  (await events.list(id, { before: null, limit: 200 })).map(({ kind }) => kind).reverse()

test('coming, going and changing are noted, once each', async () => {
  const { id } = await base.addServer()
  live.reportHost(id, { boot_time: 1000, version: '1' })
  live.reportState(id, { cpu: 1 })
  await clock.advance(20 * second)
  live.reportGeoIp(id, { ip: { ipv4_addr: '192.0.2.1' } })
  live.reportState(id, { cpu: 1 })
  await clock.advance(20 * second)
  live.reportGeoIp(id, { ip: { ipv4_addr: '192.0.2.2' } })
  live.reportHost(id, { boot_time: 5000, version: '2' })
  live.reportState(id, { cpu: 1 })
  await clock.advance(10 * second)
  const gone = clock.now() - 10 * second
  live.silent(id)
  await clock.advance(minute)
  expect(await kinds(id)).toEqual(['enrolled', 'online', 'restarted', 'agent-version', 'ip-changed', 'offline'])
  const [last] = await events.list(id, { before: null, limit: 1 })
  expect(last).toMatchObject({ kind: 'offline', at: gone, params: {} })
})

test('what just happened is read before the time to write it', async () => {
  const { id } = await base.addServer()
  expect(await kinds(id)).toEqual(['enrolled'])
  await clock.advance(10 * second)
  expect(await kinds(id)).toEqual(['enrolled'])
})

test('a restart of ours is no event of a server, what happened meanwhile is', async () => {
  const { id } = await base.addServer()
  live.reportHost(id, { boot_time: 1000, version: '1' })
  live.reportState(id, { cpu: 1 })
  await clock.advance(10 * second)
  await events.engine.stop()
  live = createLiveStore(base)
  await begin()
  live.reportHost(id, { boot_time: 1000, version: '2' })
  live.reportState(id, { cpu: 1 })
  await clock.advance(10 * second)
  expect(await kinds(id)).toEqual(['enrolled', 'online', 'agent-version'])
})

test('R-08 setting the clock takes nobody offline', async () => {
  const { id } = await base.addServer()
  live.reportState(id, { cpu: 1 })
  await clock.advance(10 * second)
  for (const jump of [-60 * minute, day]) {
    clock.jump(jump)
    await clock.advance(4 * second)
    live.reportState(id, { cpu: 1 })
    await clock.advance(10 * second)
  }
  expect(await kinds(id)).toEqual(['enrolled', 'online'])
})

test('a server that flaps has 200 events in an hour, and others have theirs', async () => {
  const [{ id }, other] = [await base.addServer(), await base.addServer({ name: 'other' })]
  for (let count = 0; count < 500; count++) events.record({ serverId: id, kind: 'online', params: {} })
  events.record({ serverId: other.id, kind: 'run', params: { name: 'backup', run_id: 3 } })
  await clock.advance(2 * second)
  expect(await kinds(id)).toHaveLength(200)
  expect(await events.list(other.id, { before: null, limit: 1 })).toMatchObject([
    { kind: 'run', params: { name: 'backup', run_id: 3 } },
  ])
  await clock.advance(60 * minute)
  events.record({ serverId: id, kind: 'offline', params: {} })
  await clock.advance(2 * second)
  expect((await events.list(id, { before: null, limit: 1 }))[0]!.kind).toBe('offline')
})

test('pages go back from an event', async () => {
  const { id } = await base.addServer()
  for (const name of ['a', 'b', 'c', 'd']) events.record({ serverId: id, kind: 'run', params: { name } })
  await clock.advance(2 * second)
  const names = async (before: number | null) =>
    (await events.list(id, { before, limit: 2 })).map((event) => [event.id, (event.params as { name: string }).name])
  const first = await names(null)
  expect(first.map(([, name]) => name)).toEqual(['d', 'c'])
  expect((await names(first[1]![0] as number)).map(([, name]) => name)).toEqual(['b', 'a'])
})

test('a server keeps its newest 2000, and a year', async () => {
  const { id } = await base.addServer()
  for (let hours = 0; hours < 12; hours++) {
    for (let count = 0; count < 200; count++) events.record({ serverId: id, kind: 'run', params: { hours } })
    await clock.advance(60 * minute)
  }
  const { count } = base.db.fn
  const all = () => base.db.selectFrom('events').select(count<number>('id').as('n')).executeTakeFirstOrThrow()
  expect((await all()).n).toBeLessThanOrEqual(2100)
  clock.jump(366 * day)
  await clock.advance(2 * second)
  expect((await all()).n).toBe(0)
})

test('a last write that takes long is the last', async () => {
  const { id } = await base.addServer()
  const held: (() => void)[] = []
  const db = base.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      const isHeld = result.numAffectedRows !== undefined && held.length < 2
      if (isHeld) await new Promise<void>((letGo) => held.push(letGo))
      return result
    },
  })
  const store = createEvents({ ...base, db }, live)
  await store.engine.start()
  const record = () => store.record({ serverId: id, kind: 'run', params: {} })
  await clock.advance(3 * second)
  record()
  await clock.advance(second)
  await expect.poll(() => held.length).toBe(1)
  // The server is looked at while the event is written: its facts are left for the last write.
  await clock.advance(second)
  const stopped = store.engine.stop()
  held[0]!()
  await expect.poll(() => held.length).toBe(2)
  await clock.advance(2 * second)
  held[1]!()
  await stopped
  record()
  await clock.advance(minute)
  expect((await kinds(id)).filter((kind) => kind === 'run')).toEqual(['run'])
})

test('events are kept on Postgres as well', async () => {
  const db = await openForTest('postgres')
  const { id } = await base.addServer()
  const store = createEvents({ ...base, db }, live)
  await store.engine.start()
  live.reportHost(id, { version: '1' })
  live.reportState(id, {})
  await clock.advance(6 * second)
  for (let count = 0; count < 150; count++) store.record({ serverId: id, kind: 'run', params: { count } })
  await store.engine.stop()
  expect(await store.list(id, { before: null, limit: 1 })).toMatchObject([{ params: { count: 149 } }])
  expect(await db.selectFrom('event_facts').selectAll().execute()).toMatchObject([{ server_id: id, version: '1' }])
  await db.destroy()
})
