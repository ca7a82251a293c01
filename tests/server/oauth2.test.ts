import { TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Answer, Browser } from '../support/browser.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { type FakeProvider, startFakeProvider } from '../support/peers/fake-provider.ts'
import { failWrites } from '../support/server/base.ts'
import { createWorld, type World } from '../support/world.ts'

let clock: FakeClock
let world: World
let there: FakeProvider
let root: Browser
let kim: { browser: Browser; id: number; password: string }
const site = 'https://status.example.net'

beforeAll(async () => {
  clock = createFakeClock(Date.now())
  world = await createWorld({ clock })
  there = await startFakeProvider()
  root = await world.login()
  kim = await world.member('kim')
  await root.api('POST', 'sign-in-provider', {
    ...{ name: 'House', kind: 'oidc', base_url: there.url, site_url: `${site}/`, enabled: true },
    ...{ client_id: 'qd', client_secret: 'kept-secret' },
  })
})
afterEach(() => {
  there.mood = 'good'
  there.person = 'kim-there'
})
afterAll(async () => {
  await there.close()
  await world.close()
})

const begin = async (browser: Browser, query = 'type=1', headers: Record<string, string> = {}) => {
  const { body } = await browser.send('GET', `/api/v1/oauth2/House?${query}`, { headers })
  return (body.data as { redirect?: string } | undefined)?.redirect ?? String(body.code)
}
/** The page that the browser is sent to when it comes back from the provider. */
const comeBack = (browser: Browser, address: string) => {
  const { pathname, search } = new URL(address)
  return browser.send('GET', `${pathname}${search}`)
}
const placeOf = ({ headers }: Answer) => headers.location ?? ''
const roundTrip = async (browser: Browser, query?: string) =>
  comeBack(browser, there.agree(await begin(browser, query)))
const isSignedIn = async (browser: Browser) => (await browser.send('GET', '/api/v1/profile')).body.success === true
const strikes = () => world.server.container.firewall.all().filter(({ row }) => row.block_reason === 5)

test('issue 37.1 without an address of its own a provider sends people back to the console’s confirmed name', async () => {
  const { config } = (await root.api('GET', 'setting')) as { config: object }
  const body = {
    ...{ name: 'Unnamed', kind: 'oidc', base_url: there.url, site_url: '', enabled: true },
    ...{ client_id: 'qd', client_secret: 'kept-secret' },
  }
  expect((await root.send('POST', '/api/v1/sign-in-provider', { body })).body.problems).toEqual([
    { field: 'site_url', code: 'required' },
  ])
  await root.api('PATCH', 'setting', { ...config, dashboard_host: 'console.example.net' })
  const id = await root.api('POST', 'sign-in-provider', body)
  const { data } = (await world.guest().send('GET', '/api/v1/oauth2/Unnamed?type=1')).body
  const { searchParams } = new URL((data as { redirect: string }).redirect)
  expect(searchParams.get('redirect_uri')).toBe('https://console.example.net/api/v1/oauth2/callback')
  await root.api('POST', 'batch-delete/sign-in-provider', [id])
  await root.api('PATCH', 'setting', config)
})

