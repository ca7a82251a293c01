import { createHash } from 'node:crypto'
import { resources } from '@qd/core/resources'
import { entityTables } from '@qd/server/records/table'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createScript, type Script } from '../support/api-tokens.ts'
import { type Browser, createBrowser } from '../support/browser.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { openSocket } from '../support/peers/live-socket.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

let clock: FakeClock
let world: World
let root: Browser
let alice: Awaited<ReturnType<World['member']>>
const dayMs = 24 * 3_600_000

beforeAll(async () => {
  clock = createFakeClock()
  world = await createWorld({ clock })
  root = await world.login()
  alice = await world.member('alice')
  await world.agent({ uuid: uuidOf(1), secret: world.server.container.accounts.byName('admin')!.agent_secret })
  await world.agent({ uuid: uuidOf(2), secret: alice.secret })
})
afterAll(() => world.close())
beforeEach(() => world.server.container.firewall.succeeded('127.0.0.1', -126))

const refusalOf = async (script: Script, method: string, path: string, body?: unknown) => {
  const { status, body: answer } = await script.send(method, path, body)
  return `${status} ${answer?.error}`
}
const lacks = (scope: string) => `403 ApiErrorForbidden: api token lacks scope ${scope}`
const notForTokens = '403 ApiErrorForbidden: this endpoint is not accessible by api token'
const task = { name: 't', task_type: 1, command: 'id', cover: 0, servers: [1] }

describe('S-36 a token and its scopes', () => {
  test('every route asks for its own scope', async () => {
    const reader = await createScript(world, root, { scopes: ['nezha:inventory:read', 'nezha:transfer:delete'] })
    expect((await reader.send('GET', 'server')).body.success).toBe(true)
    const refused = [
      ['PATCH', 'server/1', { name: 'x' }, 'nezha:server:write'],
      ['POST', 'batch-delete/server', [1], 'nezha:inventory:delete'],
      ['POST', 'batch-move/server', { ids: [1], to_user: 1 }, 'nezha:server:write'],
      ['POST', 'server/config', { servers: [1], config: '{}' }, 'nezha:server:write'],
      ['GET', 'server/config/1', undefined, 'nezha:server:write'],
      ['POST', 'force-update/server', [1], 'nezha:server:write'],
      ['POST', 'exec', { servers: [1], command: 'id', time_limit: 5 }, 'nezha:server:exec'],
      ['POST', 'terminal', { server_id: 1 }, 'nezha:server:exec'],
      ['GET', 'cron', undefined, 'nezha:cron:read'],
      ['GET', 'run', undefined, 'nezha:cron:read'],
      ['POST', 'cron', task, 'nezha:cron:write'],
      ['POST', 'server-group', { name: 'g', servers: [] }, 'nezha:server:write'],
      ['GET', 'transfer', undefined, 'nezha:transfer:read'],
      ['PATCH', 'setting', { user_template: 'user-dist' }, 'nezha:admin:*'],
    ] as const
    for (const [method, path, body, scope] of refused)
      expect(await refusalOf(reader, method, path, body), `${method} ${path}`).toBe(lacks(scope))
  })

  test('the same for all that the registry has, in whatever version', async () => {
    const script = await createScript(world, root, { scopes: ['nezha:transfer:delete'] })
    const routes = resources.flatMap(({ wire, scopes, actions, needsSession }) => {
      const needed = (scope: string | null) => (needsSession ? null : scope)
      const edit = wire.shape === 'one' ? wire.path : `${wire.path}/1`
      return [
        ...(wire.verbs.includes('list') ? [['GET', wire.path, needed(scopes.read)] as const] : []),
        ...(wire.verbs.includes('create') ? [['POST', wire.path, needed(scopes.write)] as const] : []),
        ...(wire.verbs.includes('edit') ? [[wire.calls.edit.method, edit, needed(scopes.write)] as const] : []),
        ...Object.values(actions).flatMap((action) =>
          action.wire
            ? [[action.wire.method, action.wire.path.replace('{id}', '1'), needed(action.scope)] as const]
            : [],
        ),
      ]
    })
    expect(routes.length).toBeGreaterThan(30)
    for (const [method, path, scope] of routes)
      expect(
        await refusalOf(script, method, path, ['POST', 'PATCH'].includes(method) ? {} : undefined),
        `${method} ${path}`,
      ).toBe(scope === null ? notForTokens : lacks(scope))
  })

  test('a list that another caller asked for before is not handed to a token without its scope', async () => {
    await root.api('GET', 'cron')
    const reader = await createScript(world, root, { scopes: ['nezha:inventory:read'] })
    expect(await refusalOf(reader, 'GET', 'cron')).toBe(lacks('nezha:cron:read'))
  })

  test('the live feeds ask for theirs', async () => {
    const reader = await createScript(world, root, { scopes: ['nezha:cron:read'] })
    for (const path of ['server', 'transfer'])
      await expect(openSocket(world, { path: `/api/v1/ws/${path}`, headers: reader.headers })).rejects.toMatchObject({
        status: 403,
      })
  })

  test('what only a signed-in person may do is refused whatever the scopes: tokens making tokens above all', async () => {
    const all = await createScript(world, root, { scopes: ['nezha:*'] })
    const refused = [
      ['GET', 'api-tokens'],
      ['POST', 'api-tokens', { name: 'more', scopes: ['nezha:*'] }],
      ['DELETE', `api-tokens/${all.id}`],
      ['GET', 'profile'],
      ['POST', 'profile', { original_password: 'x', new_username: 'x', new_password: 'xxxxxxxx' }],
      ['POST', 'refresh-token'],
      ['POST', 'logout'],
      ['POST', 'step-up', { password: 'x' }],
    ] as const
    for (const [method, path, body] of refused)
      expect(await refusalOf(all, method, path, body), `${method} ${path}`).toBe(notForTokens)
    expect(await refusalOf(all, 'GET', 'refresh-token')).toBe(notForTokens)
  })

  test('a token of a member is no more than the member', async () => {
    const script = await createScript(world, alice.browser, { scopes: ['nezha:server:*', 'nezha:inventory:*'] })
    const { data } = (await script.send('GET', 'server')).body
    expect((data as { id: number }[]).map(({ id }) => id)).toEqual([2])
    expect((await script.send('PATCH', 'server/1', { name: 'x' })).body.error).toBe('server id 1 does not exist')
  })
})

