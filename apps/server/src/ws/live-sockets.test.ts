import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { RunProgress } from '../jobs/open-runs.ts'
import { createLiveStore, type LiveStore } from '../live/live-store.ts'
import { createPort, type Port } from '../net/port.ts'
import type { Caller } from '../services.ts'
import { callerFor, createTestBase, type TestBase } from '../testing/test-base.ts'
import { createTestClock, type TestClock } from '../testing/test-clock.ts'
import { createLiveSockets, type LiveSockets, liveProtocol } from './live-sockets.ts'
import { createUpgrades } from './upgrades.ts'

let clock: TestClock
let base: TestBase
let live: LiveStore
let sockets: LiveSockets
let port: Port
let progress: (run: RunProgress) => void
let clients: WebSocket[]

beforeEach(async () => {
  clock = createTestClock()
  const guest: Caller = { viewer: { id: null, username: '', role: 1, scopes: null }, session: null, address: '' }
  base = await createTestBase(clock, ({ headers }) => {
    const user = base.accounts.byName(String(headers['x-user']))
    return user ? callerFor(user) : guest
  })
  live = createLiveStore(base)
  sockets = createLiveSockets(base, live, (listen) => {
    progress = listen
  })
  const upgrades = createUpgrades(base, sockets)
  port = await createPort({
    host: '127.0.0.1',
    port: 0,
    http: (request, response) => void upgrades.answerPlain(request, response),
    upgrade: (request, socket, head) => void upgrades.accept(request, socket, head),
    grpc: (socket) => socket.destroy(),
  })
  await sockets.engine.start()
  clients = []
})
afterEach(async () => {
  for (const ws of clients) ws.terminate()
  await sockets.engine.stop()
  await port.close()
  await base.close()
})

type Frame = Record<string, unknown> & {
  versions?: Record<string, number>
  servers?: Record<string, unknown>[]
  samples?: number[][]
  now: number
}

/** A client that collects frames and pings. */
async function open(user: string | null, protocols: string[] = []) {
  const ws = new WebSocket(`ws://127.0.0.1:${port.address.port}/api/v1/ws/server`, protocols, {
    headers: user ? { 'x-user': user } : {},
  })
  clients.push(ws)
  const frames: Frame[] = []
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    ws.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  )
  let pings = 0
  ws.on('message', (data) => frames.push(JSON.parse(String(data))))
  ws.on('ping', () => {
    pings += 1
  })
  await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject))
  const frame = async (index: number) => {
    await expect.poll(() => frames.length).toBeGreaterThan(index)
    return frames[index]!
  }
  return { ws, frames, frame, closed, pings: () => pings }
}

const host = { platform: 'debian', platform_version: '12', mem_total: 100, boot_time: 1, version: '2.3.3' }

/** Three servers as in the recordings: public, hidden, and the member's own. */
async function threeServers() {
  const web = await base.addServer({ name: 'web', display_index: 5, public_note: 'note', owner_id: base.admin.id })
  const hidden = await base.addServer({ name: 'db', hide_for_guest: true, owner_id: base.admin.id })
  const own = await base.addServer({ name: 'alice-1', hide_for_guest: true, owner_id: base.member.id })
  for (const { id } of [web, hidden, own]) {
    live.reportHost(id, host)
    live.reportState(id, { cpu: 12.34, mem_used: 50 })
  }
  return { web, hidden, own }
}

describe('full frames', () => {
  test('come at once and every 2 s, with a ping after every fourth', async () => {
    await threeServers()
    const client = await open('admin')
    expect(await client.frame(0)).toMatchObject({ online: 1, servers: [{ name: 'web', public_note: 'note' }, {}, {}] })
    for (let index = 1; index < 4; index += 1) {
      await clock.advance(2000)
      const { servers } = await client.frame(index)
      expect(servers![0]).not.toHaveProperty('public_note')
    }
    await expect.poll(client.pings).toBe(1)
    expect(client.frames[3]!.now - client.frames[0]!.now).toBe(6000)
  })
})

