import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer, Browser } from '../support/browser.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { createWorld, type World } from '../support/world.ts'

let clock: FakeClock
let world: World
let root: Browser
let kim: { browser: Browser; id: number; password: string }
let key: string
let recovery: readonly string[]

beforeAll(async () => {
  clock = createFakeClock(1_790_000_000_000)
  world = await createWorld({ clock })
  root = await world.login()
  kim = await world.member('kim')
})
afterAll(() => world.close())

const codeAt = (ms: number, of = key) => new TOTP({ secret: of }).generate({ timestamp: ms })
/** The code of a step that was not used yet. */
const nextCode = async () => {
  await clock.advance(30_000)
  return codeAt(clock.now())
}
const signIn = (code?: string, from?: string) =>
  world.guest().send('POST', '/api/v1/login', {
    body: { username: 'kim', password: kim.password, ...(code && { code }) },
    ...(from && { from }),
  })
const codeOf = ({ body }: Answer) => body.code ?? 'good'
const begin = async () => (await kim.browser.api('GET', 'profile/totp')) as { uri: string; key: string }
const post = (path: string, body: object) => kim.browser.send('POST', `/api/v1/${path}`, { body })

describe('issue 14: the second factor', () => {
  test('is on only after a code proved that it works; the key stays the same while it is asked for', async () => {
    key = (await begin()).key
    expect(await begin()).toMatchObject({ key, uri: expect.stringContaining(`secret=${key}`) })
    expect(codeOf(await post('profile/totp', { code: '000000' }))).toBe('wrongCode')
    expect(codeOf(await signIn())).toBe('good')
    const answer = await post('profile/totp', { code: codeAt(clock.now()) })
    recovery = (answer.body.data as { recovery_codes: string[] }).recovery_codes
    expect(recovery).toHaveLength(10)
    expect(await kim.browser.api('GET', 'profile')).toMatchObject({ totp: true, recovery_codes: 10 })
  })

  test('the password alone gets an error that says what is missing, also to clients that know nothing of it', async () => {
    const answer = await signIn()
    expect(answer.body).toMatchObject({
      code: 'codeRequired',
      error: expect.stringMatching(/^ApiErrorUnauthorized: .*code/),
    })
    expect(answer.cookies).toEqual([])
  })

  test('a code counts once, also where two sign-ins bring it at the same time', async () => {
    const code = await nextCode()
    const both = (await Promise.all([signIn(code), signIn(code)])).map(codeOf)
    expect(both.sort()).toEqual(['codeUsed', 'good'])
    expect(codeOf(await signIn(code))).toBe('codeUsed')
    await world.restart()
    expect(codeOf(await signIn(code))).toBe('codeUsed')
    kim.browser = world.guest()
    await kim.browser.send('POST', '/api/v1/login', {
      body: { username: 'kim', password: kim.password, code: await nextCode() },
    })
    root = await world.login()
  })

  test('a phone whose clock is a minute wrong is told so', async () => {
    const answer = await signIn(codeAt(clock.now() + 65_000))
    expect(answer.body).toMatchObject({ code: 'codeClock', params: { seconds: 60 } })
  })

  test('a recovery code counts once, and how many are left is said', async () => {
    const [first] = recovery
    const answer = await signIn(first!.toUpperCase())
    expect(answer.body).toMatchObject({ success: true, data: { recovery_left: 9 } })
    expect(codeOf(await signIn(first))).toBe('wrongCode')
  })

  test('step-up asks for both', async () => {
    await clock.advance(11 * 60_000)
    expect(codeOf(await post('profile/agent-secret', {}))).toBe('stepUpRequired')
    expect(codeOf(await post('step-up', { password: kim.password }))).toBe('codeRequired')
    expect(codeOf(await post('step-up', { password: kim.password, code: '000000' }))).toBe('wrongCode')
    expect(codeOf(await post('profile/agent-secret', {}))).toBe('stepUpRequired')
    expect(codeOf(await post('step-up', { password: kim.password, code: await nextCode() }))).toBe('good')
    expect(codeOf(await post('profile/agent-secret', {}))).toBe('good')
  })

  test('the password is not changed by who knows it alone', async () => {
    await clock.advance(11 * 60_000)
    const change = {
      original_password: kim.password,
      new_username: 'kim',
      new_password: kim.password,
      reject_password: false,
    }
    expect(codeOf(await post('profile', change))).toBe('stepUpRequired')
  })

  test('an API token is not asked', async () => {
    await post('step-up', { password: kim.password, code: await nextCode() })
    const { token } = (await kim.browser.api('POST', 'api-tokens', {
      name: 't',
      scopes: ['nezha:inventory:read'],
    })) as {
      token: string
    }
    const answer = await world.guest().send('GET', '/api/v1/server', { headers: { Authorization: `Bearer ${token}` } })
    expect(answer.body.success).toBe(true)
    expect(
      codeOf(
        await world.guest().send('GET', '/api/v1/profile/totp', { headers: { Authorization: `Bearer ${token}` } }),
      ),
    ).not.toBe('good')
  })

  test('wrong codes are counted by the firewall like wrong passwords, and braked per account wherever they come from', async () => {
    const rows = () =>
      world.server.container.firewall
        .all()
        .filter(({ row }) => row.ip === '127.0.0.77')
        .map(({ row }) => [row.block_identifier, row.block_reason, row.count])
    expect(codeOf(await signIn('000000', '127.0.0.77'))).toBe('wrongCode')
    expect(rows()).toEqual([[kim.id, 1, 1]])
    for (let host = 1; host <= 9; host += 1) await signIn('000000', `127.0.1.${host}`)
    expect(codeOf(await signIn(codeAt(clock.now() + 30_000), '127.0.2.1'))).toBe('tooMany')
    await clock.advance(20 * 60_000)
    expect(codeOf(await signIn(await nextCode(), '127.0.2.1'))).toBe('good')
  })

  test('new recovery codes end the old ones', async () => {
    await post('step-up', { password: kim.password, code: await nextCode() })
    const answer = await post('profile/totp/recovery-codes', {})
    const fresh = (answer.body.data as { recovery_codes: string[] }).recovery_codes
    expect(codeOf(await signIn(recovery[1]))).toBe('wrongCode')
    expect((await signIn(fresh[0])).body.data).toMatchObject({ recovery_left: 9 })
  })

  test('an administrator resets it for who lost the phone: their sign-ins end, the password alone is enough again', async () => {
    await root.api('POST', 'step-up', { password: 'correct horse battery' })
    expect(codeOf(await root.send('POST', '/api/v1/user/1/reset-totp', { body: {} }))).toBe('blocked')
    const listed = (await root.api('GET', 'user')) as { username: string; totp?: boolean }[]
    expect(listed.find(({ username }) => username === 'kim')?.totp).toBe(true)
    await root.api('POST', `user/${kim.id}/reset-totp`, {})
    expect(codeOf(await kim.browser.send('GET', '/api/v1/profile'))).toBe('unauthorized')
    expect(codeOf(await signIn())).toBe('good')
  })

  test('it is turned off by its owner', async () => {
    await kim.browser.login('kim', kim.password)
    const { key: other } = await begin()
    await post('profile/totp', { code: codeAt(clock.now(), other) })
    expect(codeOf(await signIn())).toBe('codeRequired')
    expect(codeOf(await post('profile/totp/off', {}))).toBe('good')
    expect(codeOf(await signIn())).toBe('good')
  })

  test('neither key nor codes are in logs, in the audit record or in any answer but their own', async () => {
    const { db, audit: _audit } = world.server.container
    const audit = JSON.stringify(await db.selectFrom('audit').selectAll().execute())
    const said = `${world.log.join('')} ${audit} ${JSON.stringify([await root.api('GET', 'user'), await kim.browser.api('GET', 'profile')])}`
    for (const secret of [key, ...recovery]) expect(said).not.toContain(secret)
  })
})
