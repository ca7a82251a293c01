import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openForTest } from '../../../../../tests/support/server/db.ts'
import type { Db } from '../../store/db/schema.ts'
import type { RowsWanted } from '../../store/records/pages.ts'
import { countStates, createRunStore, type NewItem, type NewRun, type RunStore, summaryOf } from './run-store.ts'
import type { RunScope } from './run-types.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

const none = countStates([])

const newRun = (fields: Partial<NewRun> = {}): NewRun => ({
  owner_id: 1,
  created_at: now,
  updated_at: now,
  kind: 'cron',
  cron_id: 3,
  name: 'backup',
  command: 'id',
  started_by: 'admin',
  finished_at: null,
  ...fields,
})

const newItem = (server: number): NewItem => ({
  server_id: server,
  server_name: `server ${server}`,
  state: 'sent',
  exit_code: null,
  started_at: now,
  finished_at: null,
  duration_ms: null,
  output: '',
  cut_bytes: 0,
  lines: 0,
  reason: null,
  version_before: '',
})

const closed = (id: number, fields = {}) => ({
  id,
  state: 'success' as const,
  exit_code: 0,
  finished_at: now + 5,
  duration_ms: 5,
  output: 'ok\n',
  cut_bytes: 0,
  lines: 1,
  reason: null,
  ...fields,
})

