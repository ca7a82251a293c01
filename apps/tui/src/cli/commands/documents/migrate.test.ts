import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dashboard, good, type Route, unauthorized } from '../../../../../../tests/support/peers/fake-dashboard.ts'
import { runQd } from '../../../../../../tests/support/tui/run.ts'
import { admin, createWorld, type World } from '../../../../../../tests/support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world?.close())

async function qd(...args: string[]) {
  const env = { QD_URL: world.origin, QD_USER: admin.username, QD_PASSWORD: admin.password }
  return runQd({ args, env, input: 'source password\n' })
}

const list = async (entity: string) => JSON.parse((await qd(entity, 'ls', '--json')).stdout)

interface Recorded {
  request: { method: string; path: string }
  response: { status: number; body: { success?: boolean; data?: unknown } | null }
}

/** The longest list that was recorded of a path. */
function recorded(file: string, path: string): unknown {
  const url = new URL(`../../../../../../tests/data/fixtures/http/${file}.json`, import.meta.url)
  const calls = JSON.parse(readFileSync(url, 'utf8')) as Recorded[]
  const answers = calls.filter(({ request }) => request.method === 'GET' && request.path === `/api/v1/${path}`)
  const sizes = answers.map(({ response }) => JSON.stringify(response.body?.data ?? null).length)
  return answers[sizes.indexOf(Math.max(...sizes))]!.response.body!.data
}

const answers = (changes: Readonly<Record<string, unknown>> = {}): Record<string, Route> => {
  const signIn = { token: 'a.b.c', expire: new Date(Date.now() + 3_600_000).toISOString() }
  const lists = {
    profile: { id: 1, username: 'admin', role: 0 },
    setting: recorded('settings', 'setting'),
    server: recorded('servers', 'server'),
    'server-group': recorded('server-groups', 'server-group'),
    'service/list': recorded('services', 'service/list'),
    service: recorded('services', 'service'),
    cron: recorded('crons', 'cron'),
    notification: recorded('notifications', 'notification'),
    'notification-group': recorded('notification-groups', 'notification-group'),
    'alert-rule': recorded('alert-rules', 'alert-rule'),
    ddns: recorded('ddns', 'ddns'),
    nat: recorded('nat', 'nat'),
    user: recorded('users', 'user'),
    ...changes,
  }
  return {
    'POST login': () => ({
      ...good(signIn),
      headers: { 'set-cookie': ['nz-jwt=a.b.c; Path=/', 'nz-csrf=c.d; Path=/'] },
    }),
    ...Object.fromEntries(Object.entries(lists).map(([path, data]) => [`GET ${path}`, () => good(data)])),
  }
}

const migrate = (url: string, ...flags: string[]) =>
  qd('migrate', '--from', url, '--from-user', 'admin', '--from-password-file', '-', ...flags)

