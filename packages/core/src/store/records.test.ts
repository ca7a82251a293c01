import { observe } from '@legendapp/state'
import { describe, expect, test, vi } from 'vitest'
import { createWorld } from '../../../../tests/support/core/store.ts'
import { pageQuery } from '../actions/index.ts'
import { incident, resources, server } from '../resources/index.ts'
import { createCollection } from './collection.ts'
import { createRecords$, createRemembered } from './index.ts'

function setUp(world = createWorld(), build?: string) {
  const remembered = createRemembered(world.ports)
  const records = createRecords$({ client: world.client, clock: world.ports, remembered, build })
  return { ...world, remembered, records }
}

const tasks = [
  { id: 7, name: 'nightly', command: 'true', servers: [1], updated_at: '2026-11-01T00:00:00Z' },
  { id: 8, name: 'logs', command: 'true' },
]

describe('a list', () => {
  test('is loaded once however often it is asked for', async () => {
    const { records, route, calls } = setUp()
    route('GET cron', tasks)
    await Promise.all([records.load('cron'), records.load('cron')])
    expect(calls()).toEqual(['GET cron'])
    expect(records.list$('cron').peek()).toMatchObject({ status: 'ready', ids: [7, 8], bad: [], error: null })
    expect(records.peek('cron', 7)).toMatchObject({ name: 'nightly', cover: 0 })
  })

  test('a saved record that arrives after a newer one doesn’t replace it', async () => {
    const { records, route, calls } = setUp()
    route('GET cron', tasks)
    await records.load('cron')
    const row = { ...records.peek('cron', 7)!, name: 'third', updated_at: '2026-11-03T00:00:00Z' }
    await records.saved('cron', row)
    route('GET cron', [row])
    await records.saved('cron', { ...row, name: 'second', updated_at: '2026-11-02T00:00:00Z' })
    expect(records.peek('cron', 7)).toMatchObject({ name: 'third' })
    expect(calls()).toEqual(['GET cron', 'GET cron'])
  })

  test('a refresh that another one took over waits for the answer of that one', async () => {
    const { records, route, hold, letGo } = setUp()
    route('GET cron', tasks)
    await records.load('cron')
    hold('GET cron')
    const first = records.refresh(['cron'])
    route('GET cron', [{ ...tasks[0], command: 'false' }])
    const second = records.refresh(['cron'])
    letGo()
    await first
    expect(records.peek('cron', 7)).toMatchObject({ command: 'false' })
    await second
  })

  test('keeps its rows when the next request fails, and says why', async () => {
    const { records, route } = setUp()
    route('GET cron', tasks)
    await records.load('cron')
    route('GET cron', { error: 'database error' })
    await records.load('cron')
    expect(records.list$('cron').peek()).toMatchObject({
      status: 'failed',
      ids: [7, 8],
      error: { code: 'failed', params: { text: 'database error' } },
    })
  })

  test('keeps bad rows aside with their reasons', async () => {
    const { records, route } = setUp()
    route('GET cron', [tasks[0], { name: 'no id' }])
    await records.load('cron')
    expect(records.list$('cron').peek()).toMatchObject({ ids: [7], bad: [{ index: 1 }] })
  })

  test('is cancelled when nobody watches it any more, and its answer is not taken', async () => {
    const { records, route, hold, letGo, requests } = setUp()
    route('GET cron', tasks)
    hold('GET cron')
    const [leave, other] = [records.watch('cron'), records.watch('cron')]
    leave()
    leave()
    expect(requests[0]!.signal.aborted).toBe(false)
    other()
    expect(requests[0]!.signal.aborted).toBe(true)
    letGo()
    await Promise.resolve()
    expect(records.list$('cron').peek()).toMatchObject({ status: 'empty', ids: [] })
  })

  test('a refresh does not take the older answer of a request that was under way', async () => {
    const { records, route, hold, letGo, calls } = setUp()
    route('GET cron', tasks)
    hold('GET cron')
    const first = records.load('cron')
    const second = records.refresh(['cron', 'server'])
    route('GET cron', [tasks[1]])
    letGo()
    await Promise.all([first, second])
    expect(calls()).toEqual(['GET cron', 'GET cron'])
    expect(records.list$('cron').peek().ids).toEqual([8])
  })

  test('answers that are the same tell nobody', async () => {
    const { records, route } = setUp()
    route('GET cron', tasks)
    await records.load('cron')
    let told = 0
    observe(() => {
      records.version$('cron').get()
      records.row$('cron', 7).get()
      told += 1
    })
    await records.load('cron')
    expect(told).toBe(1)
    route('GET cron', [{ ...tasks[0], name: 'weekly' }, tasks[1]])
    await records.load('cron')
    expect(told).toBeGreaterThan(1)
    expect(records.peek('cron', 7)!.name).toBe('weekly')
  })

  test('a page of a paged list, and one record that tells more than the list', async () => {
    const { records, route } = setUp()
    const counts = { sent: 0, running: 0, success: 1, failure: 0, no_answer: 0 }
    route('GET run?offset=50&limit=50', { value: [{ id: 3, name: 'a', counts }], pagination: { total: 51 } })
    route('GET run/3', { id: 3, name: 'a', counts, items: [{ server_id: 1, state: 'success' }] })
    await records.load('run', { offset: 50, limit: 50 })
    await records.loadOne('run', 3)
    await records.refresh(['run'])
    expect(records.list$('run').peek()).toMatchObject({ ids: [3], total: 51 })
    expect(records.detail$('run', 3).peek()).toMatchObject({ items: [{ server_id: 1 }] })
    expect(records.row$('run', 3).peek()).toMatchObject({ items: [] })
  })

  test('issue 10.9: all that the filter lets through come also while a part of them is under way', async () => {
    const { records, route } = setUp()
    const incidents = (...ids: number[]) => ids.map((id) => ({ id, name: `incident ${id}`, state: 'open' }))
    const answer = (value: unknown[]) => ({ value, pagination: { total: 5 }, all: 5, counts: { open: 5, closed: 0 } })
    route('GET incident?limit=2&q=open', answer(incidents(9, 8)))
    await records.load('incident', pageQuery(incident, { filter: ' open ', sort: incident.sort, limit: 2 }))
    route('GET incident?limit=2&q=open&offset=2', answer(incidents(7, 6)))
    route('GET incident?limit=1&q=open&offset=4', answer(incidents(5)))
    await Promise.all([records.loadMore('incident', 2), records.loadAll('incident')])
    expect(records.list$('incident').peek().ids).toEqual([9, 8, 7, 6, 5])
  })

  test('issue 10.9: more records follow those that are here, once each, and a refresh asks for all of them', async () => {
    const { records, route, calls } = setUp()
    const incidents = (...ids: number[]) => ids.map((id) => ({ id, name: `incident ${id}`, state: 'open' }))
    const answer = (value: unknown[]) => ({ value, pagination: { total: 5 }, all: 9, counts: { open: 5, closed: 4 } })
    const query = pageQuery(incident, { filter: ' open ', sort: incident.sort, limit: 2 })
    route('GET incident?limit=2&q=open', answer(incidents(9, 8)))
    await records.load('incident', query)
    const list = () => records.list$('incident').peek()
    expect(list()).toMatchObject({ ids: [9, 8], total: 5, pages: { all: 9, counts: { open: 5, closed: 4 } } })
    route('GET incident?limit=2&q=open&offset=2', answer(incidents(8, 7)))
    await Promise.all([records.loadMore('incident', 2), records.loadMore('incident', 2)])
    expect(list().ids).toEqual([9, 8, 7])
    route('GET incident?limit=2&q=open&offset=3', answer(incidents(6, 5)))
    await records.loadMore('incident', 9)
    await records.loadMore('incident', 9)
    expect(list().ids).toEqual([9, 8, 7, 6, 5])
    route('GET incident?limit=5&q=open', answer(incidents(10, 9, 8, 7, 6)))
    await records.refresh(['incident'])
    expect(list().ids).toEqual([10, 9, 8, 7, 6])
    expect(records.peek('incident', 5)).toMatchObject({ name: 'incident 5' })
    expect(calls()).toHaveLength(4)
  })

  test('issue 10.10: of another person nothing stays, not even what was opened by itself', async () => {
    const { records, route } = setUp()
    const output = { id: 3, name: 'a', items: [{ server_id: 1, state: 'success', output: 'secret' }] }
    route('GET run/3', output)
    route('GET incident', { value: [{ id: 4, name: 'x' }], pagination: { total: 1 } })
    route('GET incident?q=none', { pagination: { total: 0 } })
    records.open('http://fleet#1')
    await records.loadOne('run', 3)
    await records.load('incident')
    await records.load('incident', { q: 'none' })
    const seen: unknown[] = []
    observe(() => seen.push(records.detail$('run', 3).get()))
    records.open('http://fleet#2')
    expect(seen.at(-1)).toBeUndefined()
    expect([records.peek('run', 3), records.peek('incident', 4)]).toEqual([undefined, undefined])
  })

  test('removed records go at once', async () => {
    const { records, route } = setUp()
    route('GET cron', tasks)
    await records.load('cron')
    records.forget('cron', [7])
    expect(records.list$('cron').peek().ids).toEqual([8])
    expect(records.peek('cron', 7)).toBeUndefined()
  })
})

