import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { serviceBody } from '../support/bodies.ts'
import type { Browser } from '../support/browser.ts'
import { specSection } from '../support/spec.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
let root: Browser
let server = 0

beforeAll(async () => {
  world = await createWorld()
  root = await world.login()
  await world.agent()
  await vi.waitFor(async () => expect(await list('server')).toHaveLength(1), { timeout: 30_000 })
  server = ((await root.api('GET', 'server')) as { id: number }[])[0]!.id
})
afterAll(() => world.close())

const list = async (path: string) => ((await root.api('GET', path)) ?? []) as Record<string, unknown>[]
/** What an answer says of these fields: what is not set is left out or null there, as on the existing product. */
const told = (item: object, wanted: object) => {
  const flat = { ...item, ...(item as { group?: object }).group } as Record<string, unknown>
  const unset = (value: unknown) =>
    Array.isArray(value) ? [] : typeof value === 'object' ? {} : typeof value === 'string' ? '' : false
  return Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, flat[name] ?? unset(value)]))
}
const idOf = (item: Record<string, unknown>) => Number((item.group as { id: number } | undefined)?.id ?? item.id)

/** What each entity of the table is made of: the fields of section 3 by their names on the wire, and what changes of it. */
const entities = {
  notification: {
    list: 'notification',
    body: { name: 'chat', url: 'http://127.0.0.1:9/x', request_method: 2, request_type: 1, skip_check: true },
    // The address may hold a secret and comes back hidden (decisions.md, "Secrets in lists").
    hidden: ['url', 'skip_check'],
    change: { name: 'chat-2' },
  },
  'notification-group': {
    list: 'notification-group',
    body: { name: 'on call', notifications: [] },
    change: { name: 'all' },
  },
  'server-group': { list: 'server-group', body: { name: 'web', servers: [] }, change: { name: 'edge' } },
  'alert-rule': {
    list: 'alert-rule',
    body: {
      ...{ name: 'cpu', rules: [{ type: 'cpu', max: 90, duration: 10, cover: 0 }], notification_group_id: 0 },
      ...{ fail_trigger_tasks: [], recover_trigger_tasks: [], trigger_mode: 0, enable: true },
    },
    change: { name: 'cpu high' },
  },
  cron: {
    list: 'cron',
    body: {
      ...{ name: 'nightly', task_type: 0, scheduler: '0 0 3 * * *', command: 'true', servers: [], cover: 1 },
      ...{ push_successful: false, notification_group_id: 0 },
    },
    change: { name: 'weekly' },
  },
  ddns: {
    list: 'ddns',
    body: {
      name: 'home',
      provider: 'dummy',
      domains: ['a.example.net'],
      max_retries: 3,
      enable_ipv4: true,
      enable_ipv6: false,
    },
    change: { name: 'office' },
  },
  nat: {
    list: 'nat',
    body: { name: 'wiki', enabled: true, server_id: 0, host: '127.0.0.1:80', domain: 'wiki.example.net' },
    change: { name: 'docs' },
  },
  service: {
    list: 'service/list',
    body: serviceBody({ name: 'shop', target: 'https://shop.example.net' }),
    hidden: ['hide_for_guest'],
    change: { name: 'store' },
  },
} as const satisfies Record<string, { list: string; body: object; change: object; hidden?: readonly string[] }>

