import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
let browser: Browser
let task: number
beforeAll(async () => {
  world = await createWorld()
  mkdirSync(join(world.data, 'web'))
  writeFileSync(join(world.data, 'web/index.html'), '<!doctype html><html><head><title>x</title></head></html>')
  browser = await world.login()
  task = (await browser.api('POST', 'cron', { name: 't', task_type: 1, command: 'true' })) as number
})
afterAll(() => world.close())

const runs = async () => ((await browser.api('GET', 'run')) as { value?: unknown[] }).value?.length ?? 0

describe('S-17 a GET that changes something', () => {
  test.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a sibling of the site', { 'Sec-Fetch-Site': 'same-site' }],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }],
    ['an old browser', {}],
  ])('has no effect from %s', async (_name, headers) => {
    const before = await runs()
    const manual = await browser.send('GET', `/api/v1/cron/${task}/manual`, {
      headers: headers as Record<string, string>,
    })
    const refresh = await browser.send('GET', '/api/v1/refresh-token', { headers: headers as Record<string, string> })
    const files = await browser.send('GET', '/api/v1/file?id=1', { headers: headers as Record<string, string> })
    expect([manual.status, refresh.status, files.status]).toEqual([404, 404, 404])
    expect(await runs()).toBe(before)
  })

  test('is answered to the console itself and to a bearer', async () => {
    const own = await browser.send('GET', `/api/v1/cron/${task}/manual`, {
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    })
    expect(own.body.success).toBe(true)
    const Authorization = `Bearer ${browser.cookies.get('nz-jwt')}`
    const bearer = await world.guest().send('GET', '/api/v1/refresh-token', { headers: { Authorization } })
    expect(bearer.body.success).toBe(true)
  })
})

test.each([
  ['a form', 'application/x-www-form-urlencoded', 'name=x'],
  ['text/plain', 'text/plain', '{"name":"x"}'],
  ['multipart', 'multipart/form-data; boundary=x', '--x--'],
])('S-18 %s of another site is refused by type and by CSRF', async (_name, type, bodyText) => {
  const headers = {
    'Content-Type': type,
    Cookie: `nz-jwt=${browser.cookies.get('nz-jwt')}; nz-csrf=${browser.cookies.get('nz-csrf')}`,
  }
  const withoutPair = await world.guest().send('POST', '/api/v1/server-group', { bodyText, headers })
  expect([withoutPair.status, withoutPair.body.error]).toEqual([
    403,
    'ApiErrorForbidden: missing or invalid CSRF token',
  ])
  const withPair = await browser.send('POST', '/api/v1/server-group', { bodyText, headers: { 'Content-Type': type } })
  expect(withPair.body.success).toBeUndefined()
  const signIn = await world.guest().send('POST', '/api/v1/login', { bodyText, headers: { 'Content-Type': type } })
  expect(signIn.body.success).toBeUndefined()
  expect(await browser.api('GET', 'server-group')).toBeNull()
})

describe('S-19 the CSRF pair', () => {
  const post = (cookie: string, header: string | undefined, more: Record<string, string> = {}) =>
    world.guest().send('POST', '/api/v1/server-group', {
      body: { name: 'x' },
      headers: { Cookie: cookie, ...(header && { 'X-CSRF-Token': header }), ...more },
    })

  test('is refused when missing, mismatched, unsigned or somebody else’s', async () => {
    const { browser: alice } = await world.member('alice')
    const [jwt, csrf, foreign] = [
      browser.cookies.get('nz-jwt'),
      browser.cookies.get('nz-csrf')!,
      alice.cookies.get('nz-csrf')!,
    ]
    const unsigned = `${'a'.repeat(64)}.${'b'.repeat(64)}`
    const cases: [string, string | undefined][] = [
      [`nz-jwt=${jwt}; nz-csrf=${csrf}`, undefined],
      [`nz-jwt=${jwt}; nz-csrf=${csrf}`, foreign],
      [`nz-jwt=${jwt}`, csrf],
      [`nz-jwt=${jwt}; nz-csrf=`, ''],
      [`nz-jwt=${jwt}; nz-csrf=${unsigned}`, unsigned],
      [`nz-jwt=${jwt}; nz-csrf=${foreign}`, foreign],
    ]
    for (const [cookie, header] of cases) expect((await post(cookie, header)).status).toBe(403)
    expect((await post(`nz-jwt=${jwt}; nz-csrf=${csrf}`, csrf)).body.success).toBe(true)
  })

  test('is not skipped by a forged Authorization header', async () => {
    const cookie = `nz-jwt=${browser.cookies.get('nz-jwt')}`
    for (const Authorization of [
      'Bearer nzp_00000000000000000000000000000000',
      'Bearer x',
      'Basic YTpi',
      `Bearer ${browser.cookies.get('nz-jwt')}`,
    ]) {
      expect((await post(cookie, undefined, { Authorization })).body.success).toBeUndefined()
    }
  })

  test('does not help a page of another origin', async () => {
    const answer = await browser.send('POST', '/api/v1/server-group', {
      body: { name: 'x' },
      headers: { Origin: 'https://evil.example' },
    })
    expect([answer.status, answer.body.error]).toEqual([403, 'ApiErrorForbidden: origin not allowed'])
  })
})

test('S-21 no cross-origin reading is ever allowed', async () => {
  for (const Origin of ['https://evil.example', 'null', world.origin]) {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await browser.send(method, '/api/v1/profile', {
        headers: { Origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'x-csrf-token' },
      })
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  }
})

describe('S-22 headers against framing, sniffing and leaking addresses', () => {
  test.each(['/dashboard/', '/', '/api/v1/profile', '/api/v1/nothing', '/nothing', '/healthz'])('%s', async (path) => {
    const { headers } = await browser.send('GET', path)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['content-security-policy']).not.toContain('unsafe-')
  })

  test('each page has a nonce of its own', async () => {
    const pages = await Promise.all([1, 2].map(() => browser.send('GET', '/dashboard/login')))
    const nonces = pages.map((page) => /nonce="([^"]+)"/.exec(page.text)?.[1])
    expect(new Set(nonces).size).toBe(2)
    expect(pages[0]!.headers['content-security-policy']).toContain(`script-src 'self' 'nonce-${nonces[0]}'`)
  })
})