describe('S-36 a token that is no more', () => {
  const connected = (script: Script, path: string) =>
    openSocket(world, { path: `/api/v1/ws/${path}`, headers: script.headers })

  test('a revoked one has its sockets closed and is unknown', async () => {
    const script = await createScript(world, root, { scopes: ['nezha:*'] })
    const other = await createScript(world, root, { scopes: ['nezha:*'] })
    const sockets = [await connected(script, 'server'), await connected(script, 'transfer')]
    const stays = await connected(other, 'transfer')
    await root.api('DELETE', `api-tokens/${script.id}`)
    for (const socket of sockets)
      expect(await socket.take(({ event }) => event === 'close')).toEqual({ event: 'close', code: 1008 })
    expect(await refusalOf(script, 'GET', 'server')).toBe('401 ApiErrorUnauthorized: invalid api token')
    expect((await other.send('GET', 'server')).status).toBe(200)
    stays.close()
  })

  test('an expired one is refused, and both count against the address', async () => {
    const script = await createScript(world, root, { scopes: ['nezha:*'], expires_in_days: 1 })
    clock.set(clock.now() + dayMs - 1)
    expect((await script.send('GET', 'server')).status).toBe(200)
    clock.set(clock.now() + 1)
    expect(await refusalOf(script, 'GET', 'server')).toBe('401 ApiErrorUnauthorized: api token expired')
    const strikes = () =>
      world.server.container.db.selectFrom('waf').selectAll().where('block_identifier', '=', -126).execute()
    await world.server.container.firewall.settled()
    expect(await strikes()).toMatchObject([{ ip: '127.0.0.1', block_reason: 2, count: 1 }])
    root = await world.login()
    const good = await createScript(world, root, { scopes: ['nezha:*'] })
    await good.send('GET', 'server')
    await world.server.container.firewall.settled()
    expect(await strikes()).toEqual([])
  })

  test('whoever guesses from elsewhere is blocked, with a good token too', async () => {
    const from = '127.0.0.9'
    const good = await createScript(world, root, { scopes: ['nezha:*'] })
    const caller = createBrowser(world.origin)
    const call = (token: string) =>
      caller.send('GET', '/api/v1/server', { bare: true, from, headers: { Authorization: `Bearer ${token}` } })
    expect((await call('nzp_00000000000000000000000000000000')).status).toBe(401)
    expect((await call(good.token)).status).toBe(403)
    await clock.advance(4000)
    expect((await call(good.token)).status).toBe(200)
  })
})

