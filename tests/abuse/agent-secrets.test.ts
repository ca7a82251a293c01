import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { connectPeer, credentials, type Peer } from '../support/peers/h2-peer.ts'
import { startProgram } from '../support/program.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

let clock: FakeClock
let world: World
beforeEach(async () => {
  clock = createFakeClock()
  world = await createWorld({ clock })
})
afterEach(() => world.close())

const elsewhere = '127.0.0.7'
const blocked = 'you were blocked by nezha WAF'
const refused = '客户端认证失败'

/** What a call with these credentials ends with; null if it is let in. */
async function ask(peer: Peer, secret: string, uuid: string): Promise<string | null> {
  const call = peer.open('ReportSystemInfo2', credentials(secret, uuid))
  call.send('')
  call.halfClose()
  const { status, text } = await call.take((event) => event.event === 'trailers')
  return status === 0 ? null : text
}

/** Many guesses; returns what the calls ended with. A connection is good for fifteen (S-53). */
async function guess(from: string, count: number, uuid: (n: number) => string): Promise<(string | null)[]> {
  const told: (string | null)[] = []
  while (told.length < count) {
    const peer = await connectPeer({ port: world.port, from })
    for (let left = 15; left > 0 && told.length < count; left -= 1)
      told.push(await ask(peer, `wrong secret ${told.length}`, uuid(told.length)))
    peer.destroy()
  }
  return told
}

const rows = async () => {
  await world.server.container.firewall.settled()
  return world.server.container.db.selectFrom('waf').selectAll().execute()
}

describe('S-38 100 wrong agent secrets', () => {
  test.each([
    ['with a valid uuid', uuidOf, refused],
    ['without a valid uuid', (n: number) => `no uuid ${n}`, '客户端 UUID 不合法'],
  ])('%s are blocked, reason 3, identifier -127', async (_name, uuid, first) => {
    const told = await guess(elsewhere, 100, uuid)
    expect(told).toEqual([first, ...Array(99).fill(blocked)])
    const row = { ip: elsewhere, block_identifier: -127, block_reason: 3, count: 1 }
    expect(await rows()).toEqual([{ ...row, block_timestamp: clock.now() / 1000, note: '', blocked_until: null }])
    const peer = await connectPeer({ port: world.port, from: elsewhere })
    expect(await ask(peer, siteSecret, uuidOf(1))).toBe(blocked)
    peer.destroy()
  })

  test('each failure multiplies the wait, requests meanwhile do not, and the right secret ends it', async () => {
    const peer = await connectPeer({ port: world.port, from: elsewhere })
    for (const seconds of [3, 16, 81, 256, 625]) {
      expect(await ask(peer, 'wrong', uuidOf(1))).toBe(refused)
      clock.set(clock.now() + seconds * 1000 - 1)
      expect(await ask(peer, 'wrong', uuidOf(1))).toBe(blocked)
      clock.set(clock.now() + 1)
    }
    expect(await rows()).toMatchObject([{ count: 5 }])
    expect(await ask(peer, siteSecret, uuidOf(1))).toBeNull()
    expect(await rows()).toEqual([])
    peer.destroy()
  })

  test('the block holds for the web from that address, for no other, and after a restart', async () => {
    const peer = await connectPeer({ port: world.port, from: elsewhere })
    await ask(peer, 'wrong', uuidOf(1))
    peer.destroy()
    for (const path of ['/', '/dashboard/', '/api/v1/server', '/healthz']) {
      const answer = await world.guest().send('GET', path, { from: elsewhere })
      expect(answer).toMatchObject({ status: 403, headers: { 'content-type': 'text/html; charset=utf-8' } })
      expect(answer.text).toContain(blocked)
      expect((await world.guest().send('GET', path, { from: '127.0.0.8' })).status).not.toBe(403)
    }
    await world.restart()
    expect((await world.guest().send('GET', '/healthz', { from: elsewhere })).status).toBe(403)
  })

  test('from this machine are blocked too, but its own agent and its console are not', async () => {
    const told = await guess('127.0.0.1', 100, uuidOf)
    expect(told.indexOf(blocked)).toBe(11)
    expect(new Set(told.slice(11))).toEqual(new Set([blocked]))
    expect((await world.guest().send('GET', '/healthz')).status).toBe(200)
    const peer = await connectPeer({ port: world.port })
    expect(await ask(peer, siteSecret, uuidOf(1))).toBeNull()
    expect(await rows()).toEqual([])
    peer.destroy()
  })

  test('"unblock ADDRESS" beside the running server lets the address in again', async () => {
    const peer = await connectPeer({ port: world.port, from: elsewhere })
    expect(await ask(peer, 'wrong', uuidOf(1))).toBe(refused)
    peer.destroy()
    expect(await rows()).toHaveLength(1)
    const unblock = async (...args: string[]) => {
      const program = startProgram(['unblock', ...args, '--data', world.data])
      return { code: await program.ended, ...program.output }
    }
    expect(await unblock(elsewhere)).toEqual({ code: 0, out: `${elsewhere}: unblocked\n`, errors: '' })
    expect(await unblock(elsewhere)).toMatchObject({ code: 0, out: `${elsewhere}: was not blocked\n` })
    expect(await unblock('example.org')).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/missing argument: an address/),
    })
    const again = await connectPeer({ port: world.port, from: elsewhere })
    await expect.poll(() => ask(again, siteSecret, uuidOf(1))).toBeNull()
    again.destroy()
  })
})

test('S-37 an agent that presents the uuid of somebody else’s server is refused and counted, and the server stays whose it is', async () => {
  const [alice, bob] = [await world.member('alice'), await world.member('bob')]
  const own = await world.agent({ uuid: uuidOf(37), secret: bob.secret })
  const peer = await connectPeer({ port: world.port, from: elsewhere })
  expect(await ask(peer, alice.secret, uuidOf(37))).toBe('client UUID does not belong to the agent secret owner')
  expect(await rows()).toMatchObject([{ ip: elsewhere, block_identifier: -127, block_reason: 3, count: 1 }])
  const { servers, agents } = world.server.container
  const row = servers.byUuid(own.uuid)!
  expect([row.owner_id, agents.connected(row.id)]).toEqual([bob.id, true])
  expect(await alice.browser.api('GET', 'server')).toBeNull()
  peer.destroy()
})