describe.each(['sqlite', 'postgres'] as const)('runs on %s', (engine) => {
  let db: Db
  let store: RunStore
  beforeAll(async () => {
    db = await openForTest(engine)
    store = createRunStore(db)
  })
  afterAll(() => db.destroy())
  beforeEach(async () => {
    await db.deleteFrom('run_items').execute()
    await db.deleteFrom('runs').execute()
  })

  const list = (wanted: Partial<RowsWanted> = {}, scope: RunScope = { owner: null }) =>
    store.list(scope, { options: null, limit: 10, ...wanted })

  test('a run and its parts are stored, closed and read', async () => {
    const { id, itemIds } = await store.insert(newRun(), [newItem(7), newItem(8)])
    await store.change({ items: [closed(itemIds.get(7)!)], runs: [] })
    expect(await list()).toMatchObject([
      { id, finished_at: null, counts: { sent: 2, running: 0, success: 0, failure: 0, no_answer: 0 } },
    ])
    const failed = { state: 'failure', exit_code: 3, output: 'grüße', lines: 1 }
    await store.change({
      items: [closed(itemIds.get(8)!, failed)],
      runs: [
        { id, finished_at: now + 9, updated_at: now + 9, ...summaryOf({ ...none, success: 1, failure: 1 }, null) },
      ],
    })
    expect(await list()).toMatchObject([{ id, finished_at: now + 9, counts: { sent: 0, success: 1, failure: 1 } }])
    const found = (await store.get(id))!
    expect(found.run).toMatchObject({ finished_at: now + 9, updated_at: now + 9, counts: { success: 1, failure: 1 } })
    expect(found.items).toMatchObject([
      {
        server_id: 7,
        server_name: 'server 7',
        state: 'success',
        started_at: '2026-11-20T12:00:00.000Z',
        output: 'ok\n',
      },
      { server_id: 8, state: 'failure', exit_code: 3, output: 'grüße', cut_bytes: 0, reason: 'exit' },
    ])
    expect(await store.get(id + 1)).toBeNull()
  })

  test('a list is of one owner or of all, newest first, a page at a time', async () => {
    for (const owner of [1, 2, 1, 2, 2]) await store.insert(newRun({ owner_id: owner, name: `of ${owner}` }), [])
    const names = async (...asked: Parameters<typeof list>) => (await list(...asked)).map(({ name }) => name)
    expect(await names({ offset: 1, limit: 2 })).toEqual(['of 2', 'of 1'])
    expect(await names({}, { owner: 2 })).toEqual(['of 2', 'of 2', 'of 2'])
    expect(await list({}, { owner: 9 })).toEqual([])
  })

  test('issue 10.9: a list is filtered and counted by state, by ids and from an id on', async () => {
    const ids: number[] = []
    for (const state of ['success', 'failure', 'sent', 'success'])
      ids.push((await store.insert(newRun(), [{ ...newItem(1), state }])).id)
    const found = async (wanted: Partial<RowsWanted>) => (await list(wanted)).map(({ id }) => ids.indexOf(id))
    expect(await found({ options: ['success', 'failure'] })).toEqual([3, 1, 0])
    expect(await found({ options: [] })).toEqual([])
    expect(await found({ ids: [ids[2]!, ids[0]!] })).toEqual([2, 0])
    expect(await found({ before: ids[2]!, limit: 1 })).toEqual([1])
    expect(await store.counts({ owner: null })).toEqual({ success: 2, failure: 1, open: 1 })
    expect(await store.counts({ owner: 2 })).toEqual({})
  })

  test('a run on many servers is stored in one piece, and its answer stays within 8 MiB', async () => {
    const servers = Array.from({ length: 1200 }, (_, index) => index + 1)
    const { id, itemIds } = await store.insert(newRun(), servers.map(newItem))
    expect(itemIds.size).toBe(1200)
    const output = 'ü'.repeat(10_000)
    const cut = [...itemIds.values()].slice(0, 3)
    await store.change({ items: cut.map((item) => closed(item, { output })), runs: [] })
    const { items } = (await store.get(id))!
    const share = Math.floor((8 * 2 ** 20) / 1200)
    expect(items[0]).toMatchObject({ output: 'ü'.repeat(share), cut_bytes: 20_000 - share * 2 })
  })

  test('what was open when the server ended is lost, but for the runs of this process', async () => {
    const old = await store.insert(newRun(), [newItem(1)])
    const mine = await store.insert(newRun(), [newItem(1)])
    await store.closeLost(now + 60_000, [mine.id])
    expect(await store.counts({ owner: null })).toEqual({ failure: 1, open: 1 })
    expect((await store.get(old.id))!).toMatchObject({
      run: { finished_at: now + 60_000 },
      items: [{ state: 'no_answer', reason: 'lost' }],
    })
    expect((await store.get(mine.id))!).toMatchObject({ run: { finished_at: null }, items: [{ state: 'sent' }] })
  })

  test('what is unfinished of one kind is found with the parts that may still get evidence', async () => {
    const plan = { canary: 1, batch: 2, max_failures: 0, state: 'going' }
    const fields = { kind: 'update', rollout: JSON.stringify(plan), deadline_ms: 5000 }
    const { id, itemIds } = await store.insert(newRun(fields), [
      { ...newItem(1), version_before: '1.0.0' },
      { ...newItem(2), state: 'waiting' },
      { ...newItem(3), state: 'success' },
    ])
    await store.insert(newRun({ ...fields, finished_at: now }), [newItem(1)])
    await store.insert(newRun(), [newItem(1)])
    expect(await store.unfinished('update')).toMatchObject([
      {
        run: { id, rollout: plan, deadline_ms: 5000, counts: { waiting: 1, sent: 1, success: 1 } },
        items: [
          { id: itemIds.get(1), server_id: 1, state: 'sent', version_before: '1.0.0', started_at: now },
          { id: itemIds.get(2), server_id: 2, state: 'waiting', version_before: '' },
        ],
      },
    ])
  })

  test('old runs and those beyond the newest are forgotten with their parts; open ones stay', async () => {
    const old = await store.insert(newRun({ finished_at: now - 1000 }), [newItem(1)])
    const open = await store.insert(newRun(), [newItem(1)])
    const kept: number[] = []
    for (let index = 0; index < 3; index += 1) kept.push((await store.insert(newRun({ finished_at: now }), [])).id)
    await store.prune({ before: now - 500, most: 2 })
    const rows = await list()
    expect(rows.map(({ id }) => id)).toEqual([kept[2], kept[1], open.id])
    const left = await db.selectFrom('run_items').select('run_id').execute()
    expect(left).toEqual([{ run_id: open.id }])
    expect(rows.map(({ id }) => id)).not.toContain(old.id)
  })

  test('issue 10.13: other calls have their turn while old runs are removed, and a stop leaves the rest', async () => {
    for (let index = 0; index < 4; index += 1) {
      const items = Array.from({ length: 100 }, (_, server) => newItem(server + 1))
      await store.insert(newRun({ finished_at: now - 1000 }), items)
    }
    let turns = 0
    let isOver = false
    const turn = () => {
      turns += 1
      if (!isOver) setImmediate(turn)
    }
    turn()
    const prune = (stop?: () => boolean) => store.prune({ before: now - 500, most: 100 }, stop)
    await prune(() => turns > 4)
    const { left } = await db
      .selectFrom('run_items')
      .select(({ fn }) => fn.countAll<number>().as('left'))
      .executeTakeFirstOrThrow()
    expect(Number(left)).toBeGreaterThan(200)
    await prune()
    isOver = true
    expect(turns).toBeGreaterThan(400 / 25)
    expect(await list()).toEqual([])
  })
})
