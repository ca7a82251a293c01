import { describe, expect, test } from 'vitest'
import {
  client,
  csrfRefused,
  dashboard,
  good,
  type Route,
  unauthorized,
} from '../../../../tests/support/peers/fake-dashboard.ts'
import { cron, setting } from '../resources/index.ts'
import { cookieOf, createCookieJar, type Lifetime } from './index.ts'

describe('CSRF', () => {
  test('an unsafe call carries the cookie as a header, a reading one does not', async () => {
    const { baseUrl, seen } = await dashboard({ 'POST cron': () => good(1), 'GET cron': () => good() })
    await client(baseUrl).send({ method: 'POST', path: 'cron', body: { name: 'a' } })
    await client(baseUrl).send({ method: 'GET', path: 'cron' })
    expect(seen[0]).toMatchObject({
      headers: { cookie: 'nz-jwt=j1; nz-csrf=c1', 'x-csrf-token': 'c1', 'content-type': 'application/json' },
      body: '{"name":"a"}',
    })
    expect(seen[1]!.headers['x-csrf-token']).toBeUndefined()
  })

  test('a refusal is met once: drop the cookie, read the profile, send again', async () => {
    const { baseUrl, calls, seen } = await dashboard({
      'POST cron': ({ headers }) => (headers['x-csrf-token'] === 'c2' ? good(1) : csrfRefused),
      'GET profile': () => ({ ...good({ id: 1 }), headers: { 'set-cookie': 'nz-csrf=c2; Path=/; SameSite=Strict' } }),
    })
    await expect(client(baseUrl).send({ method: 'POST', path: 'cron' })).resolves.toBe(1)
    expect(calls()).toEqual(['POST cron', 'GET profile', 'POST cron'])
    expect(seen[1]!.headers.cookie).toBe('nz-jwt=j1')
  })

  test('a second refusal is told', async () => {
    const { baseUrl, calls } = await dashboard({ 'POST cron': () => csrfRefused, 'GET profile': () => good({ id: 1 }) })
    await expect(client(baseUrl).send({ method: 'POST', path: 'cron' })).rejects.toMatchObject({ code: 'csrf' })
    expect(calls()).toEqual(['POST cron', 'GET profile', 'POST cron'])
  })

  test('an API token needs no cookies', async () => {
    const { baseUrl, seen } = await dashboard({ 'POST cron': () => csrfRefused })
    const api = client(baseUrl, { credentials: { kind: 'token', token: 'nzp_secret' } })
    await expect(api.send({ method: 'POST', path: 'cron' })).rejects.toMatchObject({ code: 'csrf' })
    expect(seen).toHaveLength(1)
    expect(seen[0]!.headers).toMatchObject({ authorization: 'Bearer nzp_secret' })
    expect(seen[0]!.headers.cookie).toBeUndefined()
  })
})

