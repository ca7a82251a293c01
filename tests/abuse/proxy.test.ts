import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createBrowser } from '../support/browser.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { connectPeer, credentials } from '../support/peers/h2-peer.ts'
import { type ReverseProxy, startProxy } from '../support/peers/proxy.ts'
import { admin, createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

const guesser = '127.0.0.66'
const owner = '127.0.0.10'

let clock: FakeClock
let world: World
let proxy: ReverseProxy
beforeAll(async () => {
  clock = createFakeClock()
  // The clients of these tests are on the loopback too, so that only the proxy's own address may be trusted.
  world = await createWorld({ clock, config: { trustProxy: ['127.0.0.1'] } })
  proxy = await startProxy(() => world.origin)
})
afterAll(async () => {
  await proxy.close()
  await world.close()
})
/** Counts of earlier tests are over. */
beforeEach(() => clock.set(clock.now() + 3_600_000))

const signIn = (password: string, from: string, { origin = proxy.origin, headers = {} } = {}) =>
  createBrowser(origin).send('POST', '/api/v1/login', { body: { username: admin.username, password }, from, headers })
const statuses = async (count: number, call: (n: number) => ReturnType<typeof signIn>) => {
  const found: number[] = []
  for (let n = 0; n < count; n += 1) found.push((await call(n)).status)
  return found
}

describe('issue 10.8: behind a trusted proxy', () => {
  test('96 wrong passwords in a day keep nobody else out at any moment', async () => {
    for (let guess = 0; guess < 96; guess += 1) {
      await signIn(`guess ${guess}`, guesser)
      expect((await signIn(admin.password, owner)).body.success, `after guess ${guess}`).toBe(true)
      clock.set(clock.now() + 15 * 60_000)
    }
  })

  test('the guesser is refused, whatever it writes into the header itself', async () => {
    const forged = (n: number) => ({ headers: { 'X-Forwarded-For': `198.51.100.${n}, 127.0.0.1` } })
    expect(await statuses(3, (n) => signIn('a guess', '127.0.0.68', forged(n)))).toEqual([200, 403, 403])
    expect((await signIn(admin.password, owner)).body.success).toBe(true)
  })

  test('who comes past the proxy is counted by the connection, whatever the header says', async () => {
    const forged = (n: number) => ({ origin: world.origin, headers: { 'X-Forwarded-For': `198.51.100.${n}` } })
    expect(await statuses(3, (n) => signIn('a guess', '127.0.0.67', forged(n)))).toEqual([200, 403, 403])
    expect(world.log.filter((line) => line.includes('--trust-proxy'))).toHaveLength(1)
  })

  test('audit, sessions and the profile name the client', async () => {
    const browser = createBrowser(proxy.origin)
    const body = { username: admin.username, password: admin.password }
    await browser.send('POST', '/api/v1/login', { body, from: '127.0.0.11' })
    const newest = world.server.container.db.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(1)
    await expect.poll(() => newest.executeTakeFirst()).toMatchObject({ action: 'sign-in', address: '127.0.0.11' })
    const own = ((await browser.api('GET', 'session')) as { is_current?: boolean; address: string }[]).find(
      (session) => session.is_current,
    )
    expect(own?.address).toBe('127.0.0.11')
    const profile = await browser.send('GET', '/api/v1/profile', { from: '127.0.0.12' })
    expect(profile.body.data).toMatchObject({ login_ip: '127.0.0.12' })
  })

  test('the firewall blocks the one that guesses tokens, and nobody else', async () => {
    const headers = { Authorization: `Bearer nzp_${'x'.repeat(43)}` }
    const ask = (from: string, more = {}) =>
      createBrowser(proxy.origin).send('GET', '/api/v1/server', { from, ...more })
    expect(await statuses(3, () => ask(guesser, { headers }))).toEqual([401, 403, 403])
    const [row] = await world.server.container.db.selectFrom('waf').selectAll().execute()
    expect(row?.ip).toBe(guesser)
    expect((await ask(guesser)).text).toContain('blocked')
    expect((await ask(owner)).text).not.toContain('blocked')
  })

  test('agents are told apart too', async () => {
    const peer = await connectPeer({ port: world.port, from: '127.0.0.1' })
    const ask = async (secret: string, client: string) => {
      const call = peer.open('ReportSystemInfo2', { ...credentials(secret, uuidOf(1)), 'x-forwarded-for': client })
      call.send('')
      call.halfClose()
      return (await call.take((event) => event.event === 'trailers')).status
    }
    expect(await ask('wrong', guesser)).not.toBe(0)
    expect(await ask(siteSecret, guesser)).not.toBe(0)
    expect(await ask(siteSecret, owner)).toBe(0)
    peer.destroy()
  })

  test('cookies are for HTTPS alone where the proxy says HTTPS, and only where it is trusted', async () => {
    const headers = { 'X-Forwarded-Proto': 'https' }
    const past = await signIn(admin.password, '127.0.0.12', { origin: world.origin, headers })
    const through = await signIn(admin.password, '127.0.0.12')
    const isSecure = (cookies: readonly string[]) => cookies.map((line) => line.endsWith('; Secure'))
    expect([isSecure(past.cookies), isSecure(through.cookies)]).toEqual([
      [false, false],
      [true, true],
    ])
  })
})
