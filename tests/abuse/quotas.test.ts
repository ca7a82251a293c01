import { entityTables } from '@qd/server/records/table'
import { afterEach, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { memberKinds, sampleBody, sampleDomain } from '../support/samples.ts'
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
    nat_domains: sampleDomain,
  })
  return { boss, ...(await world.member('bob')) }
}

const refused = {
  code: 'quota',
  error: 'limit reached: 3 of 3 records of this kind; an admin can raise it in the settings',
}

async function fill(browser: Browser, server: number) {
  const answers: Record<string, unknown> = {}
  for (const kind of memberKinds) {
    const { name, wire } = kind
    // All at once: a limit that is looked at before the others are stored is none.
    const all = await Promise.all(
      [0, 1, 2, 3, 4].map((n) => {
        const body = sampleBody(kind, { name: `n${n}`, server })
        return browser.send('POST', `/api/v1/${wire.path}`, { body }).then((answer) => answer.body)
      }),
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
  const answers = await fill(browser, id)
  for (const { name } of memberKinds)
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
