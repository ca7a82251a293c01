import { TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entityTables } from '../../apps/server/src/store/records/table.ts'
import type { Browser } from '../support/browser.ts'
import { failWrites } from '../support/server/base.ts'
import { admin, createWorld, type World } from '../support/world.ts'

interface Group {
  group: { id: number; name: string; updated_at: string }
  owner: { id: number; username: string; admin: boolean }
}

let world: World
let browser: Browser
beforeAll(async () => {
  world = await createWorld()
  browser = await world.login()
})
afterAll(() => world.close())

const first = async () => ((await browser.api('GET', 'server-group')) as Group[])[0]!

test('If-Match: of two who edit the same record, the second is told', async () => {
  const id = await browser.api('POST', 'server-group', { name: 'before' })
  const { updated_at } = (await first()).group
  const edit = (name: string) =>
    browser.send('PATCH', `/api/v1/server-group/${id}`, { body: { name }, headers: { 'If-Match': `"${updated_at}"` } })
  const answers = await Promise.all([edit('mine'), edit('yours')])
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 412])
  const lost = answers.find((answer) => answer.status === 412)!
  expect(lost.body).toMatchObject({ code: 'conflict' })
  const kept = answers[0]!.status === 200 ? 'mine' : 'yours'
  expect((await first()).group.name).toBe(kept)
})

test('every record says whose it is', async () => {
  expect((await first()).owner).toEqual({ id: 1, username: 'admin', admin: true })
})

test('guests are not told whose a record is, also right after somebody who is', async () => {
  const { servers } = world.server.container
  const { id } = await servers.enrol({ uuid: 'public', ownerId: 1 })
  await browser.api('POST', 'server-group', { name: 'public', servers: [id] })
  expect(JSON.stringify(await browser.api('GET', 'server-group'))).toContain('"username":"admin"')
  const seen = await world.guest().api('GET', 'server-group')
  expect(seen).toEqual([{ group: expect.objectContaining({ name: 'public' }), servers: [id] }])
})

test('what is told of a refused field can be translated', async () => {
  const { body } = await browser.send('POST', '/api/v1/cron', {
    body: { name: '', command: 'id', scheduler: '61 * * * * *' },
  })
  expect(body).toEqual({
    error: 'end of range (61) above maximum (59): 61',
    code: 'invalid',
    problems: [
      { field: 'name', code: 'required' },
      { field: 'scheduler', code: 'schedule', params: { reason: 'aboveMaximum', value: 61, max: 59, text: '61' } },
    ],
  })
})

test('a saved record is the response for who asks for it; others get what existing dashboards answer', async () => {
  const { id } = await world.server.container.servers.enrol({ uuid: 'asked', ownerId: 0 })
  const headers = { Prefer: 'return=representation' }
  const body = { name: 'asked', task_type: 1, command: 'id', cover: 1 }
  const made = (await browser.send('POST', '/api/v1/cron', { body, headers })).body.data as { id: number }
  expect(made).toMatchObject({ name: 'asked', command: 'id', owner: { username: 'admin' } })
  const path = `/api/v1/cron/${made.id}`
  const edited = (await browser.send('PATCH', path, { body: { ...body, name: 'edited' }, headers })).body.data
  expect(edited).toEqual(((await browser.api('GET', `cron?id=${made.id}`)) as unknown[])[0])
  expect((await browser.send('PATCH', path, { body })).body.data).toBeUndefined()
  expect(typeof (await browser.send('POST', '/api/v1/cron', { body })).body.data).toBe('number')
  const group = (await browser.send('POST', '/api/v1/server-group', { body: { name: 'g', servers: [id] }, headers }))
    .body
  expect(group.data).toMatchObject({ group: { name: 'g' }, servers: [id] })
  const site = { site_name: 'fleet', language: 'en_US', user_template: 'user-dist', cover: 1 }
  const { data: stored } = (await browser.send('PATCH', '/api/v1/setting', { body: site, headers })).body
  expect(stored).toMatchObject({ config: { language: 'en-US', site_name: 'fleet' } })
})

