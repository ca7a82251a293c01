import { terminalProtocol } from '@qd/protocol/stream-close'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Browser } from '../support/browser.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { openStreamSocket } from '../support/peers/stream-socket.ts'
import { createShellWorld, type ShellWorld } from '../support/shell-world.ts'
import { askForShell, attachAgent, openShell } from '../support/shells.ts'
import type { World } from '../support/world.ts'

let parts: ShellWorld
let world: World
let browser: Browser
let alice: ShellWorld['alice']
let agent: SimulatedAgent
let ofAlice: SimulatedAgent
const { idOf, open }: Pick<ShellWorld, 'idOf' | 'open'> = {
  idOf: (of) => parts.idOf(of),
  open: (isOurs) => parts.open(isOurs),
}
const ours = [terminalProtocol]
const streams = () => world.server.container.streams

beforeAll(async () => {
  parts = await createShellWorld()
  ;({ world, browser, alice, agent, ofAlice } = parts)
})
afterAll(() => world.close())
afterEach(() => {
  streams().end(() => true, 'revoked')
  expect(streams().count()).toBe(0)
})

describe('S-20 the websocket of a shell', () => {
  test.each(['http://evil.example', 'null', 'http://127.0.0.1:1'])('with the origin %s is refused', async (Origin) => {
    const id = await askForShell(browser, idOf(agent))
    await agent.nextTask()
    for (const protocols of [[], ours])
      await expect(openStreamSocket(world, id, { browser, protocols, headers: { Origin } })).rejects.toThrow(
        '403 Forbidden',
      )
  })

  test('with the own origin is not', async () => {
    const Origin = `http://127.0.0.1:${world.port}`
    const { socket } = await openShell(world, { browser, serverId: idOf(agent), agent, headers: { Origin } })
    socket.leave()
    await vi.waitFor(() => expect(streams().count()).toBe(0), 30_000)
  })
})

describe('S-31 the id of a stream', () => {
  test('has 128 random bits in the form of a UUID', async () => {
    const ids: string[] = []
    for (let index = 0; index < 20; index += 1) {
      ids.push(await askForShell(browser, idOf(agent)))
      await agent.nextTask()
    }
    expect(ids.every((id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))).toBe(true)
    // Every bit differs somewhere: none is fixed by a version or a variant.
    const bits = ids.map((id) => BigInt(`0x${id.replaceAll('-', '')}`))
    const [ever, always] = [bits.reduce((a, b) => a | b), bits.reduce((a, b) => a & b)]
    expect([ever === 2n ** 128n - 1n, always === 0n]).toEqual([true, true])
  })

  test('of somebody else answers as an unknown one, and stays usable to its owner', async () => {
    const id = await askForShell(browser, idOf(agent))
    const shell = await attachAgent(agent, id)
    const unknown = '00000000-0000-0000-0000-000000000000'
    for (const stolen of [id, unknown]) {
      await expect(openStreamSocket(world, stolen, { browser: alice.browser })).rejects.toThrow(
        '200 {"error":"permission denied"}',
      )
      const told = await openStreamSocket(world, stolen, { browser: alice.browser, protocols: ours })
      expect(await told.closed()).toEqual({ code: 4004, reason: 'unknown' })
      await expect(openStreamSocket(world, stolen, { browser: world.guest() })).rejects.toThrow(
        '200 {"error":"ApiErrorUnauthorized"}',
      )
    }
    const socket = await openStreamSocket(world, id, { browser })
    shell.print('mine')
    expect(await socket.until('mine')).toBe('mine')
  })

  test('is used once: neither while it is open nor after the end does it open anything', async () => {
    const { id, socket } = await open(false)
    await expect(openStreamSocket(world, id, { browser })).rejects.toThrow('permission denied')
    socket.leave()
    await vi.waitFor(() => expect(streams().count()).toBe(0), 30_000)
    await expect(openStreamSocket(world, id, { browser })).rejects.toThrow('permission denied')
  })

  test('an administrator may attach to it', async () => {
    const id = await askForShell(alice.browser, idOf(ofAlice))
    const shell = await attachAgent(ofAlice, id)
    const socket = await openStreamSocket(world, id, { browser })
    shell.print('$ ')
    expect(await socket.until('$ ')).toBe('$ ')
  })

  test('is taken from no other host, and from its own only once', async () => {
    const id = await askForShell(browser, idOf(agent))
    const task = await agent.nextTask()
    const answer = async (from: SimulatedAgent, StreamID: string) =>
      from
        .attach({ ...task, data: JSON.stringify({ StreamID }) })
        .take(({ event }) => event === 'trailers')
        .then((event) => 'text' in event && event.text)
    expect(await answer(ofAlice, id)).toBe('stream not authorized for agent')
    expect(await answer(agent, `${id}x`)).toBe('stream not authorized for agent')
    const first = agent.attach(task)
    await first.take(({ event }) => event === 'response-headers')
    expect(await answer(agent, id)).toBe('agent stream already connected')
  })

  test('is in no line of the log', async () => {
    const { id } = await open()
    await expect(openStreamSocket(world, id, { browser: alice.browser })).rejects.toThrow()
    expect(world.log.filter((line) => line.includes(id))).toEqual([])
  })

  test('a foreign server answers as an unknown one, connected or not', async () => {
    const offline = await world.agent()
    const answers = async (serverId: number) => {
      const { body } = await alice.browser.send('POST', '/api/v1/terminal', { body: { server_id: serverId } })
      return [body.error, body.code]
    }
    const id = idOf(offline)
    const connected = await answers(id)
    offline.vanish()
    await vi.waitFor(() => expect(world.server.container.agents.connected(id)).toBe(false), 30_000)
    expect(await answers(id)).toEqual(connected)
    expect(await answers(99_999)).toEqual(connected)
    expect(connected[0]).toBe('server not found or not connected')
    const refusals = () =>
      world.server.container.db
        .selectFrom('audit')
        .select(['username', 'target'])
        .where('action', '=', 'server shell')
        .where('result', '=', 'refused')
        .execute()
    const target = String(id)
    await vi.waitFor(async () => expect(await refusals()).toContainEqual({ username: 'alice', target }), 30_000)
  })
})