describe('S-32', () => {
  const namesOf = (frame: Frame) => frame.servers?.map(({ name }) => name)

  test('guests see neither hidden servers nor versions; members their own in full', async () => {
    await threeServers()
    const guest = await (await open(null)).frame(0)
    expect(namesOf(guest)).toEqual(['web'])
    expect(guest.servers![0]!.host).toEqual({ platform: 'debian', mem_total: 100, boot_time: 1 })
    const member = await (await open('alice')).frame(0)
    expect(namesOf(member)).toEqual(['web', 'alice-1'])
    expect(member.servers!.map(({ host }) => 'version' in (host as object))).toEqual([false, true])
    expect(namesOf(await (await open('admin')).frame(0))).toEqual(['web', 'db', 'alice-1'])
  })

  test('a late change of owner or of visibility is respected within one tick, full and changes only', async () => {
    const { web, own } = await threeServers()
    const full = await open('alice')
    const changes = await open('alice', [liveProtocol])
    const guest = await open(null, [liveProtocol])
    expect(namesOf(await changes.frame(0))).toEqual(['web', 'alice-1'])
    await guest.frame(0)
    await base.servers.update(own.id, (row) => ({ ...row, owner_id: base.admin.id }))
    await base.servers.update(web.id, (row) => ({ ...row, hide_for_guest: true }))
    live.reportState(own.id, { cpu: 99 })
    await clock.advance(2000)
    expect(namesOf(await full.frame(1))).toBeUndefined()
    expect(await changes.frame(1)).toMatchObject({ gone: expect.arrayContaining([web.id, own.id]) })
    expect(await guest.frame(1)).toEqual({ now: expect.any(Number), gone: [web.id] })
    await base.servers.update(own.id, (row) => ({ ...row, owner_id: base.member.id }))
    await clock.advance(2000)
    expect(await changes.frame(2)).toMatchObject({ servers: [{ id: own.id, host: { version: '2.3.3' } }] })
    live.reportState(own.id, { cpu: 1 })
    await clock.advance(2000)
    expect((await changes.frame(3)).samples).toHaveLength(1)
    expect(guest.frames).toHaveLength(2)
  })

  test('a forced sign-in refuses guests', async () => {
    await base.settings.put({ ...base.settings.get(), force_auth: true })
    await expect(open(null)).rejects.toThrow('Unexpected server response: 200')
    await (await open('alice')).frame(0)
  })
})

describe('S-20', () => {
  test.each(['http://evil.example', 'null', 'http://127.0.0.1:1'])(
    'an upgrade from origin %s is refused',
    async (origin) => {
      const ws = new WebSocket(`ws://127.0.0.1:${port.address.port}/api/v1/ws/server`, { headers: { origin } })
      const status = await new Promise((resolve) => {
        ws.once('unexpected-response', (_request, response) => resolve(response.statusCode))
      })
      ws.on('error', () => undefined).terminate()
      expect(status).toBe(403)
    },
  )

  test('the same host is accepted whatever its scheme', async () => {
    const { port: number } = port.address
    const ws = new WebSocket(`ws://127.0.0.1:${number}/api/v1/ws/server`, {
      headers: { origin: `https://127.0.0.1:${number}` },
    })
    clients.push(ws)
    await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject))
  })
})

