import { observe } from '@legendapp/state'
import { describe, expect, test } from 'vitest'
import { createWorld } from '../../../../tests/support/core/store.ts'
import type { Trend } from '../define/index.ts'
import { server } from '../resources/index.ts'
import { createLive$, createRecords$, createRemembered, createView } from './index.ts'
import { createFrameReader } from './live-frames.ts'
import { createTrends } from './trends.ts'

const unknown = (count: number) => Array<null>(count).fill(null)
const host = { mem_total: 1000, disk_total: 1000, version: '2.3.3' }
const listed = [
  { id: 1, name: 'web-1', host, state: { cpu: 5 }, last_active: '2026-11-20T13:32:00Z' },
  { id: 2, name: 'db-1', host, state: { cpu: 6 }, last_active: '2026-11-20T13:32:00Z' },
]
const full = (servers: object[], now = Date.parse('2026-11-20T13:32:08Z')) =>
  JSON.stringify({ now, online: 2, servers })
const sample = (id: number, cpu: number, last_active = '2026-11-20T13:32:08Z') => ({
  id,
  name: `web-${id}`,
  host,
  state: { cpu, mem_used: 500 },
  last_active,
})

async function setUp(world = createWorld()) {
  const records = createRecords$({
    client: world.client,
    clock: world.ports,
    remembered: createRemembered(world.ports),
  })
  const live = createLive$({
    ports: world.ports,
    baseUrl: 'http://fleet',
    client: world.client,
    records,
    view: () => view,
  })
  const view = createView({ records, live, supports: () => true })
  world.route('GET server', listed)
  await records.load('server')
  const settled = () => new Promise((resolve) => setTimeout(resolve))
  live.start()
  await settled()
  const socket = () => world.sockets.at(-1)!
  return { ...world, records, live, view, socket, settled }
}