describe('who loses his right loses his shell', () => {
  test('signing out closes it, also one that nobody is attached to', async () => {
    const caller = await world.login()
    const { socket, agent: shell } = await openShell(world, {
      browser: caller,
      serverId: idOf(agent),
      agent,
      ours: true,
    })
    await askForShell(caller, idOf(agent))
    await caller.api('POST', 'logout')
    expect(await socket.closed()).toEqual({ code: 4002, reason: 'revoked' })
    expect(await shell.ended()).toMatchObject({ event: 'trailers', status: 0 })
    expect(streams().count()).toBe(0)
  })

  test('S-07 a new password closes those of the other sign-ins', async () => {
    const carol = await world.member('carol')
    const host = await world.agent({ secret: carol.secret })
    const other = await world.login({ username: 'carol', password: carol.password })
    const mine = await openShell(world, { browser: carol.browser, serverId: idOf(host), agent: host, ours: true })
    const others = await openShell(world, { browser: other, serverId: idOf(host), agent: host, ours: true })
    await carol.browser.api('POST', 'profile', {
      original_password: carol.password,
      new_username: 'carol',
      new_password: 'another good password',
      reject_password: false,
    })
    expect(await others.socket.closed()).toEqual({ code: 4002, reason: 'revoked' })
    mine.agent.print('still here')
    expect(await mine.socket.until('still here')).toBe('still here')
    streams().end(() => true, 'revoked')
  })

  test('deleting the server closes it', async () => {
    const host = await world.agent()
    const { socket } = await openShell(world, { browser, serverId: idOf(host), agent: host, ours: true })
    await browser.api('POST', 'batch-delete/server', [idOf(host)])
    expect(await socket.closed()).toEqual({ code: 4002, reason: 'revoked' })
    expect(streams().count()).toBe(0)
  })

  test('moving the server closes it', async () => {
    const host = await world.agent()
    const { socket } = await openShell(world, { browser, serverId: idOf(host), agent: host, ours: true })
    await browser.api('POST', 'batch-move/server', { ids: [idOf(host)], to_user: alice.id })
    expect(await socket.closed()).toEqual({ code: 4002, reason: 'revoked' })
  })

  test('S-36 a token opens shells as far as its scopes and servers go, and revoking it closes them', async () => {
    const create = async (fields: object) =>
      (await browser.api('POST', 'api-tokens', {
        name: 'key',
        scopes: ['nezha:server:exec'],
        server_ids: [],
        expires_in_days: 1,
        ...fields,
      })) as { id: number; token: string }
    const [full, readOnly, elsewhere] = [
      await create({}),
      await create({ scopes: ['nezha:server:read'] }),
      await create({ server_ids: [idOf(ofAlice)] }),
    ]
    const headersOf = ({ token }: { token: string }) => ({ Authorization: `Bearer ${token}` })
    const guest = world.guest()
    const ask = (token: { token: string }) =>
      guest.send('POST', '/api/v1/terminal', { body: { server_id: idOf(agent) }, headers: headersOf(token) })
    expect((await ask(readOnly)).body.error).toBe('ApiErrorForbidden: api token lacks scope nezha:server:exec')
    expect((await ask(elsewhere)).body.error).toBe('server not found or not connected')
    const { session_id: id } = (await ask(full)).body.data as { session_id: string }
    const shell = await attachAgent(agent, id)
    const attach = (token: { token: string }) =>
      openStreamSocket(world, id, { browser: guest, protocols: ours, headers: headersOf(token) })
    await expect(attach(readOnly)).rejects.toThrow('403 {"error":"ApiErrorForbidden: api token lacks scope')
    expect(await (await attach(elsewhere)).closed()).toEqual({ code: 4004, reason: 'unknown' })
    const socket = await attach(full)
    shell.print('$ ')
    await socket.until('$ ')
    await browser.api('DELETE', `api-tokens/${full.id}`)
    expect(await socket.closed()).toEqual({ code: 4002, reason: 'revoked' })
  })

  test('an administrator attached to it is closed with his own sign-in', async () => {
    const id = await askForShell(alice.browser, idOf(ofAlice))
    await attachAgent(ofAlice, id)
    const visitor = await world.login()
    const socket = await openStreamSocket(world, id, { browser: visitor, protocols: ours })
    await visitor.api('POST', 'logout')
    expect(await socket.closed()).toEqual({ code: 4002, reason: 'revoked' })
  })
})