test('capabilities are told to everybody', async () => {
  expect((await world.guest().send('GET', '/api/v1/capabilities')).body.data).toMatchObject({
    name: 'quarterdeck',
    capabilities: expect.arrayContaining(['logout', 'runs', 'owner', 'if-match']),
  })
})

test('a large list is compressed for who asks, and answers the same after a change', async () => {
  const { servers } = world.server.container
  for (let n = 0; n < 50; n += 1) await servers.enrol({ uuid: `list-${n}`, ownerId: 0 })
  const plain = await browser.send('GET', '/api/v1/server')
  const packed = await browser.send('GET', '/api/v1/server', { headers: { 'Accept-Encoding': 'gzip, br' } })
  expect(packed.headers['content-encoding']).toBe('br')
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3)
  await browser.api('PATCH', 'server/1', { name: 'renamed' })
  expect((await browser.send('GET', '/api/v1/server')).text).toContain('"renamed"')
  expect(await browser.api('GET', 'server?id=2')).toHaveLength(1)
})

test('a deleted server leaves its groups, and who watches them is told', async () => {
  const { servers, serverGroups } = world.server.container
  const { id } = await servers.enrol({ uuid: 'short-lived', ownerId: 0 })
  const group = await browser.api('POST', 'server-group', { name: 'of one', servers: [id] })
  const told: unknown[] = []
  const stop = serverGroups.onChange(({ after }) => told.push(after))
  await browser.api('POST', 'batch-delete/server', [id])
  stop()
  expect(told).toEqual([expect.objectContaining({ id: group, servers: [] })])
})

test('a member’s list is never answered from an administrator’s', async () => {
  const { browser: alice } = await world.member('alice')
  expect(await browser.api('GET', 'server')).not.toBeNull()
  expect(await alice.api('GET', 'server')).toBeNull()
})

test('settings: what an older client does not know is kept, and a closed site is closed for guests', async () => {
  const whole = { site_name: 'fleet', language: 'de_DE', user_template: 'user-dist', cover: 1 }
  await browser.api('PATCH', 'setting', {
    ...whole,
    force_auth: true,
    time_zone: 'Europe/Berlin',
    install_host: 'dash:8008',
  })
  await browser.api('PATCH', 'setting', whole)
  const { config } = (await browser.api('GET', 'setting')) as { config: Record<string, unknown> }
  expect(config).toMatchObject({ language: 'de-DE', force_auth: true, time_zone: 'Europe/Berlin' })
  expect(config).not.toHaveProperty('install_host')
  const guest = world.guest()
  expect((await guest.send('GET', '/api/v1/server-group')).body.error).toBe('ApiErrorUnauthorized')
  expect((await guest.send('GET', '/api/v1/setting')).body.data).toMatchObject({ config: { site_name: 'fleet' } })
  await browser.api('PATCH', 'setting', { ...whole, force_auth: false })
})

test('audit: who did what to what, from where, and what came of it', async () => {
  const { browser: bob } = await world.member('bob')
  await world.guest().login('bob', 'a wrong password')
  const id = await browser.api('POST', 'cron', { name: 'audited', task_type: 1, command: 'id' })
  await browser.api('POST', `cron/${id}/manual`)
  await bob.send('PATCH', `/api/v1/cron/${id}`, { body: { name: 'x', task_type: 1, command: 'id' } })
  await bob.send('PATCH', '/api/v1/setting', { body: { user_template: 'user-dist' } })
  await browser.api('POST', 'batch-delete/cron', [id])
  await bob.api('POST', 'logout')
  const { db } = world.server.container
  const rows = async () =>
    (await db.selectFrom('audit').selectAll().orderBy('id').execute()).map(
      ({ username, action, target, result, address }) => `${username} ${action} ${target} ${result} ${address}`,
    )
  await expect.poll(rows).toContain('bob sign-out  ok 127.0.0.1')
  expect(await rows()).toEqual(
    expect.arrayContaining([
      'bob sign-in bob ok 127.0.0.1',
      ' sign-in bob refused 127.0.0.1',
      `admin cron run ${id} ok 127.0.0.1`,
      `bob cron edit ${id} refused 127.0.0.1`,
      'bob PATCH /api/v1/setting  refused 127.0.0.1',
      `admin cron delete ${id} ok 127.0.0.1`,
      'admin setting edit  ok 127.0.0.1',
    ]),
  )
})