describe('7. lists, creating, changing and deleting, payload by payload', () => {
  test.each(Object.entries(entities))('%s', async (path, entity) => {
    expect(specSection(7)).toContain(`POST /api/v1/batch-delete/${path}`)
    const body = { ...entity.body, ...('server_id' in entity.body && { server_id: server }) } as Record<string, unknown>
    const id = await root.api('POST', path, body)
    expect(id).toEqual(expect.any(Number))
    const found = async () => (await list(entity.list)).find((item) => idOf(item) === id)
    const hidden: readonly string[] = 'hidden' in entity ? entity.hidden : []
    const kept = Object.fromEntries(Object.entries(body).filter(([name]) => !hidden.includes(name)))
    const made = (await found())!
    expect(told(made, kept)).toEqual(kept)
    if (path.endsWith('-group')) expect(made).toMatchObject({ group: { id, name: body.name } })
    await root.api('PATCH', `${path}/${id}`, { ...body, ...entity.change })
    const changed = { ...kept, ...entity.change }
    expect(told((await found())!, changed)).toEqual(changed)
    await root.api('POST', `batch-delete/${path}`, [id])
    expect(await found()).toBeUndefined()
  })

  test('user: create with username, role, password; delete with the id list', async () => {
    const id = await root.api('POST', 'user', { username: 'kim', role: 1, password: 'a good long password' })
    expect(await list('user')).toContainEqual(expect.objectContaining({ id, username: 'kim', role: 1 }))
    expect(JSON.stringify(await list('user'))).not.toContain('a good long')
    await root.api('POST', 'batch-delete/user', [id])
    expect((await list('user')).map((user) => user.id)).not.toContain(id)
  })

  test('server: its fields by PATCH; the id list of a deletion', async () => {
    const [before] = await list('server')
    const changes = { name: 'edge-1', display_index: 4, note: 'rack 4', public_note: '{}', hide_for_guest: true }
    const ddns = { enable_ddns: false, ddns_profiles: [], override_ddns_domains: {} }
    await root.api('PATCH', `server/${server}`, { ...changes, ...ddns })
    const wanted = { id: server, uuid: before!.uuid, ...changes, ...ddns }
    expect(told((await list('server'))[0]!, wanted)).toEqual(wanted)
    const gone = await root.send('POST', '/api/v1/batch-delete/server', { body: [9_999] })
    expect(gone.status).toBe(200)
    expect(await list('server')).toHaveLength(1)
  })
})

