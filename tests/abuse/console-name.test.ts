import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestAgent } from '../agent/world.ts'
import { type Answer, type Browser, createBrowser } from '../support/browser.ts'
import { admin, createWorld, type World } from '../support/world.ts'

const publicName = 'status.example.com'

let world: World
let bob: Awaited<ReturnType<World['member']>>
let evil: Server
let agent: ReturnType<typeof startTestAgent>
let serverId: number

/** What a browser that opened the console as `host` sends. */
const at = (host: string, browser: Browser) => (method: string, path: string, body?: unknown) =>
  browser.send(method, path, { headers: { Host: host }, ...(body !== undefined && { body }) })

const profile = (domain: string, fields: object = {}) => ({
  name: 'lab',
  enabled: true,
  server_id: serverId,
  host: `127.0.0.1:${(evil.address() as AddressInfo).port}`,
  domain,
  ...fields,
})
const save = (domain: string, browser = bob.browser) => browser.send('POST', '/api/v1/nat', { body: profile(domain) })
const codes = ({ body }: Answer) => (body.problems ?? []).map(({ code }) => code)

/** The page that a visitor of `host` gets. */
const page = (host: string) =>
  new Promise<string>((resolve, reject) => {
    const asked = request({ port: world.port, path: '/dashboard/', headers: { host } }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve(text))
    })
    asked.on('error', reject).end()
  })

beforeAll(async () => {
  evil = createServer((_request, response) =>
    response.setHeader('Content-Type', 'text/html').end('<script>bob()</script>'),
  )
  evil.listen(0, '127.0.0.1')
  await once(evil, 'listening')
  world = await createWorld()
  bob = await world.member('bob')
  await startAgent()
})
afterAll(async () => {
  await agent.stop()
  await world.close()
  evil.closeAllConnections()
  evil.close()
})

const setNatDomains = async (nat_domains: string) => {
  const { settings } = world.server.container
  await settings.put({ ...settings.get(), nat_domains })
}

describe('37.1 a member and the name of the console', () => {
  test('37.1 the whole attack: a NAT profile on the name that the administrator uses makes no administrator', async () => {
    await setNatDomains('example.com')
    // 1. The administrator signs in at the public name. No setting names it.
    const root = createBrowser(world.origin)
    const asAdmin = at(`${publicName}:9306`, root)
    expect((await asAdmin('POST', '/api/v1/login', admin)).body.success).toBe(true)
    expect(await page(`${publicName}:9306`)).not.toContain('bob()')
    // 2. Bob saves a profile on that name, and calls the server by another.
    const saved = await save(`${publicName}:9306`)
    // 3. What the administrator's browser now gets at that name.
    const got = await page(`${publicName}:9306`)
    // 4. Bob frees the name. 5. His script, still in the tab, speaks with the administrator's cookies.
    if (saved.body.success) await bob.browser.send('POST', '/api/v1/batch-delete/nat', { body: [saved.body.data] })
    if (got.includes('bob()'))
      await asAdmin('POST', '/api/v1/user', { username: 'evil', password: 'evil has a password', role: 0 })
    // 6. Nothing came of it.
    expect(world.server.container.accounts.byName('evil')).toBeUndefined()
    expect([codes(saved), got.includes('bob()')]).toEqual([['reserved'], false])
  })

  test('37.1 a name that becomes the console’s later is the console at once, and after a restart', async () => {
    await setNatDomains('example.com')
    const id = (await save('later.example.com')).body.data as number
    expect(await page('later.example.com')).toContain('bob()')
    const root = createBrowser(world.origin)
    // The name is bob's, so the administrator must come by another port of it, or before bob.
    const asAdmin = at('later.example.com:444', root)
    expect((await asAdmin('POST', '/api/v1/login', admin)).body.success).toBe(true)
    expect(await page('later.example.com')).not.toContain('bob()')
    const [row] = (await bob.browser.api('GET', 'nat')) as { id: number; check_error: string }[]
    expect(row).toMatchObject({ id, check_error: expect.stringContaining('reserved') })
    await world.restart()
    expect(await page('later.example.com')).not.toContain('bob()')
    bob.browser = await world.login({ username: 'bob', password: bob.password })
    expect(codes(await save('LATER.example.com.'))).toEqual(['reserved'])
    await bob.browser.api('POST', 'batch-delete/nat', [id])
  })

  test('37.1 a session that began before names were kept reserves the name that it comes by', async () => {
    await setNatDomains('example.com')
    const root = await world.login()
    await at('kept.example.com', root)('GET', '/api/v1/profile')
    expect(codes(await save('kept.example.com'))).toEqual(['reserved'])
  })

  test('37.1 members use NAT below the suffixes of an administrator alone', async () => {
    await setNatDomains('')
    expect(codes(await save('lab.apps.example.net'))).toEqual(['adminsOnly'])
    await setNatDomains('apps.example.net')
    for (const domain of ['apps.example.net', 'lab.example.net', 'xapps.example.net', 'apps.example.net.evil.org'])
      expect(await save(domain).then(({ body }) => body.problems)).toEqual([
        { field: 'domain', code: 'notBelow', params: { suffixes: 'apps.example.net' } },
      ])
    const id = (await save('lab.apps.example.net')).body.data as number
    await agent.stop()
    await startAgent()
    expect(await page('lab.apps.example.net')).toContain('bob()')
    // What an administrator takes back is no longer served, and can be disabled.
    await setNatDomains('other.example.net')
    expect(await page('lab.apps.example.net')).not.toContain('bob()')
    await bob.browser.api('PATCH', `nat/${id}`, profile('lab.apps.example.net', { enabled: false }))
    const root = await world.login()
    expect((await root.send('POST', '/api/v1/nat', { body: profile('lab.example.org') })).body.success).toBe(true)
  })

  test('37.1 a member who forges names ends nobody’s profile, and pushes out no name of another', async () => {
    await setNatDomains('')
    const root = await world.login()
    await root.api('POST', 'nat', profile('wiki.example.org'))
    await at('first.example.org', root)('GET', '/api/v1/profile')
    await at('wiki.example.org:1', bob.browser)('GET', '/api/v1/profile')
    expect(await page('wiki.example.org')).toContain('bob()')
    for (const number of Array.from({ length: 40 }).keys())
      await at(`n${number}.example.org`, bob.browser)('GET', '/api/v1/profile')
    const { consoleNames } = world.server.container
    expect(consoleNames.all().filter((name) => /^n\d+\./.test(name))).toHaveLength(16)
    expect(consoleNames.has('first.example.org')).toBe(true)
  })
})

/** Bob's own agent, connected to the server where it listens now. */
async function startAgent(): Promise<void> {
  agent = startTestAgent({ port: world.port }, { config: { client_secret: bob.secret } })
  const { agents, servers } = world.server.container
  const row = await vi.waitUntil(() => servers.all().find(({ id }) => agents.connected(id)), 30_000)
  serverId = row.id
}
