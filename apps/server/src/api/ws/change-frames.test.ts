import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestFeed, type TestFeed, testHost } from '../../../../../tests/support/server/feed.ts'
import { liveProtocol } from './live-sockets.ts'

let feed: TestFeed
beforeEach(async () => {
  feed = await createTestFeed()
})
afterEach(() => feed.close())

describe('changes only', () => {
  const start = async () => {
    const servers = await feed.threeServers()
    const client = await feed.open('admin', [liveProtocol])
    expect(client.ws.protocol).toBe(liveProtocol)
    return { ...servers, client, first: await client.frame(0) }
  }

  test('the first frame has every row with the figures that samples are added to', async () => {
    const { first, web } = await start()
    expect(first).toMatchObject({ reset: true, online: 1 })
    expect(first.servers).toHaveLength(3)
    expect(first.servers![0]).toEqual({
      id: web.id,
      name: 'web',
      display_index: 5,
      public_note: 'note',
      host: testHost,
      state: { cpu: 12.34, mem_used: 50 },
      geoip: { ip: {} },
      last_active: new Date(feed.clock.now()).toISOString(),
      maintenance_until: null,
      next_maintenance: null,
      last_seen_at: new Date(feed.clock.now()).toISOString(),
      pressure: { since: null },
      watched: {},
      figures: [feed.clock.now(), 123, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    })
  })

  test('samples of 250 ms are merged into one frame of differences', async () => {
    const { client, web, own } = await start()
    feed.live.reportState(web.id, { cpu: 20, mem_used: 60 })
    await feed.clock.advance(100)
    feed.live.reportState(web.id, { cpu: 20.04, mem_used: 40, load_1: 1.5 })
    feed.live.reportState(own.id, { cpu: 12.34, mem_used: 50 })
    expect(client.frames).toHaveLength(1)
    await feed.clock.advance(150)
    expect(await client.frame(1)).toEqual({
      now: feed.clock.now(),
      samples: [
        [web.id, 100, 77, -10, 0, 0, 0, 0, 0, 0, 0, 150],
        [own.id, 100],
      ],
    })
  })

  test('an agent that goes is one figure; a new host, name or sensor has its own key', async () => {
    const { client, web, hidden } = await start()
    feed.live.silent(web.id)
    await feed.clock.advance(250)
    expect((await client.frame(1)).samples).toEqual([[web.id, -(feed.clock.now() - 250)]])
    feed.live.reportHost(web.id, { ...testHost, version: '2.4.0' })
    feed.live.reportState(hidden.id, { cpu: 12.34, mem_used: 50, temperatures: [{ Name: 'cpu', Temperature: 40 }] })
    await feed.clock.advance(250)
    expect(await client.frame(2)).toMatchObject({
      servers: [{ id: web.id, host: { version: '2.4.0' }, last_active: null }],
      sensors: [{ id: hidden.id, temperatures: [{ Name: 'cpu', Temperature: 40 }], gpu: [] }],
      samples: [[hidden.id, 250]],
    })
    await feed.base.servers.remove([web.id])
    await feed.clock.advance(250)
    expect(await client.frame(3)).toMatchObject({
      gone: [web.id],
      records: [{ resource: 'server', ids: [web.id], version: client.frames[0]!.versions!.server! + 1 }],
    })
  })

  test('records and runs are told to those who may read them', async () => {
    const { client } = await start()
    const member = await feed.open('alice', [liveProtocol])
    const guest = await feed.open(null, [liveProtocol])
    await member.frame(0)
    const task = await feed.base.addCron()
    const own = await feed.base.addCron({ owner_id: feed.base.member.id })
    const counts = { waiting: 0, sent: 1, running: 0, success: 0, failure: 0, no_answer: 0 }
    feed.progress({ id: 7, ownerId: feed.base.member.id, counts, finishedAt: null, rollout: null, changedCron: 0 })
    feed.progress({
      id: 7,
      ownerId: feed.base.member.id,
      counts: { ...counts, sent: 0, success: 1 },
      finishedAt: feed.clock.now(),
      rollout: null,
      changedCron: own.id,
    })
    const rollout = { canary: 1, batch: 2, soak: 0, max_failures: 0, state: 'paused' } as const
    feed.progress({ id: 8, ownerId: feed.base.admin.id, counts, finishedAt: null, rollout, changedCron: 0 })
    await feed.clock.advance(250)
    const runs = [
      {
        id: 7,
        counts: { ...counts, sent: 0, success: 1 },
        finished_at: new Date(feed.clock.now() - 250).toISOString(),
      },
      { id: 8, counts, finished_at: null, rollout },
    ]
    expect(await client.frame(1)).toMatchObject({ records: [{ resource: 'cron', ids: [task.id, own.id] }], runs })
    expect(await member.frame(1)).toMatchObject({ records: [{ resource: 'cron', ids: [own.id] }], runs: [runs[0]] })
    await feed.base.settings.put({ ...feed.base.settings.get(), site_name: 'x' })
    await feed.clock.advance(250)
    expect(await member.frame(2)).toMatchObject({ records: [{ resource: 'setting', ids: [1] }] })
    expect(guest.frames).toHaveLength(1)
  })

  test('issue 36.28 a quiet feed says so every beat that its first frame promises', async () => {
    const { client, first } = await start()
    expect(first).toMatchObject({ beat: 2000 })
    await feed.clock.advance(1900)
    expect(client.frames).toHaveLength(1)
    await feed.clock.advance(200)
    expect(await client.frame(1)).toEqual({ now: expect.any(Number) })
    await feed.clock.advance(2000)
    expect(await client.frame(2)).toEqual({ now: expect.any(Number) })
  })

  test('1,000 servers take less than 76 KB per 2 s', async () => {
    let seed = 1
    const random = (most: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % most
    }
    const ids = await Promise.all(Array.from({ length: 1000 }, async () => (await feed.base.addServer()).id))
    const counters = new Map(ids.map((id) => [id, { in: random(1e12), out: random(1e12) }]))
    const report = (id: number) => {
      const counter = counters.get(id)!
      const [netIn, netOut] = [random(2e6), random(2e6)]
      counter.in += netIn * 3
      counter.out += netOut * 3
      feed.live.reportState(id, {
        cpu: random(10_000) / 100,
        mem_used: 4e9 + random(5e8),
        disk_used: 5e10 + random(1e6) * 4096,
        net_in_transfer: counter.in,
        net_out_transfer: counter.out,
        net_in_speed: netIn,
        net_out_speed: netOut,
        uptime: Math.floor(feed.clock.now() / 1000),
        load_1: random(400) / 100,
        load_5: random(400) / 100,
        load_15: random(400) / 100,
        tcp_conn_count: 100 + random(50),
        udp_conn_count: 10,
        process_count: 200 + random(20),
      })
    }
    for (const id of ids) report(id)
    const client = await feed.open('admin', [liveProtocol])
    let bytes = 0
    client.ws.on('message', (data: Buffer) => {
      bytes += data.length
    })
    await client.frame(0)
    bytes = 0
    // Each server reports every 3 s, spread evenly: 12 s.
    for (let step = 0; step < 12; step += 1) {
      for (const id of ids) if (id % 3 === step % 3) report(id)
      await feed.clock.advance(1000)
    }
    await expect.poll(() => client.frames.at(-1)!.now).toBeGreaterThanOrEqual(feed.clock.now() - 1000)
    expect(bytes / 6).toBeLessThan(76 * 1024)
  })
})

test('a slow reader is left out until it has caught up, and then gets everything', async () => {
  const ids = await Promise.all(Array.from({ length: 300 }, async () => (await feed.base.addServer()).id))
  const client = await feed.open('admin', [liveProtocol])
  await client.frame(0)
  const socket = (client.ws as unknown as { _socket: import('node:net').Socket })._socket
  socket.pause()
  const load = (cpu: number) => {
    for (const id of ids) feed.live.reportHost(id, { cpu: [`${'x'.repeat(20_000)} ${cpu}`] })
  }
  for (let round = 0; round < 4; round += 1) {
    load(round)
    await feed.clock.advance(250)
  }
  feed.live.reportState(ids[0]!, { cpu: 50 })
  await feed.clock.advance(250)
  const before = client.frames.length
  socket.resume()
  await expect
    .poll(async () => {
      await feed.clock.advance(2000)
      return client.frames.slice(before).some(({ reset }) => reset === true)
    })
    .toBe(true)
  expect(client.frames.length).toBeLessThan(7 + 10)
  const last = client.frames.findLast(({ reset }) => reset === true)!
  expect(last.servers!.find(({ id }) => id === ids[0])!.state).toEqual({ cpu: 50 })
})

test('a reader that never catches up is dropped after 30 s', async () => {
  const ids = await Promise.all(Array.from({ length: 300 }, async () => (await feed.base.addServer()).id))
  const client = await feed.open('admin', [liveProtocol])
  await client.frame(0)
  ;(client.ws as unknown as { _socket: import('node:net').Socket })._socket.pause()
  for (let round = 0; round < 4; round += 1) {
    for (const id of ids) feed.live.reportHost(id, { cpu: [`${'x'.repeat(20_000)} ${round}`] })
    await feed.clock.advance(250)
  }
  await feed.clock.advance(40_000)
  const next = await feed.open('admin')
  expect((await next.frame(0)).online).toBe(1)
})
