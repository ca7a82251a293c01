import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createTestFeed, type Frame, type TestFeed } from '../../../../../tests/support/server/feed.ts'
import { liveProtocol } from './live-sockets.ts'

let feed: TestFeed
beforeEach(async () => {
  feed = await createTestFeed()
})
afterEach(() => feed.close())

describe('full frames', () => {
  test('come at once and every 2 s, with a ping after every fourth', async () => {
    await feed.threeServers()
    const client = await feed.open('admin')
    expect(await client.frame(0)).toMatchObject({ online: 1, servers: [{ name: 'web', public_note: 'note' }, {}, {}] })
    for (let index = 1; index < 4; index += 1) {
      await feed.clock.advance(2000)
      const { servers } = await client.frame(index)
      expect(servers![0]).not.toHaveProperty('public_note')
    }
    await expect.poll(client.pings).toBe(1)
    expect(client.frames[3]!.now - client.frames[0]!.now).toBe(6000)
  })

  test('issue 12: of a server that is gone visitors learn when it was last heard', async () => {
    const { web } = await feed.threeServers()
    const seen = new Date(feed.clock.now()).toISOString()
    const client = await feed.open(null)
    expect((await client.frame(0)).servers![0]).not.toHaveProperty('last_seen_at')
    feed.live.silent(web.id)
    await feed.clock.advance(2000)
    expect((await client.frame(1)).servers![0]).toMatchObject({
      last_active: '0001-01-01T00:00:00Z',
      last_seen_at: seen,
    })
  })
})

describe('S-32', () => {
  const namesOf = (frame: Frame) => frame.servers?.map(({ name }) => name)

  test('guests see neither hidden servers nor versions; members their own in full', async () => {
    await feed.threeServers()
    const guest = await (await feed.open(null)).frame(0)
    expect(namesOf(guest)).toEqual(['web'])
    expect(guest.servers![0]!.host).toEqual({ platform: 'debian', mem_total: 100, boot_time: 1 })
    const member = await (await feed.open('alice')).frame(0)
    expect(namesOf(member)).toEqual(['web', 'alice-1'])
    expect(member.servers!.map(({ host }) => 'version' in (host as object))).toEqual([false, true])
    expect(namesOf(await (await feed.open('admin')).frame(0))).toEqual(['web', 'db', 'alice-1'])
  })

  test('a late change of owner or of visibility is respected within one tick, full and changes only', async () => {
    const { web, own } = await feed.threeServers()
    const full = await feed.open('alice')
    const changes = await feed.open('alice', [liveProtocol])
    const guest = await feed.open(null, [liveProtocol])
    expect(namesOf(await changes.frame(0))).toEqual(['web', 'alice-1'])
    await guest.frame(0)
    await feed.base.servers.update(own.id, (row) => ({ ...row, owner_id: feed.base.admin.id }))
    await feed.base.servers.update(web.id, (row) => ({ ...row, hide_for_guest: true }))
    feed.live.reportState(own.id, { cpu: 99 })
    await feed.clock.advance(2000)
    expect(namesOf(await full.frame(1))).toBeUndefined()
    expect(await changes.frame(1)).toMatchObject({ gone: expect.arrayContaining([web.id, own.id]) })
    expect(await guest.frame(1)).toEqual({ now: expect.any(Number), gone: [web.id] })
    for (const client of [changes, guest]) expect(await client.frame(2)).toEqual({ now: expect.any(Number) })
    await feed.base.servers.update(own.id, (row) => ({ ...row, owner_id: feed.base.member.id }))
    await feed.clock.advance(250)
    expect(await changes.frame(3)).toMatchObject({ servers: [{ id: own.id, host: { version: '2.3.3' } }] })
    feed.live.reportState(own.id, { cpu: 1 })
    await feed.clock.advance(250)
    expect((await changes.frame(4)).samples).toHaveLength(1)
    expect(guest.frames).toHaveLength(3)
  })

  test('a forced sign-in refuses guests', async () => {
    await feed.base.settings.put({ ...feed.base.settings.get(), force_auth: true })
    await expect(feed.open(null)).rejects.toThrow('Unexpected server response: 200')
    await (await feed.open('alice')).frame(0)
  })
})

describe('S-20', () => {
  test.each(['http://evil.example', 'null', 'http://127.0.0.1:1'])(
    'an upgrade from origin %s is refused',
    async (origin) => {
      const ws = new WebSocket(`ws://127.0.0.1:${feed.port}/api/v1/ws/server`, { headers: { origin } })
      const status = await new Promise((resolve) => {
        ws.once('unexpected-response', (_request, response) => resolve(response.statusCode))
      })
      ws.on('error', () => undefined).terminate()
      expect(status).toBe(403)
    },
  )

  test('the same host is accepted whatever its scheme', async () => {
    await feed.open(null, [], { origin: `https://127.0.0.1:${feed.port}` })
  })
})

test('sockets of a session close when it ends (S-06, S-07)', async () => {
  const member = await feed.open('alice')
  const admin = await feed.open('admin')
  feed.base.sockets.endSession('session of alice', 'signed out')
  expect(await member.closed).toEqual({ code: 1008, reason: 'signed out' })
  expect(admin.ws.readyState).toBe(WebSocket.OPEN)
})

test('a plain request on the route is refused', async () => {
  const answer = await fetch(`http://127.0.0.1:${feed.port}/api/v1/ws/server`)
  expect(answer.status).toBe(400)
})

test('issue 14: who comes and who leaves is told to those who are signed in: their list of who is connected is out of date', async () => {
  const watcher = await feed.open('alice', [liveProtocol])
  const visitor = await feed.open(null, [liveProtocol])
  await feed.clock.advance(250)
  await expect.poll(() => watcher.online).toEqual([1, 2])
  visitor.ws.close()
  await visitor.closed
  await expect
    .poll(async () => {
      await feed.clock.advance(250)
      return watcher.online
    })
    .toEqual([1, 2, 2])
  expect(visitor.online).toEqual([])
})