describe('the text of a token', () => {
  test('is told once and stored as its hash', async () => {
    const { id, token } = await createScript(world, root, { scopes: ['nezha:*'] })
    expect(token).toMatch(/^nzp_[0-9A-Za-z]{32}$/)
    const [row] = await entityTables(world.server.container.db)
      .selectFrom('api_tokens')
      .selectAll()
      .where('id', '=', id)
      .execute()
    expect(row!.token_hash).toBe(createHash('sha256').update(token).digest('hex'))
    expect(JSON.stringify(row)).not.toContain(token)
    expect(JSON.stringify(await root.api('GET', 'api-tokens'))).not.toContain('nzp_')
    expect(world.log.join()).not.toContain(token)
  })

  test('is taken from the header alone, and the header decides over the cookie', async () => {
    const owner = await world.login({ username: 'alice', password: alice.password })
    const script = await createScript(world, owner, { scopes: ['nezha:inventory:read'] })
    const browser = createBrowser(world.origin)
    const inCookie = { bare: true, headers: { Cookie: `nz-jwt=${script.token}` } }
    expect((await browser.send('GET', '/api/v1/server', inCookie)).body.error).toBe('ApiErrorUnauthorized')
    const inQuery = await browser.send('GET', `/api/v1/server?token=${script.token}`)
    expect(inQuery.body.error).toBe('ApiErrorUnauthorized')
    const both = { headers: script.headers }
    expect((await root.send('GET', '/api/v1/cron', both)).body.error).toBe(
      'ApiErrorForbidden: api token lacks scope nezha:cron:read',
    )
  })

  test('S-19 a forged header does not skip the CSRF check', async () => {
    const { 'nz-jwt': jwt } = Object.fromEntries(root.cookies)
    const forged = { Cookie: `nz-jwt=${jwt}`, Authorization: 'Bearer nzp_x' }
    const answer = await createBrowser(world.origin).send('POST', '/api/v1/server-group', {
      bare: true,
      headers: forged,
      body: { name: 'forged', servers: [] },
    })
    expect(answer.status).toBe(401)
  })

  test('says when and from where it was last used, and who it is for', async () => {
    const script = await createScript(world, root, { scopes: ['nezha:*'], server_ids: [1] })
    await script.send('GET', 'server')
    const tokens = (await root.api('GET', 'api-tokens')) as {
      id: number
      last_used_ip?: string
      last_used_at?: string
    }[]
    expect(tokens.find(({ id }) => id === script.id)).toMatchObject({
      last_used_ip: '127.0.0.1',
      last_used_at: new Date(clock.now()).toISOString(),
    })
    expect((await script.send('GET', 'capabilities')).body.data).toMatchObject({
      token: { name: 'script', username: 'admin', role: 0, scopes: ['nezha:*'], server_ids: [1] },
    })
    expect(await root.api('GET', 'capabilities')).not.toHaveProperty('token')
  })

  test('R-11 the audit record names it, refusals too', async () => {
    const script = await createScript(world, root, { scopes: ['nezha:server:write'] })
    await script.send('POST', 'server-group', { name: 'by token', servers: [] })
    await script.send('POST', 'terminal', { server_id: 1 })
    const entries = () =>
      world.server.container.db.selectFrom('audit').selectAll().where('username', '=', 'admin (script)').execute()
    await expect
      .poll(async () => (await entries()).map(({ action, result }) => `${action}: ${result}`))
      .toEqual(expect.arrayContaining(['server-group create: ok', 'POST /api/v1/terminal: refused']))
  })
})