describe('first paint', () => {
  test('shows what the same person saw last, without secrets, until the list arrives', async () => {
    const world = createWorld()
    const before = setUp(world)
    before.records.open('http://fleet#1')
    world.route('GET profile', { id: 1, username: 'admin', agent_secret: 'top' })
    world.route('GET cron', tasks)
    await Promise.all([before.records.load('cron'), before.records.load('account')])
    world.pass(2000)
    expect([...world.stored.values()].join()).not.toContain('top')

    const after = setUp(world)
    after.records.open('http://fleet#1')
    expect(after.records.list$('cron').peek()).toMatchObject({ status: 'empty', ids: [7, 8] })
    expect(after.records.list$('cron').peek().loadedAt).toBe(world.ports.now() - 2000)
    expect(after.records.peek('cron', 7)).toMatchObject({ name: 'nightly' })

    const other = setUp(world)
    other.records.open('http://fleet#2')
    expect(other.records.list$('cron').peek().ids).toEqual([])
  })

  test('keeps what was loaded before it was known whose it is, and remembers it as theirs', async () => {
    const world = createWorld()
    const { records } = setUp(world)
    world.route('GET cron', tasks)
    records.watch('cron')
    await records.load('cron')
    records.open('http://fleet#1', true)
    expect(world.calls()).toEqual(['GET cron'])
    expect(records.list$('cron').peek()).toMatchObject({ status: 'ready', ids: [7, 8] })
    world.pass(2000)
    expect(world.stored.get('main')).toContain('nightly')
    records.open('http://fleet#2')
    expect(records.list$('cron').peek()).toMatchObject({ status: 'loading', ids: [] })
  })

  test('takes rows as they are only if the same build remembered them, and reading them would change nothing', async () => {
    const read = vi.spyOn(server.read, 'safeParse')
    const world = createWorld()
    const before = setUp(world, 'a')
    before.records.open('x')
    world.route('GET server', [{ id: 1, name: 'web-1' }])
    await before.records.load('server')
    world.pass(2000)
    const shownBy = (build: string | undefined) => {
      read.mockClear()
      const { records } = setUp(world, build)
      records.open('x')
      return { rows: records.peekAll('server'), times: read.mock.calls.length }
    }
    const [own, other, nameless] = [shownBy('a'), shownBy('b'), shownBy(undefined)]
    expect([own.times, other.times, nameless.times]).toEqual([0, 1, 1])
    expect(own.rows).toEqual(other.rows)
    read.mockRestore()
    for (const { read } of resources) {
      const row = JSON.parse(JSON.stringify(read.parse({ id: 1 })))
      expect(read.parse(row)).toEqual(row)
    }
  })

  test.each([
    ['broken', '{'],
    ['of another kind', '[1]'],
    ['with broken rows', '{"rows:cron":{"who":"x","at":1,"rows":[{"name":1},null]}}'],
  ])('a store that is %s is forgotten', (_name, text) => {
    const world = createWorld()
    world.stored.set('main', text)
    const { records } = setUp(world)
    records.open('x')
    expect(records.list$('cron').peek().ids).toEqual([])
  })

  test('a store that grew too big is not written', () => {
    const { remembered, stored, pass } = setUp()
    remembered.write('server', 'x', 'y'.repeat(2_000_000))
    pass(2000)
    expect(stored.has('server')).toBe(false)
  })
})

test('a thousand rows are patched in place, and only cells that changed are told', () => {
  const collection = createCollection()
  const rows = Array.from({ length: 1000 }, (_, index) =>
    server.read.parse({ id: index + 1, name: `web-${index}`, state: { cpu: 1 } }),
  )
  collection.take(rows, { bad: [], total: null, pages: null, query: {}, loadedAt: 1, status: 'ready' })
  const before = collection.rows.peek(5)
  const told = vi.fn()
  observe(() => {
    collection.rows.row$(5).get()
    told()
  })
  for (const { id } of rows.slice(10)) collection.patch(id, { state: { cpu: 2 } }, true)
  expect(told).toHaveBeenCalledTimes(1)
  collection.patch(5, { state: { cpu: 3 } }, true)
  expect(told).toHaveBeenCalledTimes(2)
  expect(collection.rows.peek(5)).toBe(before)
  expect(collection.version$.peek()).toBe(1)
})
