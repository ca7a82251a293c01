import { connect } from 'node:net'
import { terminalProtocol } from '@qd/protocol/stream-close'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Browser } from '../support/browser.ts'
import type { FakeClock } from '../support/fake-clock.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { createShellWorld, type ShellWorld } from '../support/shell-world.ts'
import { openShell } from '../support/shells.ts'
import type { World } from '../support/world.ts'

let parts: ShellWorld
let clock: FakeClock
let world: World
let browser: Browser
let alice: ShellWorld['alice']
let agent: SimulatedAgent
let ofAlice: SimulatedAgent
const { idOf, open }: Pick<ShellWorld, 'idOf' | 'open'> = {
  idOf: (of) => parts.idOf(of),
  open: (isOurs) => parts.open(isOurs),
}
const streams = () => world.server.container.streams

beforeAll(async () => {
  parts = await createShellWorld()
  ;({ clock, world, browser, alice, agent, ofAlice } = parts)
})
afterAll(() => world.close())
afterEach(() => {
  streams().end(() => true, 'revoked')
  expect(streams().count()).toBe(0)
})

describe('S-51 limits', () => {
  const ask = async (caller: Browser, serverId: number) =>
    (await caller.send('POST', '/api/v1/terminal', { body: { server_id: serverId } })).body.error ?? 'ok'

  test('the 21st stream of a user is refused, and a slot that is released is free at once', async () => {
    const id = idOf(ofAlice)
    const shell = await openShell(world, { browser: alice.browser, serverId: id, agent: ofAlice })
    for (let index = 1; index < 20; index += 1) expect(await ask(alice.browser, id)).toBe('ok')
    expect(await ask(alice.browser, id)).toBe('too many concurrent streams for this user')
    shell.socket.leave()
    await vi.waitFor(() => expect(streams().count()).toBe(19), 30_000)
    expect(await ask(alice.browser, id)).toBe('ok')
    expect(await ask(alice.browser, id)).toBe('too many concurrent streams for this user')
    await clock.advance(30_000)
    expect(streams().count()).toBe(0)
    expect(await ask(alice.browser, id)).toBe('ok')
  })

  test('the 41st stream of a server is refused', async () => {
    const id = idOf(ofAlice)
    const password = 'another administrator'
    await world.server.container.accounts.create({ username: 'root', password, role: 0 })
    const root = await world.login({ username: 'root', password })
    for (let index = 0; index < 20; index += 1) {
      expect(await ask(alice.browser, id)).toBe('ok')
      expect(await ask(browser, id)).toBe('ok')
    }
    expect(await ask(root, id)).toBe('too many concurrent streams for this server')
    streams().end(({ creator }) => creator.viewer.id === alice.id, 'revoked')
    for (let index = 0; index < 20; index += 1) expect(await ask(root, id)).toBe('ok')
    expect(await ask(alice.browser, id)).toBe('too many concurrent streams for this server')
  })

  test('a creation that fails takes no slot', async () => {
    const gone = await world.agent()
    const id = idOf(gone)
    gone.vanish()
    await vi.waitFor(() => expect(world.server.container.agents.connected(id)).toBe(false), 30_000)
    for (let index = 0; index < 25; index += 1) expect(await ask(browser, id)).toBe('server not found or not connected')
    expect(streams().count()).toBe(0)
    expect(await ask(browser, idOf(agent))).toBe('ok')
  })

  test.each([true, false])('a message above 524,352 bytes ends the shell with 1009 (ours: %s)', async (isOurs) => {
    const { socket, agent: shell } = await open(isOurs)
    socket.send(Buffer.alloc(524_352))
    expect(await shell.input()).toHaveLength(524_352)
    socket.send(Buffer.alloc(524_353))
    expect(await socket.closed()).toMatchObject({ code: 1009 })
    expect(await shell.ended()).toMatchObject({ event: 'trailers', status: 0 })
    expect(streams().count()).toBe(0)
  })

  test('a socket that is refused and breaks the protocol does no harm', async () => {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const socket = connect(world.port, '127.0.0.1')
    const head = [
      'GET /api/v1/ws/terminal/00000000-0000-0000-0000-000000000000 HTTP/1.1',
      `Host: 127.0.0.1:${world.port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`,
      `Sec-WebSocket-Protocol: ${terminalProtocol}`,
      `Cookie: ${cookie}`,
    ].join('\r\n')
    // A frame with every reserved bit set.
    socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.from('ffff00000000ffff', 'hex')]))
    const answer: Buffer[] = []
    socket.on('data', (bytes: Buffer) => answer.push(bytes))
    await new Promise((resolve) => socket.once('end', resolve))
    socket.destroy()
    expect(Buffer.concat(answer).toString('latin1')).toContain('101 Switching Protocols')
    expect((await browser.send('GET', '/healthz')).status).toBe(200)
  })

  test('a slow reader holds its own agent back, and nobody else; memory stays bounded', async () => {
    const { socket, agent: shell } = await open()
    const other = await open()
    socket.ws.pause()
    const chunk = Buffer.alloc(32 * 1024, 'x')
    const all = 2000
    /** Round trips of another shell, which nothing of this holds up. */
    const others = async () => {
      for (let trip = 0; trip < 50; trip += 1) {
        other.agent.print('alive')
        await other.socket.until('alive')
      }
      return 'stuck' as const
    }
    let taken = 0
    let going = shell.printed(chunk)
    while (taken < all && (await Promise.race([going, others()])) !== 'stuck') {
      taken += 1
      going = shell.printed(chunk)
    }
    // Of 64 MiB the server and the system's socket buffers take a few; the rest stays with the agent.
    expect(taken).toBeLessThan(all / 2)
    socket.ws.resume()
    for (let left = taken; left < all; left += 1) await going.then(() => (going = shell.printed(chunk)))
    let got = 0
    while (got < all * chunk.length) {
      const event = await socket.take(({ event }) => event === 'data')
      if (event.event === 'data') got += event.bytes.length
    }
  })

  test('a stream that is left open ends after 24 h', async () => {
    const { socket, agent: shell } = await open()
    const hours = async (count: number) => {
      for (let pings = 0; pings < count * 360; pings += 1) {
        await clock.advance(10_000)
        await socket.take(({ event }) => event === 'ping')
      }
    }
    await hours(23.9)
    expect(streams().count()).toBe(1)
    await clock.advance(360_000)
    expect(await socket.closed()).toEqual({ code: 4003, reason: 'limit' })
    expect(await shell.ended()).toMatchObject({ event: 'trailers', status: 0 })
  })
})
