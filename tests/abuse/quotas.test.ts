import { resources } from '@qd/core/resources'
import { entityTables } from '@qd/server/records/table'
import { afterEach, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { admin, createWorld, uuidOf, type World } from '../support/world.ts'

let world: World
afterEach(() => world.close())

const most = 3

/** A world whose users may have three records of each kind, and one such user. */
async function limited() {
  world = await createWorld()
  const boss = await world.login()
  const { config } = (await boss.api('GET', 'setting')) as { config: object }
  await boss.api('PATCH', 'setting', {
    ...config,
    user_template: 'user-dist',
    user_records: most,
    nat_domains: 'nat.example',
  })
  return { boss, ...(await world.member('bob')) }
}

const wireOf = (name: string) => resources.find((resource) => resource.name === name)!.wire

/** A valid record of each kind that a user makes by a call. */
const bodies = (server: number): Readonly<Record<string, (n: number) => object>> => ({
  cron: (n) => ({ name: `${n}`, command: 'id', scheduler: '@daily' }),
  service: (n) => ({ name: `${n}`, type: 2, target: 'example.net', duration: 60 }),
  notification: (n) => ({
    name: `${n}`,
    url: 'https://example.net/',
    request_method: 1,
    request_type: 1,
    skip_check: true,
  }),
  'notification-group': (n) => ({ name: `${n}` }),
  'server-group': (n) => ({ name: `${n}` }),
  'alert-rule': (n) => ({ name: `${n}`, rules: [{ type: 'cpu', max: 90, duration: 10, cover: 0 }] }),
  'maintenance-window': (n) => ({
    name: `${n}`,
    starts_at: '2030-01-01T00:00:00Z',
    ends_at: '2030-01-02T00:00:00Z',
    cover: 0,
  }),
  ddns: (n) => ({ name: `${n}`, provider: 'dummy', domains: ['a.example'], max_retries: 1 }),
  nat: (n) => ({ name: `${n}`, enabled: false, server_id: server, host: '127.0.0.1:80', domain: `n${n}.nat.example` }),
  'api-token': (n) => ({ name: `${n}`, scopes: ['nezha:cron:read'] }),
})

const refused = {
  code: 'quota',
  error: 'limit reached: 3 of 3 records of this kind; an admin can raise it in the settings',
}

async function fill(browser: Browser, server: number) {
  const answers: Record<string, unknown> = {}
  for (const [name, body] of Object.entries(bodies(server))) {
    const path = `/api/v1/${wireOf(name).path}`
    // All at once: a limit that is looked at before the others are stored is none.
    const all = await Promise.all(
      [0, 1, 2, 3, 4].map((n) => browser.send('POST', path, { body: body(n) }).then((answer) => answer.body)),
    )
    const made = all.filter((one) => one.success === true)
    answers[name] = { made: made.length, ...all.find((one) => one.success !== true) }
  }
  return answers
}

test('issue 37.4 a user has so many records of each kind, and an admin as many as they like', async () => {
  const { boss, browser, secret } = await limited()
  const { id } = await world.agent({ secret }).then(async () => {
    const [server] = (await browser.api('GET', 'server')) as { id: number }[]
    return server!
  })
  const kinds = resources
    .filter(({ wire, audience }) => wire.verbs.includes('create') && audience.write !== 'admin')
    .map(({ name }) => name as string)
  expect(kinds.sort()).toEqual(Object.keys(bodies(0)).sort())
  const answers = await fill(browser, id)
  for (const name of kinds)
    expect([name, answers[name]]).toEqual([
      name,
      { made: most, ...refused, params: { resource: name, used: most, maximum: most } },
    ])
  const { cron } = (await fill(boss, id)) as { cron: unknown }
  expect(cron).toEqual({ made: 5 })
})

test('issue 37.4 hosts and sign-ins of a user are limited too', async () => {
  const { id, secret, password } = await limited()
  for (let n = 1; n <= most; n += 1) await world.agent({ secret, uuid: uuidOf(n) })
  const { servers } = world.server.container
  await expect(servers.enrol({ uuid: uuidOf(9), ownerId: id })).rejects.toMatchObject({ code: 'quota' })
  const user = { username: 'bob', password }
  const first = await world.login(user)
  for (let n = 0; n < most; n += 1) await world.login(user)
  expect((await first.send('GET', '/api/v1/profile')).body.success).toBeUndefined()
  const { sessions, accounts } = world.server.container
  const of = (name: string) => sessions.all().filter((one) => one.user_id === accounts.byName(name)!.id)
  expect(of('bob')).toHaveLength(most)
  for (let n = 0; n < most; n += 1) await world.login(admin)
  expect(of('admin').length).toBeGreaterThan(most)
})

test('issue 37.4 a list that is far too long for one text is still answered', async () => {
  world = await createWorld()
  const browser = await world.login()
  for (let n = 0; n < 8; n += 1)
    await browser.api('POST', 'cron', { name: `task ${n}`, command: 'id', scheduler: '@daily' })
  // As an older version stored them.
  const command = `\u00e4<${'x'.repeat(1_000_000)}`
  await entityTables(world.server.container.db).updateTable('crons').set({ command }).execute()
  await world.restart()
  const again = await world.login()
  const { headers, body } = await again.send('GET', '/api/v1/cron')
  expect(headers['content-length']).toBeUndefined()
  const tasks = body.data as { name: string; command: string }[]
  expect(tasks.map(({ name }) => name)).toEqual(Array.from({ length: 8 }, (_, n) => `task ${n}`))
  expect(tasks.every((task) => task.command === command)).toBe(true)
})
