import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createScript } from '../support/api-tokens.ts'
import type { Browser } from '../support/browser.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { admin, createWorld, type World } from '../support/world.ts'

let clock: FakeClock
let world: World
let browser: Browser
const proofMs = 10 * 60_000
const shell = { server_id: 1 }

beforeAll(async () => {
  clock = createFakeClock()
  world = await createWorld({ clock })
  await world.agent()
  browser = await world.login()
})
afterAll(() => world.close())

const setting = async () => {
  const { config } = (await browser.api('GET', 'setting')) as { config: Record<string, unknown> }
  return config
}
const call = (method: string, path: string, body?: unknown) => browser.send(method, `/api/v1/${path}`, { body })
const codeOf = async (method: string, path: string, body?: unknown) => (await call(method, path, body)).body.code
const prove = (password: string) => call('POST', 'step-up', { password })

/** Whatever reaches into servers or gives rights away. */
const guarded = [
  ['POST', 'terminal', shell],
  ['POST', 'file?id=1', undefined],
  ['POST', 'file/run', { servers: [1], name: 'a', path: '/a', canary: 0, batch: 1, max_failures: 0 }],
  ['POST', 'exec', { servers: [1], command: 'id', time_limit: 5 }],
  ['POST', 'host/unit/restart', { targets: [{ server_id: 1, name: 'nginx.service' }] }],
  ['POST', 'api-tokens', { name: 't', scopes: ['nezha:*'] }],
  ['PATCH', 'setting', { user_template: 'user-dist', site_name: 'fleet', language: 'en-US', cover: 1 }],
] as const

describe('R-12, N-11 the password is asked once more', () => {
  test('signing in counts for 10 minutes, then shells, files, commands, new tokens and settings wait for it', async () => {
    for (const [method, path, body] of guarded) expect(await codeOf(method, path, body), path).toBeUndefined()
    await clock.advance(proofMs)
    for (const [method, path, body] of guarded) {
      const answer = await call(method, path, body)
      expect([answer.status, answer.body.error], path).toEqual([403, 'ApiErrorForbidden: step-up required'])
    }
    expect(await codeOf('GET', 'server')).toBeUndefined()
    expect(await codeOf('POST', 'server-group', { name: 'g', servers: [] })).toBeUndefined()
  })

  test('a wrong password proves nothing, the right one does for 10 minutes', async () => {
    expect((await prove('wrong')).body.code).toBe('wrongPassword')
    expect(await codeOf('POST', 'terminal', shell)).toBe('stepUpRequired')
    expect((await prove(admin.password)).body.success).toBe(true)
    await clock.advance(proofMs - 1)
    expect(await codeOf('POST', 'terminal', shell)).toBeUndefined()
    await clock.advance(1)
    expect(await codeOf('POST', 'terminal', shell)).toBe('stepUpRequired')
  })

  test('it is each sign-in’s own, and a refresh is no proof', async () => {
    const other = await world.login()
    await browser.api('POST', 'refresh-token')
    expect(await codeOf('POST', 'terminal', shell)).toBe('stepUpRequired')
    expect((await other.send('POST', '/api/v1/terminal', { body: shell })).body.code).toBeUndefined()
  })

  test('R-08 a clock that is set back does not make a proof last', async () => {
    await prove(admin.password)
    const now = clock.now()
    clock.set(now - 3_600_000)
    expect(await codeOf('POST', 'terminal', shell)).toBe('stepUpRequired')
    clock.set(now)
  })

  test('guessing here is braked as at the sign-in', async () => {
    const answers = []
    for (let count = 0; count < 10; count += 1) answers.push(await prove('guess'))
    expect(answers.at(-1)!.status).toBe(429)
    await clock.advance(20 * 60_000)
  })

  test('nobody’s and a token’s call are not asked: the one is refused, the other has its scope', async () => {
    expect((await world.guest().send('POST', '/api/v1/step-up', { body: {} })).body.error).toBe('ApiErrorUnauthorized')
    await prove(admin.password)
    const script = await createScript(world, browser, { scopes: ['nezha:server:exec'] })
    await clock.advance(proofMs)
    expect((await script.send('POST', 'terminal', shell)).body.success).toBe(true)
  })

  test('the setting switches it off, which itself needs the password', async () => {
    const off = { ...(await setting()), step_up: false }
    expect(await codeOf('PATCH', 'setting', off)).toBe('stepUpRequired')
    await prove(admin.password)
    expect(await codeOf('PATCH', 'setting', off)).toBeUndefined()
    await clock.advance(proofMs)
    expect(await codeOf('POST', 'terminal', shell)).toBeUndefined()
  })
})
