import { type Client, createClient, createCookieJar, createLive, type OpenSocket } from '@qd/core/api'
import { server, serverGroup } from '@qd/core/resources'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Browser } from '../support/browser.ts'
import { createGatewayWorld, type GatewayWorld } from '../support/gateway-world.ts'
import { clocks, nodeFetch } from '../support/peers/fake-dashboard.ts'
import { openSocket as openFeed, RefusedUpgrade } from '../support/peers/live-socket.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { openStreamSocket } from '../support/peers/stream-socket.ts'
import { askForShell, attachAgent } from '../support/shells.ts'
import { admin, createWorld, type World } from '../support/world.ts'

let world: World
let gateway: GatewayWorld
let agent: SimulatedAgent
/** The same world, reached through the gateway. */
let through: World
beforeAll(async () => {
  world = await createWorld()
  agent = await world.agent()
  gateway = await createGatewayWorld(world.origin)
  through = Object.create(world, { origin: { value: gateway.origin }, port: { value: gateway.port } }) as World
})
afterAll(async () => {
  await gateway.close()
  await world.close()
})

async function signedIn(): Promise<Browser> {
  const browser = gateway.guest()
  expect((await browser.login(admin.username, admin.password)).body.success).toBe(true)
  return browser
}

const openSocket: OpenSocket = ({ url, protocols, headers }, { open, message, close }) => {
  const ws = new WebSocket(url, [...protocols], { headers })
  ws.on('open', () => open(ws.protocol))
  ws.on('message', (data) => message(String(data)))
  ws.on('close', (code) => close(code, ''))
  ws.on('error', () => ws.terminate())
  return { send: (data) => ws.send(data), close: () => ws.terminate() }
}

/** A client of core, as `qd` has it. */
function clientOf(): { client: Client; jar: ReturnType<typeof createCookieJar> } {
  const jar = createCookieJar({})
  const client = createClient({
    baseUrl: gateway.origin,
    credentials: { kind: 'jar', jar },
    ports: { ...clocks, fetch: nodeFetch },
  })
  return { client, jar }
}