describe('sign-in', () => {
  test('wrong password', async () => {
    const { baseUrl } = await dashboard({ 'POST login': () => unauthorized })
    await expect(client(baseUrl).login('admin', 'x')).rejects.toMatchObject({ code: 'wrongPassword' })
  })

  test('cookies of the answer are kept; the lifetime is told; half of it later it is prolonged, once', async () => {
    const clock = { now: Date.parse('2026-11-20T10:00:00Z') }
    const lifetimes: (Lifetime | null)[] = []
    const jar = createCookieJar()
    const { baseUrl, calls } = await dashboard({
      'POST login': () => ({
        ...good({ token: 'j2', expire: '2026-11-20T12:00:00Z' }),
        headers: { 'set-cookie': ['nz-jwt=j2; Path=/; Max-Age=7200', 'nz-csrf=c2; Path=/'] },
      }),
      'POST refresh-token': () => ({
        ...good({ token: 'j3', expire: '2026-11-20T14:00:00Z' }),
        headers: { 'set-cookie': ['nz-jwt=j3; Path=/', 'nz-csrf=c3; Path=/'] },
      }),
      'GET cron': () => good(),
    })
    const api = client(baseUrl, {
      clock,
      credentials: { kind: 'jar', jar },
      onLifetime: (lifetime) => lifetimes.push(lifetime),
    })
    await api.login('admin', 'admin')
    expect(jar.header()).toBe('nz-jwt=j2; nz-csrf=c2')
    expect(lifetimes).toEqual([{ refreshAt: clock.now + 3_600_000, expiresAt: clock.now + 7_200_000 }])
    await api.send({ method: 'GET', path: 'cron' })
    clock.now += 3_600_000
    await Promise.all([1, 2, 3].map(() => api.send({ method: 'GET', path: 'cron' })))
    await api.idle()
    expect(jar.header()).toBe('nz-jwt=j3; nz-csrf=c3')
    expect(calls().filter((call) => call === 'POST refresh-token')).toHaveLength(1)
  })

  test('a page that was loaded again without a token against forgery, as at 1.x, prolongs the sign-in it finds', async () => {
    const { baseUrl, calls } = await dashboard({
      'GET setting': () => good({ version: '1.12.4' }),
      'GET profile': () => good({ id: 1 }),
      'GET refresh-token': () => good({ token: 'j2', expire: '2099-01-01T00:00:00Z' }),
    })
    const lifetimes: (Lifetime | null)[] = []
    const api = client(baseUrl, {
      credentials: { kind: 'browser', cookies: createCookieJar() },
      lifetime: null,
      onLifetime: (lifetime) => lifetimes.push(lifetime),
    })
    await api.send({ method: 'GET', path: 'setting' })
    await api.idle()
    expect(calls()).toEqual(['GET setting'])
    await api.send({ method: 'GET', path: 'profile' })
    await api.idle()
    expect(lifetimes).toEqual([expect.objectContaining({ expiresAt: Date.parse('2099-01-01T00:00:00Z') })])
  })

  test('a refused refresh is not repeated in a loop', async () => {
    const clock = { now: 0 }
    const { baseUrl, calls } = await dashboard({ 'GET cron': () => good(), 'POST refresh-token': () => unauthorized })
    const api = client(baseUrl, { clock, lifetime: null })
    for (let times = 0; times < 3; times++) {
      await api.send({ method: 'GET', path: 'cron' })
      await api.idle()
    }
    expect(calls().filter((call) => call === 'POST refresh-token')).toHaveLength(1)
  })

  test('a session that ended in the middle is asked for once and the calls are sent again', async () => {
    const jar = createCookieJar({ 'nz-jwt': 'dead', 'nz-csrf': 'c1' })
    let asked = 0
    const { baseUrl } = await dashboard({
      'GET cron': ({ headers }) => (String(headers.cookie).includes('j2') ? good(['ok']) : unauthorized),
      'POST login': () => ({
        ...good({ token: 'j2', expire: '2026-11-20T12:00:00Z' }),
        headers: { 'set-cookie': ['nz-jwt=j2; Path=/', 'nz-csrf=c2; Path=/'] },
      }),
    })
    const api = client(baseUrl, {
      credentials: { kind: 'jar', jar },
      async onSessionEnd() {
        asked += 1
        expect(jar.get('nz-jwt')).toBeNull()
        await api.login('admin', 'admin')
        return true
      },
    })
    const both = [1, 2].map(() => api.send({ method: 'GET', path: 'cron' }))
    await expect(Promise.all(both)).resolves.toEqual([['ok'], ['ok']])
    expect(asked).toBe(1)
  })

  describe('R-12 the password is wanted once more', () => {
    const server = () => {
      let proved = false
      const routes: Record<string, Route> = {
        'POST exec': () =>
          proved ? good({ run_id: 1 }) : { status: 403, body: { error: 'step-up required', code: 'stepUpRequired' } },
        'POST step-up': ({ body }) => {
          proved = body === '{"password":"right"}'
          return proved ? good() : { body: { error: 'ApiErrorUnauthorized', code: 'wrongPassword' } }
        },
      }
      return dashboard(routes)
    }
    const call = { method: 'POST', path: 'exec' } as const

    test('asked once for all calls, then each is sent again', async () => {
      const { baseUrl, calls } = await server()
      let asked = 0
      const api = client(baseUrl, {
        async onStepUp(prove) {
          asked += 1
          await expect(prove('wrong')).rejects.toMatchObject({ code: 'wrongPassword' })
          await prove('right')
          return true
        },
      })
      await expect(Promise.all([api.send(call), api.send(call)])).resolves.toEqual([{ run_id: 1 }, { run_id: 1 }])
      expect(asked).toBe(1)
      expect(calls().filter((name) => name === 'POST exec')).toHaveLength(4)
    })

    test('who does not give it has cancelled; where nobody can be asked it is an error', async () => {
      const { baseUrl } = await server()
      const declining = client(baseUrl, { onStepUp: async () => false })
      await expect(declining.send(call)).rejects.toMatchObject({ code: 'cancelled' })
      await expect(client(baseUrl).send(call)).rejects.toMatchObject({ code: 'stepUpRequired' })
    })
  })

  test('looking whether there is a sign-in asks nobody', async () => {
    const { baseUrl } = await dashboard({ 'GET profile': () => unauthorized })
    const api = client(baseUrl, { onSessionEnd: () => Promise.reject(new Error('asked')) })
    await expect(api.send({ method: 'GET', path: 'profile' }, { probe: true })).rejects.toMatchObject({
      code: 'unauthorized',
    })
  })

  test('sign-out works where the server has no such route', async () => {
    const jar = createCookieJar({ 'nz-jwt': 'j1', 'nz-csrf': 'c1' })
    const { baseUrl, calls } = await dashboard({})
    await client(baseUrl, { credentials: { kind: 'jar', jar } }).send({ method: 'POST', path: 'logout' })
    expect(calls()).toEqual(['POST logout'])
    expect(jar.header()).toBe('')
  })

  test('an existing dashboard ends the sign-in when the credentials change; ours does not', async () => {
    for (const [capabilities, left] of [
      [undefined, ''],
      [['logout'], 'nz-jwt=j1; nz-csrf=c1'],
    ] as const) {
      const jar = createCookieJar({ 'nz-jwt': 'j1', 'nz-csrf': 'c1' })
      const { baseUrl } = await dashboard({
        'POST profile': () => good(),
        ...(capabilities && {
          'GET capabilities': () => good({ capabilities }),
          'POST refresh-token': () => unauthorized,
        }),
      })
      const api = client(baseUrl, { credentials: { kind: 'jar', jar } })
      await api.send({ method: 'POST', path: 'profile', body: {} })
      await api.idle()
      expect(jar.header()).toBe(left)
    }
  })
})