test('an existing dashboard is copied: by names, without what cannot be read or is not here yet; once more copies what is missing', async () => {
  await world.agent({ uuid: '11111111-1111-4111-8111-111111111111' })
  const source = await dashboard(answers())
  const dry = await migrate(source.baseUrl, '--dry-run')
  expect(dry).toMatchObject({ code: 0 })
  expect(await list('cron')).toEqual([])

  const { code, stderr, stdout } = await migrate(source.baseUrl, '--yes', '--json')
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(source.seen.filter(({ method, path }) => method !== 'GET' && path !== 'login')).toEqual([])
  const { left_out: left } = JSON.parse(stdout)
  expect(left).toContainEqual({ resource: 'notification', name: 'hook', reason: 'secret', field: 'url' })
  expect(left).toContainEqual({ resource: 'server', name: 'db-1', reason: 'notHere' })
  expect(left).toContainEqual(expect.objectContaining({ resource: 'user', reason: 'password' }))
  expect(left).toContainEqual({ resource: 'setting', name: 'fleet', reason: 'risky', field: 'custom_code_dashboard' })
  expect(left).toContainEqual(
    expect.objectContaining({ resource: 'server-group', name: 'prod (2)', reason: 'renamed' }),
  )
  expect(stderr).toContain('notification hook: not copied: its url can’t be read')

  const [web] = await list('server')
  expect(web).toMatchObject({ name: 'web-1', display_index: 5 })
  const groups = await list('server-group')
  expect(groups).toContainEqual(expect.objectContaining({ name: 'prod', servers: [web.id] }))
  expect(await list('cron')).toContainEqual(
    expect.objectContaining({ name: 'hourly', scheduler: '0 0 * * * *', servers: [web.id] }),
  )
  expect(await list('notification-group')).toContainEqual(expect.objectContaining({ name: 'ops', notifications: [] }))
  expect(JSON.parse((await qd('setting', 'get', '--json')).stdout)).toMatchObject({
    site_name: 'fleet',
    install_host: 'dash.example.com:8008',
    custom_code_dashboard: '',
    session_days: 30,
  })

  const again = await migrate(source.baseUrl, '--yes')
  expect(again).toMatchObject({ code: 0, stdout: '' })
  await world.agent({ uuid: '22222222-2222-4222-8222-222222222222' })
  expect(await migrate(source.baseUrl, '--yes')).toMatchObject({ code: 0 })
  const db = (await list('server')).find(({ name }: { name: string }) => name === 'db-1')
  const prod = (await list('server-group')).find(({ name }: { name: string }) => name === 'prod')
  expect(prod.servers).toEqual([web.id, db.id])
  expect(await migrate(source.baseUrl)).toMatchObject({ code: 0, stdout: '' })
})

test('a record that spares what is not here is not copied, for it would reach it later; told secrets are copied', async () => {
  const cron = (id: number, name: string, cover: number, servers: number[]) => ({
    id,
    name,
    cover,
    servers,
    task_type: 0,
    scheduler: '0 0 4 * * *',
    command: 'true',
    notification_group_id: 5,
  })
  const hook = {
    id: 9,
    name: 'told',
    url: 'https://told.example.net/secret',
    request_method: 1,
    request_type: 1,
    request_header: '',
    request_body: '',
    verify_tls: true,
  }
  const source = await dashboard(
    answers({
      notification: [hook],
      'notification-group': [{ group: { id: 5, name: 'told group' }, notifications: [9] }],
      user: [{ id: 1, username: 'admin' }],
      cron: [cron(1, 'spares', 1, [3]), cron(2, 'spares none', 1, [])],
    }),
  )
  const { code, stdout, stderr } = await migrate(source.baseUrl, '--yes')
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(stdout).not.toContain('told.example.net')
  expect(stderr).toMatch(/cron spares: not copied yet: it excludes .+, which aren’t here yet/)
  const tasks = (await list('cron')).map(({ name }: { name: string }) => name)
  expect(tasks).toContain('spares none')
  expect(tasks).not.toContain('spares')
  expect(await list('notification')).toContainEqual(expect.objectContaining({ name: 'told', host: 'told.example.net' }))
})

test('the source is a saved connection as well; the server itself, a wrong password and a missing flag are refused', async () => {
  expect(
    await qd('migrate', '--from', world.origin, '--from-user', admin.username, '--from-password-file', passwordFile()),
  ).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is the server to copy to'),
  })
  expect(await qd('migrate')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('missing required flag: --from'),
  })
  const source = await dashboard({
    ...answers(),
    'POST login': () => ({ body: { success: false, error: 'ApiErrorUnauthorized' } }),
  })
  expect((await migrate(source.baseUrl, '--yes')).code).toBe(4)
  expect(await qd('migrate', '--from', source.baseUrl, '--from-user', 'admin')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--from-password-file'),
  })
})

function passwordFile(): string {
  const path = join(world.data, 'password')
  writeFileSync(path, admin.password)
  return path
}

test('what the other server refuses is told with its address, not with that of the server to copy to', async () => {
  const source = await dashboard({ ...answers(), 'GET cron': () => unauthorized })
  const { code, stderr } = await migrate(source.baseUrl, '--yes')
  expect([code, stderr]).toEqual([4, expect.stringContaining(`address ${source.baseUrl}\n`)])
  expect(stderr).not.toMatch(/has ended|127\.0\.0\.1-/)
})
