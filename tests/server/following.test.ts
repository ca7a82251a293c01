import { afterAll, beforeAll, expect, test } from 'vitest'
import { serviceBody } from '../support/bodies.ts'
import type { Browser } from '../support/browser.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

let world: World
let admin: Browser
let ids: number[]
let group: number

const task = {
  task_type: 0,
  scheduler: '0 0 3 * * *',
  command: 'uptime',
  push_successful: false,
  notification_group_id: 0,
  cover: 0,
  servers: [],
}
const rule = {
  enable: true,
  rules: [{ type: 'cpu', max: 90, duration: 10, cover: 0, ignore: {} }],
  trigger_mode: 1,
  notification_group_id: 0,
  fail_trigger_tasks: [],
  recover_trigger_tasks: [],
}

beforeAll(async () => {
  world = await createWorld()
  for (const number of [1, 2, 3]) await world.agent({ uuid: uuidOf(number) })
  admin = await world.login()
  const listed = (await admin.api('GET', 'server')) as readonly { id: number; uuid: string }[]
  ids = [1, 2, 3].map((number) => listed.find(({ uuid }) => uuid === uuidOf(number))!.id)
  group = (await admin.api('POST', 'server-group', { name: 'web', servers: [ids[0]] })) as number
})
afterAll(() => world?.close())

const members = (servers: readonly (number | undefined)[], name = 'web') =>
  admin.api('PATCH', `server-group/${group}`, { name, servers })
const found = async (path: string, id: number) =>
  ((await admin.api('GET', path)) as readonly Record<string, unknown>[]).find((row) => row.id === id)!

test('N-03 a task, a service, a rule and a window follow a group; the wire has the resolved list', async () => {
  const following = { server_query: 'group:web', follows: true }
  const cron = (await admin.api('POST', 'cron', { ...task, ...following, name: 'followed' })) as number
  const service = (await admin.api('POST', 'service', {
    ...serviceBody({ type: 3 }),
    ...following,
    name: 'shop',
    target: 'shop.example.net:443',
  })) as number
  const alert = (await admin.api('POST', 'alert-rule', { ...rule, ...following, name: 'hot' })) as number
  const window = (await admin.api('POST', 'maintenance-window', {
    ...following,
    name: 'disks',
    starts_at: '2026-11-20T00:00:00Z',
    ends_at: '2036-11-20T00:00:00Z',
    cover: 0,
    servers: [],
    services: [],
    note: '',
  })) as number
  const reached = async () => ({
    cron: await found('cron', cron).then(({ cover, servers }) => ({ cover, servers })),
    service: await found('service/list', service).then(({ cover, skip_servers }) => ({ cover, servers: skip_servers })),
    rule: await found('alert-rule', alert).then(({ rules }) => rules),
    window: await found('maintenance-window', window).then(({ cover, servers }) => ({ cover, servers })),
  })
  const expected = (servers: readonly (number | undefined)[]) => {
    const marks = Object.fromEntries(servers.map((id) => [String(id), true]))
    return {
      cron: { cover: 0, servers },
      service: { cover: 1, servers: marks },
      rule: [{ type: 'cpu', max: 90, duration: 10, cover: 1, ...(servers.length > 0 && { ignore: marks }) }],
      window: { cover: 1, servers },
    }
  }
  // At once, before any server moved.
  expect(await reached()).toEqual(expected([ids[0]]))
  await members([ids[0], ids[1]])
  await expect.poll(reached).toEqual(expected([ids[0], ids[1]]))
  await members([ids[1]])
  await expect.poll(reached).toEqual(expected([ids[1]]))
  // A group that gets another name is still meant.
  await members([ids[1], ids[2]], 'front end')
  await expect.poll(reached).toEqual(expected([ids[1], ids[2]]))
  expect(await found('cron', cron)).toMatchObject({ server_query: 'group:"front end"', follows: true })
  // A client that knows nothing of following changes nothing of it.
  await admin.api('PATCH', `cron/${cron}`, { ...task, name: 'renamed' })
  expect(await found('cron', cron)).toMatchObject({ name: 'renamed', follows: true, servers: [ids[1], ids[2]] })
  await members([ids[0]], 'web')
  await expect.poll(reached).toEqual(expected([ids[0]]))
})

test('a client that doesn’t know a field that came with a capability keeps it', async () => {
  const body = { ...serviceBody({ type: 3 }), name: 'placed', target: 'shop.example.net:443' }
  const id = (await admin.api('POST', 'service', { ...body, display_index: 7 })) as number
  const { display_index: _unknown, ...older } = { display_index: 0, ...body }
  await admin.api('PATCH', `service/${id}`, { ...older, name: 'renamed' })
  expect(await found('service/list', id)).toMatchObject({ name: 'renamed', display_index: 7 })
})

test('a run of a task that follows goes to the servers of that moment', async () => {
  const cron = (await admin.api('POST', 'cron', {
    ...task,
    name: 'now',
    server_query: 'group:web',
    follows: true,
  })) as number
  await members([ids[2]])
  const { run_id } = (await admin.api('POST', `cron/${cron}/manual`)) as { run_id: number }
  const run = (await admin.api('GET', `run/${run_id}`)) as { items: readonly { server_id: number }[] }
  expect(run.items.map(({ server_id }) => server_id)).toEqual([ids[2]])
})

test.each([
  [{ server_query: 'cpu>90' }, 'server_query'],
  [{ server_query: 'online' }, 'server_query'],
  [{ server_query: 'seen>1d' }, 'server_query'],
  [{ server_query: 'group:' }, 'server_query'],
  [{ server_query: ' ' }, 'server_query'],
])('what cannot be followed is refused and says why: %j', async (change, field) => {
  const refused = await admin.send('POST', '/api/v1/cron', {
    body: { ...task, name: 'wrong', follows: true, ...change },
  })
  expect(JSON.stringify(refused.body)).toContain(field)
  expect(refused.body).not.toMatchObject({ success: true })
})

test('D4 a member reaches own servers only, whatever the selection', async () => {
  await admin.api('POST', 'user', { username: 'mia', password: 'a long password', role: 1 })
  const member = await world.login({ username: 'mia', password: 'a long password' })
  const id = (await member.api('POST', 'cron', {
    ...task,
    name: 'mine',
    server_query: 'name:*',
    follows: true,
  })) as number
  const mine = (await member.api('GET', 'cron')) as readonly Record<string, unknown>[]
  expect(mine.find((row) => row.id === id)).toMatchObject({ servers: [], follows: true })
})