describe('issue 14, S-46: sign-in by a provider', () => {
  test('the sign-in page knows its name and nothing else of it', async () => {
    const { body } = await world.guest().send('GET', '/api/v1/setting')
    expect((body.data as { config: object }).config).toMatchObject({ oauth2_providers: ['House'] })
    expect(JSON.stringify([body, await root.api('GET', 'sign-in-provider')])).not.toContain('kept-secret')
  })

  test('the way there: PKCE, a state and a nonce, and back only to the configured address, whatever Host says', async () => {
    const address = new URL(
      await begin(world.guest(), 'type=1', { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' }),
    )
    const query = Object.fromEntries(address.searchParams)
    expect(query).toMatchObject({
      redirect_uri: `${site}/api/v1/oauth2/callback`,
      code_challenge_method: 'S256',
      scope: 'openid',
      client_id: 'qd',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(query[name]!.length).toBeGreaterThan(20)
    expect((await world.guest().send('GET', '/api/v1/oauth2/house?type=1')).body.error).toBe('provider not found')
  })

  test('an account that nobody bound signs in nobody, and says what to do', async () => {
    const guest = world.guest()
    expect(placeOf(await roundTrip(guest))).toBe('/dashboard/login?oauth2=oauthNotBound&provider=House&reason=')
    expect(await isSignedIn(guest)).toBe(false)
  })

  test('what can’t be noted in the audit log isn’t bound', async () => {
    const letThrough = await failWrites(world.server.container.db, 'audit', 'insert')
    expect((await roundTrip(kim.browser, 'type=2')).status).toBe(500)
    await letThrough()
    expect(await kim.browser.api('GET', 'profile')).not.toHaveProperty('oauth2_bind')
  })

  test('bound on the profile, it is a way in', async () => {
    expect(placeOf(await roundTrip(kim.browser, 'type=2'))).toBe('/dashboard/profile?oauth2=true')
    expect(await kim.browser.api('GET', 'profile')).toMatchObject({ oauth2_bind: { house: 'kim-there' } })
    const guest = world.guest()
    expect(placeOf(await roundTrip(guest))).toBe('/dashboard/login?oauth2=true')
    expect(await guest.api('GET', 'profile')).toMatchObject({ username: 'kim' })
    expect(there.asked.at(-1)!.get('code_verifier')!.length).toBeGreaterThan(40)
  })

  test('a state counts once, in its browser, for ten minutes', async () => {
    const guest = world.guest()
    const back = there.agree(await begin(guest))
    const other = world.guest()
    expect(placeOf(await comeBack(other, back))).toContain('oauth2=oauthState')
    expect(placeOf(await comeBack(guest, back))).toContain('oauth2=oauthState')
    const again = there.agree(await begin(guest))
    expect(placeOf(await comeBack(guest, again))).toContain('oauth2=true')
    expect(placeOf(await comeBack(guest, again))).toContain('oauth2=oauthState')
    const late = there.agree(await begin(guest))
    await clock.advance(11 * 60_000)
    expect(placeOf(await comeBack(guest, late))).toContain('oauth2=oauthState')
    expect(placeOf(await comeBack(guest, `${site}/api/v1/oauth2/callback`))).toContain('oauth2=oauthState')
    kim.browser = await world.login({ username: 'kim', password: kim.password })
  })

  test('an account that is bound elsewhere stays there', async () => {
    root = await world.login()
    expect(placeOf(await roundTrip(root, 'type=2'))).toBe(
      '/dashboard/profile?oauth2=oauthBoundElsewhere&provider=House&reason=',
    )
    const guest = world.guest()
    await roundTrip(guest)
    expect(await guest.api('GET', 'profile')).toMatchObject({ username: 'kim' })
  })

  test('binding needs who is signed in, and proved it lately', async () => {
    expect(await begin(world.guest(), 'type=2')).toBe('unauthorized')
    await clock.advance(11 * 60_000)
    expect(await begin(kim.browser, 'type=2')).toBe('stepUpRequired')
    await kim.browser.api('POST', 'step-up', { password: kim.password })
  })

  test.each([
    ['answers with an error', 'error'],
    ['answers nonsense', 'nonsense'],
  ] as const)('a provider that %s is said', async (_what, mood) => {
    const guest = world.guest()
    const back = there.agree(await begin(guest))
    there.mood = mood
    // Where people go is remembered (37.8); providers.test.ts has one that fails before anybody goes there.
    expect(placeOf(await comeBack(guest, back))).toMatch(/oauth2=oauthProvider&provider=House&reason=./)
  })

  test.each([
    ['names nobody', 'no-id'],
    ['answers to another question', 'other-nonce'],
  ] as const)('a provider that %s signs in nobody', async (_what, mood) => {
    there.mood = mood
    const guest = world.guest()
    expect(placeOf(await roundTrip(guest))).toContain('oauth2=oauthProvider')
    expect(await isSignedIn(guest)).toBe(false)
  })

  test('a made-up code is counted by the firewall under reason 5; who cancels there is not', async () => {
    const guest = world.guest()
    const address = new URL(await begin(guest))
    const state = address.searchParams.get('state')
    const before = strikes().length
    const refused = await comeBack(guest, `${site}/api/v1/oauth2/callback?state=${state}&error=access_denied`)
    expect(placeOf(refused)).toContain('oauth2=oauthRefused&provider=House&reason=access_denied')
    expect(strikes()).toHaveLength(before)
    const forged = new URL(await begin(guest)).searchParams.get('state')
    expect(placeOf(await comeBack(guest, `${site}/api/v1/oauth2/callback?state=${forged}&code=made-up`))).toContain(
      'invalid_grant',
    )
    expect(strikes().map(({ row }) => row.block_identifier)).toEqual([-126])
  })

  test('C-27: without a browser the page shows a code to take back, good in the program that began alone', async () => {
    const program = world.guest()
    const back = there.agree(await begin(program, 'type=1&paste=1'))
    const page = await comeBack(world.guest(), back)
    const [, paste] = /<code[^>]*>(\w{12})<\/code>/.exec(page.text)!
    const claim = (browser: Browser, body: object) => browser.send('POST', '/api/v1/oauth2/claim', { body })
    expect((await claim(world.guest(), { paste })).body.code).toBe('oauthState')
    expect((await claim(program, { paste: 'another-one' })).body.code).toBe('wrongCode')
    expect((await claim(program, { paste })).body.success).toBe(true)
    expect(await program.api('GET', 'profile')).toMatchObject({ username: 'kim' })
    expect((await claim(program, { paste })).body.code).toBe('oauthState')
  })

  test('whoever has a second factor is asked for it after the provider, too', async () => {
    const { key } = (await kim.browser.api('GET', 'profile/totp')) as { key: string }
    const codeAt = (ms: number) => new TOTP({ secret: key }).generate({ timestamp: ms })
    await kim.browser.api('POST', 'profile/totp', { code: codeAt(clock.now()) })
    const guest = world.guest()
    expect(placeOf(await roundTrip(guest))).toBe('/dashboard/login?oauth2=codeRequired')
    expect(await isSignedIn(guest)).toBe(false)
    const claim = (code: string) => guest.send('POST', '/api/v1/oauth2/claim', { body: { code } })
    expect((await claim('000000')).body.code).toBe('wrongCode')
    await clock.advance(30_000)
    expect((await claim(codeAt(clock.now()))).body.success).toBe(true)
    expect(await isSignedIn(guest)).toBe(true)
    await kim.browser.api('POST', 'profile/totp/off', {})
  })

  test('the password can be turned off while a provider is bound, and the last way in is kept', async () => {
    const { browser } = await world.member('lee')
    expect((await browser.send('POST', '/api/v1/profile/password-off', { body: {} })).body).toMatchObject({
      code: 'blocked',
      error: "you don't have any oauth2 bindings",
    })
    await kim.browser.api('POST', 'profile/password-off', {})
    expect((await world.guest().login('kim', kim.password)).body.code).toBe('wrongPassword')
    expect((await kim.browser.send('POST', '/api/v1/oauth2/house/unbind')).body.error).toBe('operation not permitted')
    await kim.browser.api('POST', 'profile/password-on', {})
    await kim.browser.api('POST', 'oauth2/house/unbind')
    expect((await kim.browser.api('GET', 'profile')) as object).not.toHaveProperty('oauth2_bind')
    expect(placeOf(await roundTrip(world.guest()))).toContain('oauth2=oauthNotBound')
  })

  test('a provider that is disabled or deleted shuts nobody out: the password counts again', async () => {
    await roundTrip(kim.browser, 'type=2')
    await kim.browser.api('POST', 'profile/password-off', {})
    await root.api('POST', 'step-up', { password: 'correct horse battery' })
    const [{ id }] = (await root.api('GET', 'sign-in-provider')) as [{ id: number }]
    const taken = await root.send('POST', '/api/v1/sign-in-provider', {
      body: {
        name: 'HOUSE',
        kind: 'oidc',
        base_url: there.url,
        site_url: site,
        client_id: 'x',
        client_secret: 'y',
        enabled: true,
      },
    })
    expect(taken.body.problems).toMatchObject([{ field: 'name' }])
    const isLetIn = async () => (await world.guest().login('kim', kim.password)).body.success === true
    await roundTrip(world.guest())
    await expect
      .poll(async () => ((await root.api('GET', 'audit?q=action:sign-in')) as { value: object[] }).value[0])
      .toMatchObject({ username: 'kim', target: 'kim', result: 'ok' })
    const house = {
      name: 'House',
      kind: 'oidc',
      base_url: there.url,
      site_url: site,
      client_id: 'qd',
      client_secret: '',
    }
    expect(await isLetIn()).toBe(false)
    await root.api('PATCH', `sign-in-provider/${id}`, { ...house, enabled: false })
    expect(await isLetIn()).toBe(true)
    await root.api('PATCH', `sign-in-provider/${id}`, { ...house, enabled: true })
    // The clock stands still: who failed too often waits.
    clock.set(clock.now() + 3_600_000)
    expect(await isLetIn()).toBe(false)
    clock.set(clock.now() + 3_600_000)
    await root.api('POST', 'step-up', { password: 'correct horse battery' })
    await root.api('POST', 'batch-delete/sign-in-provider', [id])
    expect((await world.guest().login('kim', kim.password)).body.success).toBe(true)
  })
})
