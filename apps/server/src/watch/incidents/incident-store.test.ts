import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openForTest } from '../../../../../tests/support/server/db.ts'
import type { Db } from '../../store/db/schema.ts'
import type { RowsWanted } from '../../store/records/pages.ts'
import { createTrafficStore } from '../traffic/traffic-store.ts'
import { acknowledged, closed, type IncidentRow, opened, withOutcome } from './incident.ts'
import { createIncidentStore, type IncidentScope, type IncidentStore } from './incident-store.ts'

const row = (id: number, fields: Partial<IncidentRow> = {}): IncidentRow => ({
  ...opened(
    {
      source: 'alert-rule',
      sourceId: 1,
      serverId: 7,
      ownerId: 1,
      name: 'cpu high',
      groupId: 0,
      notify: true,
      message: '',
      mute: null,
      tasks: [],
      reading: { metric: 'cpu', value: 99.5, limit: 90 },
      error: 'lost',
      repeats: false,
    },
    { id, now: 1000 + id, quiet: false },
  ),
  ...fields,
})

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  let db: Db
  let store: IncidentStore
  beforeAll(async () => {
    db = await openForTest(engine)
    store = createIncidentStore(db)
  })
  afterEach(() => db.deleteFrom('incidents').execute())
  afterAll(() => db.destroy())

  const list = (wanted: Partial<RowsWanted> = {}, scope: Partial<IncidentScope> = {}) =>
    store.list({ owner: null, ...scope }, { options: null, limit: 9, ...wanted })

  test('incidents are stored, changed, listed by page, owner, state and server', async () => {
    const told = [{ notification_id: 5, name: 'chat', at: 9, ok: false, error: '500' }]
    const first = row(1)
    await store.save(db, [first, row(2, { owner_id: 2 }), row(3, { server_id: 8 })])
    expect(await store.get(1)).toEqual(first)
    const changed = acknowledged(withOutcome(first, { told, runs: [4, 5] }), 'alice', 2000)
    await store.save(db, [changed, closed(row(3, { server_id: 8 }), 3000)])
    expect(await store.get(1)).toEqual(changed)
    expect(await store.get(9)).toBeNull()
    expect(await store.lastId()).toBe(3)
    expect(await store.open()).toEqual([changed, row(2, { owner_id: 2 })])
    const ids = async (wanted: Partial<RowsWanted>, scope: Partial<IncidentScope> = {}) =>
      (await list({ limit: 2, ...wanted }, scope)).map(({ id }) => id)
    expect(await ids({})).toEqual([3, 2])
    expect(await ids({ offset: 2 })).toEqual([1])
    expect(await ids({ before: 3 })).toEqual([2, 1])
    expect(await ids({ ids: [1, 9] })).toEqual([1])
    expect(await ids({}, { owner: 2 })).toEqual([2])
    expect(await ids({ options: ['closed', 'acknowledged'] })).toEqual([3, 1])
    expect(await ids({ options: [] })).toEqual([])
    expect(await ids({}, { servers: [8] })).toEqual([3])
    expect(await ids({}, { servers: [] })).toEqual([])
    expect(await store.counts({ owner: null })).toEqual({ closed: 1, open: 1, acknowledged: 1 })
    expect(await store.counts({ owner: 2, servers: [7] })).toEqual({ open: 1 })
  })

  test('old closed incidents are forgotten, open ones never', async () => {
    await store.save(db, [closed(row(1), 100), closed(row(2), 5000), row(3), closed(row(4), 6000)])
    await store.prune({ before: 1000, upTo: 0 })
    expect((await list()).map(({ id }) => id)).toEqual([4, 3, 2])
    await store.prune({ before: 1000, upTo: 3 })
    expect((await list()).map(({ id }) => id)).toEqual([4, 3])
  })

  test('S-49 a damaged row is read as far as it goes', async () => {
    await store.save(db, [row(1)])
    await sql`update incidents set told = '{', runs = '5', reading = 'x'`.execute(db)
    expect(await store.get(1)).toMatchObject({ told: [], runs: [], reading: null, name: 'cpu high' })
  })

  test('traffic of an hour is added up, summed since a time, and forgotten', async () => {
    const traffic = createTrafficStore(db)
    const counters = { boot: 9, in: 100, out: 50 }
    const add = (serverId: number, at: number, bytes: { in: number; out: number }) =>
      traffic.add([{ serverId, at, bytes, counters }])
    await add(1, 1000, { in: 5e12, out: 1 })
    await add(1, 1000, { in: 5, out: 1 })
    await add(1, 2000, { in: 7, out: 0 })
    await add(2, 2000, { in: 0, out: 0 })
    expect(await traffic.since(0, [1, 2])).toEqual(new Map([[1, { in: 5e12 + 12, out: 2 }]]))
    expect(await traffic.since(1001, [1])).toEqual(new Map([[1, { in: 7, out: 0 }]]))
    expect(await traffic.snapshots()).toEqual(
      new Map([
        [1, counters],
        [2, counters],
      ]),
    )
    expect(await traffic.servers()).toEqual([1])
    await traffic.forget(1, 2000)
    expect(await traffic.since(0, [1])).toEqual(new Map([[1, { in: 7, out: 0 }]]))
    await traffic.forget(1, null)
    await traffic.forgetSnapshot(1)
    expect((await traffic.servers()).length + (await traffic.snapshots()).size).toBe(1)
  })
})