describe('live figures', () => {
  test('a full frame goes into the rows, with trends and the clock of the server', async () => {
    const { records, live, view, socket, ports } = await setUp()
    expect(socket()).toMatchObject({ url: 'ws://fleet/api/v1/ws/server', protocols: [] })
    socket().message(full([sample(1, 40), sample(2, 50)]))
    expect(records.peek('server', 1)).toMatchObject({ state: { cpu: 40 }, last_seen_at: '2026-11-20T13:32:08Z' })
    expect(view.trend('server', 1, 'cpu')).toEqual([...unknown(119), 40])
    expect(view.trend('server', 1, 'memory')).toEqual([...unknown(119), 50])
    expect(live.state$.peek()).toMatchObject({ feed: { status: 'live' }, heardAt: ports.now(), online: 2 })
    expect(live.now()).toBe(ports.now() + 1000)
  })

  test('issue 12, looks: a trend begins with what the history knows, each server asked for once, several in a call', async () => {
    const world = createWorld()
    world.route('GET capabilities', { name: 'quarterdeck', version: '1', capabilities: ['history'] })
    const { view, socket, calls, pass, settled, ports } = await setUp(world)
    socket().message(full([sample(1, 40), sample(2, 50)], ports.now()))
    const at = Math.floor(ports.now() / 30_000) * 30_000 - 60_000
    const query = `servers=1%2C2&metric=cpu%2Cmemory%2Cswap%2Cdisk%2Cnet_in_speed%2Cnet_out_speed%2Cload1&from=${ports.now() - 600_000 + 30}&to=${ports.now() + 30}&points=20`
    world.route(`GET history?${query}`, {
      step_ms: 30_000,
      series: [
        { server_id: 1, metric: 'cpu', points: [[at, 20, 20, 20, 20]] },
        { server_id: 1, metric: 'memory', points: [[at, 250, 250, 250, 250]] },
        { server_id: 2, metric: 'cpu', points: [] },
      ],
    })
    const seen: Trend[] = []
    observe(() => {
      seen.push([...view.trend('server', 1, 'cpu')])
    })
    view.trend('server', 2, 'cpu')
    pass(30)
    await settled()
    await settled()
    // From 13:31:00 to 13:31:30, then the sample of 13:32:07: more than half a minute without a report is a gap.
    const past = (before: number, now: number) => [...unknown(106), ...Array(6).fill(before), ...unknown(7), now]
    expect(seen).toEqual([[...unknown(119), 40], past(20, 40)])
    expect(view.trend('server', 1, 'memory')).toEqual(past(25, 50))
    expect(view.trend('server', 2, 'cpu')).toEqual([...unknown(119), 50])
    pass(60)
    await settled()
    expect(calls().filter((call) => call.startsWith('GET history'))).toHaveLength(1)
  })

  test('a cell is told of its own row only, and the version of the list stays', async () => {
    const { records, socket } = await setUp()
    const cpus: unknown[] = []
    const version = records.version$('server').peek()
    observe(() => {
      cpus.push((records.row$('server', 1).get()!.state as { cpu: number }).cpu)
    })
    socket().message(full([sample(1, 40), sample(2, 50)]))
    socket().message(full([sample(1, 40), sample(2, 51)]))
    expect(cpus).toEqual([5, 40])
    expect(records.version$('server').peek()).toBe(version)
  })

  test('an agent that went keeps when it was last seen', async () => {
    const { records, socket } = await setUp()
    socket().message(full([sample(1, 40), sample(2, 50)]))
    socket().message(full([sample(1, 40, '0001-01-01T00:00:00Z'), sample(2, 50)]))
    expect(records.peek('server', 1)).toMatchObject({ last_active: null, last_seen_at: '2026-11-20T13:32:08Z' })
  })

  test('a server that came is asked for, once; one that a member only sees live is not asked for again', async () => {
    const { socket, calls, pass, settled } = await setUp()
    for (let times = 0; times < 3; times++) {
      socket().message(full([sample(1, 40), sample(2, 50), sample(3, 1)]))
      pass(2000)
      await settled()
    }
    expect(calls().filter((call) => call === 'GET server')).toHaveLength(2)
  })

  test('T-10 a lost feed waits with a countdown, grows patient, and comes back by itself', async () => {
    const { live, socket, sockets, pass, ports, settled } = await setUp()
    socket().message(full([sample(1, 40)]))
    socket().close(1006, '')
    expect(live.state$.feed.peek()).toEqual({ status: 'lost', retryAt: ports.now() + 500, attempt: 1 })
    pass(500)
    await settled()
    expect(sockets).toHaveLength(2)
    socket().close(1006, '')
    expect(live.state$.feed.peek()).toEqual({ status: 'lost', retryAt: ports.now() + 1000, attempt: 2 })
    live.retryNow()
    await settled()
    socket().message(full([sample(1, 41)]))
    expect(live.state$.feed.peek()).toEqual({ status: 'live' })
    live.stop()
    expect(socket().isClosed).toBe(true)
    expect(live.state$.feed.peek()).toEqual({ status: 'off' })
  })

  test('issue 36.28 without a feed no server changes its state; data that came by a call counts', async () => {
    const { live, view, records, socket, pass, ports, route, settled, sockets } = await setUp()
    const status = (id: number) => server.derived.status!(records.peek('server', id)!, view)
    socket().message(full([sample(1, 40), sample(2, 50, '2026-11-20T13:31:00Z')], ports.now()))
    expect([status(1), status(2)]).toEqual(['online', 'offline'])
    live.disconnect()
    expect(live.state$.feed.peek().status).toBe('lost')
    const tries = sockets.length
    live.disconnect()
    expect(sockets).toHaveLength(tries)
    route('GET server', { error: 'away' })
    pass(3_600_000)
    await settled()
    expect([status(1), status(2)]).toEqual(['online', 'offline'])
    const fresh = new Date(ports.now()).toISOString()
    route('GET server', [{ ...listed[0], last_active: fresh }, listed[1]])
    await records.load('server')
    expect([status(1), status(2)]).toEqual(['online', 'offline'])
    expect(view.now).toBe(ports.now())
    live.stop()
  })

  test('issue 36.28 a socket that falls silent counts as lost within 5 s, and the next message of the same socket ends that', async () => {
    const { live, socket, sockets, pass, ports, calls, settled } = await setUp()
    const status = () => live.state$.feed.peek().status
    socket().message(full([sample(1, 40)]))
    await settled()
    const asked = calls.length
    pass(4700)
    expect(status()).toBe('live')
    pass(200)
    expect(live.state$.feed.peek()).toEqual({ status: 'lost', retryAt: ports.now() + 10_100, attempt: 1 })
    socket().message(full([sample(1, 41)]))
    expect(status()).toBe('live')
    expect(socket().isClosed).toBe(false)
    // It has missed nothing, so nothing is asked for again.
    pass(1000)
    await settled()
    expect(calls.length).toBe(asked)
    const own = { now: ports.now(), reset: true, servers: [] }
    socket().message(JSON.stringify({ ...own, beat: 2000 }))
    pass(4900)
    expect(status()).toBe('lost')
    // A server of before promised a message every 10 s.
    socket().message(JSON.stringify(own))
    pass(14_900)
    expect(status()).toBe('live')
    expect(sockets).toHaveLength(1)
    live.stop()
  })

  test('a feed that falls silent is lost', async () => {
    const { live, socket, pass } = await setUp()
    socket().message(full([sample(1, 40)]))
    const silent = socket()
    pass(15_000)
    expect(live.state$.feed.peek().status).toBe('lost')
    expect(silent.isClosed).toBe(true)
    silent.message(full([sample(1, 99)]))
    expect(live.state$.feed.peek().status).toBe('lost')
  })

  test.each(['{', '[]', '"x"', '{"servers":7}', '{"servers":[{"id":"x"}]}'])(
    'nonsense %s changes nothing',
    async (text) => {
      const { records, socket } = await setUp()
      socket().message(text)
      expect(records.peek('server', 1)).toMatchObject({ state: { cpu: 5 } })
    },
  )

  test('changes are asked for where the server announces them: a browser gives up where nobody takes what it offers', async () => {
    const world = createWorld()
    world.route('GET capabilities', { name: 'quarterdeck', version: '1', capabilities: ['live-changes'] })
    const { socket } = await setUp(world)
    expect(socket().protocols).toEqual(['quarterdeck.live.v1'])
  })

  test('changes only: rows, samples, sensors, records, runs', async () => {
    const { records, socket, calls, pass, settled } = await setUp()
    const seen = Date.parse('2026-11-20T13:32:08Z')
    const figures = [seen, 405, 500, 0, 0, 0, 0, 7, 8, 60, 123]
    socket().message(
      JSON.stringify({
        now: seen,
        reset: true,
        online: 1,
        versions: { cron: 3 },
        servers: [
          { ...listed[0], figures },
          { ...listed[1], figures },
        ],
      }),
    )
    socket().message(
      JSON.stringify({
        now: seen + 250,
        samples: [
          [1, 2000, 95, -100],
          [9, 1],
        ],
        sensors: [{ id: 1, gpu: [12] }],
      }),
    )
    expect(records.peek('server', 1)).toMatchObject({
      state: { cpu: 50, mem_used: 400, net_in_speed: 7, load_1: 1.23, gpu: [12] },
      last_active: '2026-11-20T13:32:10.000Z',
    })
    socket().message(
      JSON.stringify({
        now: seen + 500,
        samples: [[2, -seen]],
        gone: [1],
        records: [{ resource: 'server', ids: [1], version: 9 }],
      }),
    )
    expect(records.list$('server').peek().ids).toEqual([2])
    expect(records.peek('server', 2)).toMatchObject({ last_active: null })
    pass(1000)
    await settled()
    expect(calls().filter((call) => call === 'GET server')).toHaveLength(2)
  })

  test('a save that is known already is no reason to read its list again, any other is', async () => {
    const { records, socket, calls, pass, settled, route } = await setUp()
    const [before, after] = ['2026-11-20T13:30:00.000Z', '2026-11-20T13:32:09.000Z']
    const task = {
      id: 7,
      name: 'nightly',
      task_type: 0,
      scheduler: '0 0 3 * * *',
      command: 'true',
      cover: 1,
      servers: [1],
    }
    route('GET cron', [{ ...task, updated_at: before }])
    await records.load('cron')
    const hear = async (notice: object) => {
      socket().message(
        JSON.stringify({ now: Date.parse(after), records: [{ resource: 'cron', version: 5, ...notice }] }),
      )
      pass(1000)
      await settled()
      return calls().filter((call) => call === 'GET cron').length
    }
    socket().message(firstFrame(listed.map((row) => ({ ...row, figures: [] }))))
    pass(1000)
    await settled()
    const first = calls().filter((call) => call === 'GET cron').length
    records.patch('cron', 7, { name: 'weekly', updated_at: after })
    expect(await hear({ ids: [7], saved: [after] })).toBe(first)
    expect(await hear({ ids: [7, 8], saved: [after, after] })).toBe(first + 1)
    expect(await hear({ ids: [7], saved: [after] })).toBe(first + 2)
    expect(await hear({ ids: [7], saved: [null] })).toBe(first + 3)
    expect(await hear({})).toBe(first + 4)
    route('GET cron?id=9', [{ ...task, id: 9, updated_at: after }])
    await records.loadOne('cron', 9)
    expect(records.peek('cron', 9)).toMatchObject({ updated_at: after })
    expect(await hear({ ids: [9], saved: [after] })).toBe(first + 5)
  })

  const firstFrame = (servers: object[]) =>
    JSON.stringify({ now: Date.parse('2026-11-20T13:32:08Z'), reset: true, versions: { cron: 3, server: 4 }, servers })

  test('issue 14: what changed between a list and the first frame is asked for, once; a list that is asked for later is not', async () => {
    const { records, socket, calls, pass, settled, route } = await setUp()
    route('GET server', [{ ...listed[0], name: 'web-9' }, listed[1]])
    socket().message(firstFrame(listed.map((row) => ({ ...row, figures: [] }))))
    route('GET cron', [])
    await records.load('cron')
    pass(1000)
    await settled()
    expect(records.peek('server', 1)).toMatchObject({ name: 'web-9' })
    socket().message(JSON.stringify({ now: Date.parse('2026-11-20T13:32:18Z') }))
    pass(2000)
    await settled()
    expect(calls().filter((call) => /^GET (server|cron)$/.test(call))).toEqual(['GET server', 'GET cron', 'GET server'])
  })

  test('issue 14: an answer that is older than what the feed told since it was asked for does not take that back', async () => {
    const { records, socket, settled, route, hold, letGo } = await setUp()
    hold('GET server')
    route('GET server', listed)
    const again = records.load('server')
    await settled()
    const pressure = { since: '2026-11-20T13:32:08Z' }
    socket().message(firstFrame([{ ...listed[0], name: 'web-9', pressure, figures: [] }]))
    letGo()
    await again
    expect(records.peek('server', 1)).toMatchObject({ name: 'web-9', pressure })
  })

  test('issue 14: the first answer of a list is waited for although it may be out of date, and asked for again', async () => {
    const world = createWorld()
    world.hold('GET cron')
    world.route('GET cron', [])
    const { records, socket, pass, settled, letGo, calls } = await setUp(world)
    const asked = records.load('cron')
    socket().message(firstFrame([]))
    pass(1000)
    await settled()
    letGo()
    await asked
    expect(records.list$('cron').peek()).toMatchObject({ loadedAt: expect.any(Number) })
    await settled()
    expect(calls().filter((call) => call === 'GET cron')).toHaveLength(2)
  })

  test('what was missed between two connections is asked for', async () => {
    const versions = new Map<string, number>()
    const first = createFrameReader(versions)
    // Nothing tells whether a list that is here already is older than the first frame.
    const told = first({ now: 1, reset: true, versions: { cron: 3, server: 5 }, servers: [] })!
    expect(told.stale).toEqual(['cron', 'server'])
    expect(first({ now: 2, records: [{ resource: 'cron', ids: [7], version: 4 }] })!.stale).toEqual(['cron'])
    const second = createFrameReader(versions)
    expect(second({ now: 3, reset: true, versions: { cron: 4, server: 6 }, servers: [] })!.stale).toEqual(['server'])
  })
})