describe('issue 16: core’s client does through the gateway what it does without it', () => {
  test('signs in, reads, writes with CSRF, refreshes and signs out', async () => {
    const { client, jar } = clientOf()
    await client.login(admin.username, admin.password)
    expect(jar.get('nz-jwt')).toBeTruthy()
    const before = jar.get('nz-csrf')
    expect((await client.list(server)).rows).toHaveLength(1)
    await client.send({ method: 'POST', path: 'server-group', body: { name: 'through', servers: [1] } })
    expect((await client.list(serverGroup)).rows).toMatchObject([{ name: 'through', servers: [1] }])
    expect(await client.capabilities()).toContain('logout')
    await client.send({ method: 'POST', path: 'refresh-token' })
    expect(jar.get('nz-csrf')).not.toBe(before)
    await client.logout()
    await expect(client.send({ method: 'GET', path: 'profile' })).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test('follows the live feed', async () => {
    const { client } = clientOf()
    await client.login(admin.username, admin.password)
    const frames: unknown[] = []
    const live = createLive({
      baseUrl: gateway.origin,
      headers: () => client.socketHeaders(),
      ports: { ...clocks, openSocket },
      onFrame: (frame) => frames.push(frame),
      onState: () => {},
    })
    live.start()
    await expect.poll(() => frames.length).toBeGreaterThan(1)
    live.stop()
    expect(frames[0]).toMatchObject({ servers: [{ id: 1 }] })
  })

  test('opens a shell, and bytes go both ways as they are', async () => {
    const browser = await signedIn()
    const id = await askForShell(browser, 1)
    const shell = await attachAgent(agent, id)
    const socket = await openStreamSocket(through, id, { browser, headers: { origin: gateway.origin } })
    const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
    shell.print(all)
    expect(await socket.next()).toMatchObject({ bytes: all, isBinary: true })
    socket.send('é\r')
    expect(await shell.input()).toEqual(Buffer.from('\0é\r'))
    socket.leave()
    expect(await socket.closed()).toMatchObject({ code: 1005 })
    await shell.ended()
  })

  test('an API token needs no cookie', async () => {
    const browser = await signedIn()
    const made = (await browser.api('POST', 'api-tokens', { name: 'script', scopes: ['nezha:inventory:read'] })) as {
      token: string
    }
    const answer = await gateway
      .guest()
      .send('GET', '/api/v1/server', { headers: { Authorization: `Bearer ${made.token}` } })
    expect(answer.body.data).toHaveLength(1)
    const mcp = await gateway.guest().send('POST', '/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
      headers: { Authorization: `Bearer ${made.token}` },
    })
    expect(mcp.text).toContain('jsonrpc')
  })
})

describe('what another site makes a browser send', () => {
  const foreign = { origin: 'https://evil.example' }

  test('is refused, as the dashboard gets its own origin', async () => {
    const browser = await signedIn()
    const group = { name: 'foreign', servers: [] }
    for (const headers of [foreign, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
      const answer = await browser.send('POST', '/api/v1/server-group', { body: group, headers })
      expect(answer).toMatchObject({ status: 403, body: { code: 'csrf' } })
    }
    const read = await browser.send('GET', '/api/v1/cron/1/manual', { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(read).toMatchObject({ status: 403, body: { code: 'csrf' } })
    const own = { origin: gateway.origin }
    const good = await browser.send('POST', '/api/v1/server-group', { body: { ...group, name: 'own' }, headers: own })
    expect(good.body.success).toBe(true)
  })

  test('also as a websocket', async () => {
    const browser = await signedIn()
    const refused = openFeed(through, { browser, headers: foreign })
    await expect(refused).rejects.toThrowError(RefusedUpgrade)
    await expect(refused).rejects.toMatchObject({ status: 403 })
    const feed = await openFeed(through, { browser, headers: { origin: gateway.origin } })
    expect(await feed.frame()).toHaveProperty('now')
    feed.close()
  })

  test('a token in the address is refused', async () => {
    expect((await gateway.guest().send('GET', '/api/v1/server?token=x')).body).toMatchObject({ code: 'unauthorized' })
  })
})

describe('pages', () => {
  test.each(['/', '/wall', '/server/1', '/dashboard/login', '/dashboard/cron'])('%s is ours', async (path) => {
    const answer = await gateway.guest().send('GET', path)
    expect(answer.status).toBe(200)
    expect(answer.text).toContain(path.startsWith('/dashboard') ? 'the console' : 'the page')
    expect(answer.headers['content-security-policy']).toMatch(/script-src 'self' 'nonce-/)
  })

  test('what the console asks for first stands in its page, without secrets; a dead sign-in gets the page alone', async () => {
    const browser = await signedIn()
    browser.cookies.delete('nz-csrf')
    const page = await browser.send('GET', '/dashboard/cron')
    const [, json = ''] = /id="first-answers">(.*?)<\/script>/.exec(page.text) ?? []
    const first = JSON.parse(json) as { answers: Record<string, { data: Record<string, unknown> }> }
    expect(first.answers.profile!.data).toMatchObject({ username: 'admin' })
    expect(first.answers.server!.data).toHaveLength(1)
    expect(json).not.toContain('agent_secret')
    expect(browser.cookies.get('nz-csrf')).toBeTruthy()
    browser.cookies.set('nz-jwt', 'dead')
    const dead = await browser.send('GET', '/dashboard/cron')
    expect([dead.status, dead.text.includes('first-answers')]).toEqual([200, false])
  })

  test('/healthz says that the dashboard answers; agents, metrics and installers are not here', async () => {
    expect((await gateway.guest().send('GET', '/healthz')).text).toBe('{"success":true}')
    for (const path of ['/metrics', '/install.sh', '/agent/main.js'])
      expect([path, (await gateway.guest().send('GET', path)).status]).toEqual([path, 404])
  })
})

test('a dashboard that restarts is away for so long, and then here again', async () => {
  const other = await createWorld()
  const before = await createGatewayWorld(other.origin)
  const browser = before.guest()
  await browser.login(admin.username, admin.password)
  await other.server.stop()
  const away = await browser.send('GET', '/api/v1/server')
  expect(away).toMatchObject({ status: 503, body: { code: 'unreachable', params: { url: other.origin } } })
  expect(away.body.error).toBe(
    `cannot reach the dashboard at ${other.origin}: connection refused: nothing is listening there`,
  )
  const page = await browser.send('GET', '/dashboard/cron')
  expect([page.status, page.text.includes('the console')]).toEqual([200, true])
  await before.close()
  await other.close()
})