describe('7. calls of their own, payload by payload', () => {
  test('GET /api/v1/profile: profile', async () => {
    const profile = await root.api('GET', 'profile')
    const texts = { agent_secret: expect.any(String), login_ip: expect.any(String) }
    const wanted = { username: 'admin', role: 0, ...texts, reject_password: false, oauth2_bind: {} }
    expect(told(profile as object, wanted)).toEqual(wanted)
  })
  test('POST /api/v1/profile: original_password, new_password, new_username, reject_password', async () => {
    const { browser, password } = await world.member('lee')
    const values = { original_password: 'wrong', new_password: 'another long password', new_username: 'lee-2' }
    const refused = await browser.send('POST', '/api/v1/profile', { body: { ...values, reject_password: false } })
    expect(refused.body.success).not.toBe(true)
    const wanted = { username: 'lee', reject_password: false }
    expect(told((await browser.api('GET', 'profile')) as object, wanted)).toEqual(wanted)
    const taken = { ...values, original_password: password, reject_password: false }
    await browser.api('POST', 'profile', taken)
    expect(
      await (await world.login({ username: 'lee-2', password: values.new_password })).api('GET', 'profile'),
    ).toMatchObject({ username: 'lee-2' })
  })
  test.each(['POST', 'GET'])('%s /api/v1/refresh-token answers, by GET from the same origin alone', async (method) => {
    const headers = method === 'GET' ? { 'Sec-Fetch-Site': 'same-origin' } : {}
    const answer = await root.send(method, '/api/v1/refresh-token', { headers })
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    if (method === 'GET') expect((await root.send('GET', '/api/v1/refresh-token')).status).toBe(404)
  })
  test('POST /api/v1/terminal: server_id; returns session_id', async () => {
    expect(await root.api('POST', 'terminal', { server_id: server })).toMatchObject({ session_id: expect.any(String) })
  })
  test.each(['POST', 'GET'])('%s /api/v1/file?id={id}: returns session_id', async (method) => {
    const headers = method === 'GET' ? { 'Sec-Fetch-Site': 'same-origin' } : {}
    const { body } = await root.send(method, `/api/v1/file?id=${server}`, { headers })
    expect(body.data).toMatchObject({ session_id: expect.any(String) })
  })
  test.each(['POST', 'GET'])('%s /api/v1/cron/{id}/manual: manual run now', async (method) => {
    const id = await root.api('POST', 'cron', { ...entities.cron.body, name: method, servers: [server], cover: 0 })
    const headers = method === 'GET' ? { 'Sec-Fetch-Site': 'same-origin' } : {}
    const answer = await root.send(method, `/api/v1/cron/${id}/manual`, { headers })
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    if (method === 'GET') expect((await root.send('GET', `/api/v1/cron/${id}/manual`)).status).toBe(404)
  })
  test('POST /api/v1/force-update/server: server ids; success, failure, offline', async () => {
    const away = await root.send('POST', '/api/v1/force-update/server', { body: [9_999] })
    expect(away.status).toBe(200)
    const answer = (await root.api('POST', 'force-update/server', [server])) as Record<string, unknown>
    for (const bucket of ['success', 'failure', 'offline'])
      expect(answer[bucket] ?? [], bucket).toEqual(expect.any(Array))
  })
  test('POST /api/v1/server/config: config as JSON string and servers as ids; success, failure, offline', async () => {
    const config = JSON.stringify({ report_delay: 2 })
    const answer = (await root.api('POST', 'server/config', { config, servers: [server] })) as Record<string, unknown>
    for (const bucket of ['success', 'failure', 'offline'])
      expect(answer[bucket] ?? [], bucket).toEqual(expect.any(Array))
  })
  test('GET /api/v1/ddns/providers: list of names', async () => {
    expect(await root.api('GET', 'ddns/providers')).toEqual(
      expect.arrayContaining(['dummy', 'webhook', 'cloudflare', 'tencentcloud', 'he']),
    )
  })
  test('GET /api/v1/setting: config, frontend_templates, version', async () => {
    const answer = (await root.api('GET', 'setting')) as { frontend_templates: object[]; version: string }
    expect(answer).toMatchObject({ config: { site_name: expect.any(String) }, version: expect.stringMatching(/\d/) })
    const template = { path: expect.any(String), name: expect.any(String) }
    expect(answer.frontend_templates[0]).toMatchObject({ ...template, is_official: true })
  })
  test.each(['online-user', 'waf'])('GET /api/v1/%s?offset&limit: value list and pagination.total', async (path) => {
    for (const address of ['203.0.113.7', '203.0.113.8'])
      await root.api('POST', 'waf/block', { address, duration: 0, note: '' })
    const { body } = await root.send('GET', `/api/v1/${path}?offset=0&limit=1`)
    const { value, pagination } = body.data as { value: unknown[] | null; pagination: { total?: number } }
    expect((value ?? []).length).toBeLessThanOrEqual(1)
    expect(pagination.total ?? 0).toEqual(expect.any(Number))
    if (path === 'waf') expect(value?.[0]).toMatchObject({ ip: expect.stringContaining('203.0.113'), block_reason: 4 })
  })
  test('POST /api/v1/online-user/batch-block and /batch-delete/waf: list of IPs', async () => {
    const address = '198.51.100.9'
    const isBlocked = async () => {
      const { body } = await root.send('GET', '/api/v1/waf?offset=0&limit=100')
      return (body.data as { value: { ip: string }[] }).value.some(({ ip }) => ip === address)
    }
    await root.api('POST', 'online-user/batch-block', [address])
    expect(await isBlocked()).toBe(true)
    await root.api('POST', 'batch-delete/waf', [address])
    expect(await isBlocked()).toBe(false)
  })
  test.each(['1', '2'])('GET /api/v1/oauth2/{provider}: query type %s; response redirect', async (type) => {
    const body = {
      name: `House${type}`,
      kind: 'github',
      base_url: 'https://github.com',
      site_url: world.origin,
      enabled: true,
    }
    await root.api('POST', 'sign-in-provider', { ...body, client_id: 'qd', client_secret: 'kept' })
    const answer = await root.api('GET', `oauth2/House${type}?type=${type}`)
    expect(answer).toMatchObject({
      redirect: expect.stringMatching(/^https:\/\/github\.com\/login\/oauth\/authorize\?/),
    })
    expect(await root.api('POST', `oauth2/House${type}/unbind`)).toBeNull()
  })
})