test('trends keep ten minutes in steps of five seconds', () => {
  const trends = createTrends()
  for (let at = 0; at < 700_000; at += 2500) trends.add(1, 'cpu', at / 5000, at)
  const points = trends.of(1, 'cpu', 699_999)
  expect(points).toHaveLength(120)
  expect(points).not.toContain(null)
  expect(points.at(-1)).toBeCloseTo(139.25)
  trends.add(1, 'cpu', 7, 60_000_000)
  expect(trends.of(1, 'cpu', 60_000_000)).toEqual([...unknown(119), 7])
  expect(trends.of(2, 'cpu', 60_000_000)).toEqual([])
})

test('issue 36.34 each point of a trend has its place in time: gaps stay, and a line ends when the server did', () => {
  const trends = createTrends()
  trends.add(1, 'cpu', 10, 300_000)
  trends.add(1, 'cpu', 20, 330_000)
  trends.add(1, 'cpu', 30, 365_000)
  const line = [...Array(6).fill(10), 20, ...unknown(6), 30]
  expect(trends.of(1, 'cpu', 365_000)).toEqual([...unknown(106), ...line])
  expect(trends.of(1, 'cpu', 665_000)).toEqual([...unknown(46), ...line, ...unknown(60)])
  expect(trends.of(1, 'cpu', 960_000)).toEqual([30, ...unknown(119)])
  expect(trends.of(1, 'cpu', 965_000)).toEqual([])
  // A step of the history in which the server fell silent is cut by whoever fills it in; nothing is left of a step after that.
  trends.fill(1, 'memory', 5, 300_000, 10_000)
  trends.fill(1, 'memory', 6, 330_000, -20_000)
  expect(trends.of(1, 'memory', 305_000)).toEqual([...unknown(118), 5, 5])
})

test('the view names records and finds what refers to them, until they change', async () => {
  const { records, route, view } = await setUp()
  route('GET server-group', [{ group: { id: 3, name: 'web' }, servers: [1, 2] }])
  expect(view.referring('server-group', 'servers', 1)).toEqual([])
  const groups: unknown[] = []
  observe(() => {
    groups.push(server.derived.groups!(records.row$('server', 1).get()!, view))
  })
  await records.load('server-group')
  expect(groups).toEqual([[], [3]])
  expect([view.title('server', 1), view.title('server', 9), view.title('ddns', 1)]).toEqual(['web-1', null, null])
  expect(view.all('server')).toBe(view.all('server'))
  records.forget('server-group', [3])
  expect(view.referring('server-group', 'servers', 1)).toEqual([])
})