test('a change whose audit entry can’t be stored isn’t made, and fails', async () => {
  const { db, servers, accounts, bindings, firewall } = world.server.container
  const enrol = async (uuid: string) => (await servers.enrol({ uuid, ownerId: 1 })).id
  const [server, moving, moved] = [await enrol('changed'), await enrol('moving'), await enrol('moved')]
  await servers.setSecret(server, 'a hash')
  const user = await accounts.create({ username: 'stays', password: 'a long password', role: 1 })
  const setting = {
    ...{ site_name: 'changed', language: 'de_DE', user_template: 'user-dist', cover: 1 },
    install_host: 'dash:8008',
  }
  // An edit, and the end, of a trial.
  const risky = { ...setting, agent_real_ip_header: 'X-Agent', on_trial: true }
  await browser.api('PATCH', 'setting', risky)
  const provider = await browser.api('POST', 'sign-in-provider', {
    ...{ name: 'House', kind: 'oidc', base_url: world.origin, site_url: world.origin, enabled: true },
    ...{ client_id: 'qd', client_secret: 'kept-secret' },
  })
  await bindings.bind({ user_id: 1, provider_id: Number(provider), open_id: 'admin-there' })
  const { key } = (await browser.api('GET', 'profile/totp')) as { key: string }
  const code = new TOTP({ secret: key }).generate()
  const { browser: mara, id: maraId } = await world.member('mara')
  const theirs = (await mara.api('GET', 'profile/totp')) as { key: string }
  await mara.api('POST', 'profile/totp', { code: new TOTP({ secret: theirs.key }).generate() })
  await accounts.rotateSecret(maraId, [server])
  const [session] = (await mara.api('GET', 'session')) as { id: number }[]
  await firewall.block(['203.0.113.1'], { until: null, note: '' })
  const group = await browser.api('POST', 'server-group', { name: 'stays', servers: [moving] })
  const others = await browser.api('POST', 'server-group', { name: 'too', servers: [moving] })
  const move = { ids: [moving, moved], to_user: maraId }
  const begun = (await browser.api('POST', 'batch-move/server', move)) as { transfer_id: number }[]
  const [pending, over] = begun.map(({ transfer_id }) => transfer_id)
  await browser.api('POST', `transfer/${over}/cancel`)
  const exec = { servers: [server], command: 'id', time_limit: 10 }
  const { run_id } = (await browser.api('POST', 'exec', exec)) as { run_id: number }
  const profile = { original_password: admin.password, new_username: 'renamed', new_password: 'another password' }
  const task = { name: 'stays', task_type: 1, command: 'id' }
  const id = await browser.api('POST', 'cron', task)
  const trialUntil = async () => ((await browser.api('GET', 'setting')) as { trial_until?: string }).trial_until
  const kept = async () => [
    await browser.api('GET', 'cron'),
    await browser.api('GET', 'profile'),
    await trialUntil(),
    ...(await Promise.all(['server-group', 'transfer', 'waf'].map((path) => browser.api('GET', path)))),
    await entityTables(db).selectFrom('crons').select(['id', 'name']).execute(),
    await entityTables(db).selectFrom('servers').select(['id', 'secret_hash', 'owner_id']).execute(),
    await entityTables(db).selectFrom('transfers').selectAll().execute(),
    await db.selectFrom('waf').selectAll().execute(),
    await db.selectFrom('enrollment_codes').selectAll().execute(),
    await db.selectFrom('sessions').select(['id', 'user_id']).orderBy('id').execute(),
    await db.selectFrom('runs').select('id').execute(),
    await db.selectFrom('users').selectAll().execute(),
    await db.selectFrom('settings').selectAll().orderBy('key').execute(),
    await db.selectFrom('oauth2_bindings').selectAll().execute(),
    await db.selectFrom('audit').select('action').execute(),
  ]
  const changes: [string, string, unknown, Browser?][] = [
    ['POST', 'cron', { ...task, name: 'new' }],
    ['PATCH', `cron/${id}`, { ...task, name: 'changed' }],
    ['POST', 'batch-delete/cron', [id]],
    ['POST', `cron/${id}/manual`, undefined],
    ['POST', 'force-update/server', [server]],
    ['POST', 'server/config', { servers: [server], config: '{"gpu":false}' }],
    ['POST', `server/${server}/revoke-secret`, undefined],
    ['POST', 'user', { username: 'new', password: 'a long password', role: 1 }],
    ['PATCH', `user/${user.id}`, { username: 'renamed', role: 1 }],
    ['POST', `user/${user.id}/rotate-secret`, undefined],
    ['POST', 'batch-delete/user', [user.id]],
    ['POST', 'profile/agent-secret', {}],
    ['POST', 'profile', profile],
    ['POST', 'profile/totp', { code }],
    ['POST', 'oauth2/house/unbind', undefined],
    ['POST', `user/${maraId}/reset-totp`, undefined],
    ['POST', `user/${maraId}/end-rotation`, undefined],
    ['POST', 'profile/agent-secret/end', {}, mara],
    ['POST', 'profile/totp/recovery-codes', {}, mara],
    ['POST', 'profile/totp/off', {}, mara],
    ['POST', `session/${session!.id}/revoke`, undefined],
    ['POST', 'logout', undefined, mara],
    ['POST', 'waf/block', { address: '203.0.113.2', duration: 0, note: '' }],
    ['POST', 'batch-delete/waf', ['203.0.113.1']],
    ['POST', 'online-user/batch-block', ['203.0.113.3', '203.0.113.4']],
    ['POST', 'batch-move/server', { ids: [server, moved], to_user: maraId }],
    ['POST', `transfer/${pending}/cancel`, undefined],
    ['POST', `transfer/${over}/retry`, undefined],
    ['POST', 'batch-group/server', { ids: [server, moving], add: [group], remove: [others] }],
    ['GET', 'install?os=linux', undefined],
    ['PATCH', 'setting', setting],
    ['PATCH', 'setting', { ...risky, waf_allowlist: ['203.0.113.1'] }],
    ['POST', 'setting/keep', {}],
    ['POST', 'setting/revert', {}],
    ['POST', 'exec', exec],
    ['POST', `run/${run_id}/again`, undefined],
    ['POST', 'host/unit/restart', { targets: [{ server_id: server, name: 'nginx.service' }] }],
    ['POST', 'file/run', { servers: [server], name: 'x', path: '/tmp/x', canary: 0, batch: 0, max_failures: 0 }],
  ]
  const before = await kept()
  const letThrough = await failWrites(db, 'audit', 'insert')
  for (const [method, path, body, from = browser] of changes) {
    const answer = await from.send(method, `/api/v1/${path}`, { body })
    expect([path, answer.body.success, answer.body.code]).toEqual([path, undefined, 'internal'])
  }
  await letThrough()
  expect(await kept()).toEqual(before)
  await browser.api('PATCH', `cron/${id}`, { ...task, name: 'changed' })
  const entries = await db.selectFrom('audit').select('action').orderBy('id').execute()
  expect(entries.at(-1)).toEqual({ action: 'cron edit' })
  // The key still waits for its first code.
  await browser.api('POST', 'profile/totp', { code: new TOTP({ secret: key }).generate() })
  await browser.api('POST', 'profile/totp/off', {})
  await browser.api('POST', 'setting/revert', {})
  expect(await mara.api('GET', 'profile')).toMatchObject({ username: 'mara', totp: true, secret_waiting: 1 })
})

test('health: good while the database answers, 503 with the reason otherwise', async () => {
  expect((await world.guest().send('GET', '/healthz')).text).toBe('{"success":true}')
  const broken = await createWorld()
  await broken.server.container.db.destroy()
  const answer = await broken.guest().send('GET', '/healthz')
  expect([answer.status, answer.body.error]).toEqual([503, 'the database is not responding'])
  await broken.close()
})