describe('kinds of servers', () => {
  test('capabilities are asked for once; what every other dashboard has without the route', async () => {
    const ours = await dashboard({
      'GET capabilities': () => good({ name: 'quarterdeck', version: '1', capabilities: ['runs'] }),
    })
    const api = client(ours.baseUrl)
    // What every server of ours had before it said so is there as well.
    const before = ['service-results', 'api-tokens', 'host-names', 'mcp', 'service-order', 'transfers']
    expect(await api.capabilities()).toEqual(['runs', ...before])
    expect(await api.capabilities()).toEqual(['runs', ...before])
    expect(ours.seen).toHaveLength(1)
    const other = await dashboard({})
    expect(await client(other.baseUrl).capabilities()).toEqual(['service-results'])
  })

  const oldSettings: Route = () => good({ config: {}, version: 'v1.14.0' })
  test('a moved call falls back to GET on an old server, and stays there', async () => {
    const { baseUrl, calls } = await dashboard({ 'GET cron/7/manual': () => good(), 'GET setting': oldSettings })
    const api = client(baseUrl)
    await api.send({ method: 'POST', path: 'cron/7/manual' })
    await api.send({ method: 'POST', path: 'cron/7/manual' })
    expect(calls().filter((call) => !call.includes('refresh'))).toEqual([
      'POST cron/7/manual',
      'GET setting',
      'GET cron/7/manual',
      'GET cron/7/manual',
    ])
  })

  test('a server that has POST, or answers anything but "no such route", is never asked by GET', async () => {
    const current = await dashboard({
      'GET setting': () => good({ config: {}, version: 'v2.0.14' }),
      'GET cron/7/manual': () => good(),
    })
    await expect(client(current.baseUrl).send({ method: 'POST', path: 'cron/7/manual' })).rejects.toMatchObject({
      code: 'noRoute',
    })
    const refusing = await dashboard({
      'POST cron/7/manual': () => ({ body: { error: 'permission denied' } }),
      'GET cron/7/manual': () => good(),
    })
    await expect(client(refusing.baseUrl).send({ method: 'POST', path: 'cron/7/manual' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect([...current.calls(), ...refusing.calls()]).not.toContain('GET cron/7/manual')
  })
})

describe('records', () => {
  test('a list with a bad row shows the good ones', async () => {
    const { baseUrl } = await dashboard({ 'GET cron?id=7': () => good([{ id: 7, name: 'a' }, { name: 'no id' }]) })
    const listed = await client(baseUrl).list(cron, { query: { id: 7 } })
    expect(listed).toMatchObject({ rows: [{ id: 7, name: 'a', command: '' }], bad: [{ index: 1 }], total: null })
  })

  test('one record of a list without such a call; a single record; one that is not there', async () => {
    const { baseUrl } = await dashboard({
      'GET cron?id=8': () =>
        good([
          { id: 7, name: 'a' },
          { id: 8, name: 'b' },
        ]),
      'GET cron?id=9': () => good([{ id: 7, name: 'a' }]),
      'GET setting': () => good({ config: { site_name: 'fleet' }, version: 'x' }),
    })
    const api = client(baseUrl)
    await expect(api.get(cron, 8)).resolves.toMatchObject({ name: 'b' })
    await expect(api.get(cron, 9)).rejects.toMatchObject({ code: 'notFound', params: { id: 9 } })
    await expect(api.get(setting, 0)).resolves.toMatchObject({ site_name: 'fleet', version: 'x' })
  })
})

test('cookies', () => {
  const jar = createCookieJar({ a: '1' })
  jar.store(['b=2; Path=/; HttpOnly', 'a=; Path=/', 'c=3; Max-Age=0', 'broken', '=x', 'd=e=f'])
  expect(jar.export()).toEqual({ b: '2', d: 'e=f' })
  expect(cookieOf('nz-csrf=c1; nz-jwt-x=no', 'nz-csrf')).toBe('c1')
  expect(cookieOf('', 'nz-csrf')).toBeNull()
})