describe('changes only', () => {
  const start = async () => {
    const servers = await threeServers()
    const client = await open('admin', [liveProtocol])
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
      host,
      state: { cpu: 12.34, mem_used: 50 },
      geoip: { ip: {} },
      last_active: new Date(clock.now()).toISOString(),
      last_seen_at: new Date(clock.now()).toISOString(),
      figures: [clock.now(), 123, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    })
  })

  test('samples of 250 ms are merged into one frame of differences', async () => {
    const { client, web, own } = await start()
    live.reportState(web.id, { cpu: 20, mem_used: 60 })
    await clock.advance(100)
    live.reportState(web.id, { cpu: 20.04, mem_used: 40, load_1: 1.5 })
    live.reportState(own.id, { cpu: 12.34, mem_used: 50 })
    expect(client.frames).toHaveLength(1)
    await clock.advance(150)
    expect(await client.frame(1)).toEqual({
      now: clock.now(),
      samples: [
        [web.id, 100, 77, -10, 0, 0, 0, 0, 0, 0, 0, 150],
        [own.id, 100],
      ],
    })
  })

  test('an agent that goes is one figure; a new host, name or sensor has its own key', async () => {
    const { client, web, hidden } = await start()
    live.silent(web.id)
    await clock.advance(250)
    expect((await client.frame(1)).samples).toEqual([[web.id, -(clock.now() - 250)]])
    live.reportHost(web.id, { ...host, version: '2.4.0' })
    live.reportState(hidden.id, { cpu: 12.34, mem_used: 50, temperatures: [{ Name: 'cpu', Temperature: 40 }] })
    await clock.advance(250)
    expect(await client.frame(2)).toMatchObject({
      servers: [{ id: web.id, host: { version: '2.4.0' }, last_active: null }],
      sensors: [{ id: hidden.id, temperatures: [{ Name: 'cpu', Temperature: 40 }], gpu: [] }],
      samples: [[hidden.id, 250]],
    })
    await base.servers.remove([web.id])
    await clock.advance(250)
    expect(await client.frame(3)).toMatchObject({
      gone: [web.id],
      records: [{ resource: 'server', ids: [web.id], version: client.frames[0]!.versions!.server! + 1 }],
    })
  })

  test('records and runs are told to those who may read them', async () => {
    const { client } = await start()
    const member = await open('alice', [liveProtocol])
    const guest = await open(null, [liveProtocol])
    await member.frame(0)
    const task = await base.addCron()
    const own = await base.addCron({ owner_id: base.member.id })
    const counts = { sent: 1, running: 0, success: 0, failure: 0, no_answer: 0 }
    progress({ id: 7, ownerId: base.member.id, counts, finishedAt: null })
    progress({ id: 7, ownerId: base.member.id, counts: { ...counts, sent: 0, success: 1 }, finishedAt: clock.now() })
    progress({ id: 8, ownerId: base.admin.id, counts, finishedAt: null })
    await clock.advance(250)
    const runs = [
      { id: 7, counts: { ...counts, sent: 0, success: 1 }, finished_at: new Date(clock.now() - 250).toISOString() },
      { id: 8, counts, finished_at: null },
    ]
    expect(await client.frame(1)).toMatchObject({ records: [{ resource: 'cron', ids: [task.id, own.id] }], runs })
    expect(await member.frame(1)).toMatchObject({ records: [{ resource: 'cron', ids: [own.id] }], runs: [runs[0]] })
    await base.settings.put({ ...base.settings.get(), site_name: 'x' })
    await clock.advance(250)
    expect(await member.frame(2)).toMatchObject({ records: [{ resource: 'setting', ids: [1] }] })
    expect(guest.frames).toHaveLength(1)
  })

  test('a quiet feed says so every 10 s', async () => {
    const { client } = await start()
    await clock.advance(9000)
    expect(client.frames).toHaveLength(1)
    await clock.advance(2000)
    expect(await client.frame(1)).toEqual({ now: expect.any(Number) })
  })

  test('1,000 servers take less than 76 KB per 2 s', async () => {
    let seed = 1
    const random = (most: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % most
    }
    const ids = await Promise.all(Array.from({ length: 1000 }, async () => (await base.addServer()).id))
    const counters = new Map(ids.map((id) => [id, { in: random(1e12), out: random(1e12) }]))
    const report = (id: number) => {
      const counter = counters.get(id)!
      const [netIn, netOut] = [random(2e6), random(2e6)]
      counter.in += netIn * 3
      counter.out += netOut * 3
      live.reportState(id, {
        cpu: random(10_000) / 100,
        mem_used: 4e9 + random(5e8),
        disk_used: 5e10 + random(1e6) * 4096,
        net_in_transfer: counter.in,
        net_out_transfer: counter.out,
        net_in_speed: netIn,
        net_out_speed: netOut,
        uptime: Math.floor(clock.now() / 1000),
        load_1: random(400) / 100,
        load_5: random(400) / 100,
        load_15: random(400) / 100,
        tcp_conn_count: 100 + random(50),
        udp_conn_count: 10,
        process_count: 200 + random(20),
      })
    }
    for (const id of ids) report(id)
    const client = await open('admin', [liveProtocol])
    let bytes = 0
    client.ws.on('message', (data: Buffer) => {
      bytes += data.length
    })
    await client.frame(0)
    bytes = 0
    // Each server reports every 3 s, spread evenly: 12 s.
    for (let step = 0; step < 12; step += 1) {
      for (const id of ids) if (id % 3 === step % 3) report(id)
      await clock.advance(1000)
    }
    await expect.poll(() => client.frames.at(-1)!.now).toBeGreaterThanOrEqual(clock.now() - 1000)
    expect(bytes / 6).toBeLessThan(76 * 1024)
  })
})

test('sockets of a session close when it ends (S-06, S-07)', async () => {
  const member = await open('alice')
  const admin = await open('admin')
  base.sockets.endSession('session of alice', 'signed out')
  expect(await member.closed).toEqual({ code: 1008, reason: 'signed out' })
  expect(admin.ws.readyState).toBe(WebSocket.OPEN)
})

test('a slow reader is left out until it has caught up, and then gets everything', async () => {
  const ids = await Promise.all(Array.from({ length: 300 }, async () => (await base.addServer()).id))
  const client = await open('admin', [liveProtocol])
  await client.frame(0)
  const socket = (client.ws as unknown as { _socket: import('node:net').Socket })._socket
  socket.pause()
  const load = (cpu: number) => {
    for (const id of ids) live.reportHost(id, { cpu: [`${'x'.repeat(20_000)} ${cpu}`] })
  }
  for (let round = 0; round < 4; round += 1) {
    load(round)
    await clock.advance(250)
  }
  live.reportState(ids[0]!, { cpu: 50 })
  await clock.advance(250)
  const before = client.frames.length
  socket.resume()
  await expect
    .poll(async () => {
      await clock.advance(2000)
      return client.frames.slice(before).some(({ reset }) => reset === true)
    })
    .toBe(true)
  expect(client.frames.length).toBeLessThan(7 + 10)
  const last = client.frames.findLast(({ reset }) => reset === true)!
  expect(last.servers!.find(({ id }) => id === ids[0])!.state).toEqual({ cpu: 50 })
})

test('a plain request on the route is refused', async () => {
  const answer = await fetch(`http://127.0.0.1:${port.address.port}/api/v1/ws/server`)
  expect(answer.status).toBe(400)
})
