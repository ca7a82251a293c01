import { entityTables } from '@qd/server/records/table'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

interface Row {
  id: number
  name: string
}

let world: World
let root: Browser
let alice: Browser
let alicePassword: string
let agents: { root: SimulatedAgent; alice: SimulatedAgent; bob: SimulatedAgent }
const ids = { rootServer: 0, aliceServer: 0, bobServer: 0, rootCron: 0, rootGroup: 0 }

beforeAll(async () => {
  world = await createWorld()
  root = await world.login()
  const member = await world.member('alice')
  const other = await world.member('bob')
  alice = member.browser
  alicePassword = member.password
  agents = {
    root: await world.agent({ uuid: uuidOf(1) }),
    alice: await world.agent({ uuid: uuidOf(2), secret: member.secret }),
    bob: await world.agent({ uuid: uuidOf(3), secret: other.secret }),
  }
  const servers = (await root.api('GET', 'server')) as (Row & { uuid: string })[]
  const idOf = (n: number) => servers.find((server) => server.uuid === uuidOf(n))!.id
  Object.assign(ids, { rootServer: idOf(1), aliceServer: idOf(2), bobServer: idOf(3) })
  ids.rootCron = (await root.api('POST', 'cron', {
    name: 'root task',
    task_type: 1,
    command: 'id',
    servers: [ids.rootServer],
  })) as number
  ids.rootGroup = (await root.api('POST', 'server-group', { name: 'root group', servers: [ids.rootServer] })) as number
})
afterAll(() => world.close())

const answerOf = async (browser: Browser, method: string, path: string, body?: unknown) => {
  const { status, text } = await browser.send(method, `/api/v1/${path}`, { body })
  return `${status} ${text}`
}

describe('S-25 a member and somebody else’s record', () => {
  test.each([
    ['server', 'rootServer', { name: 'taken' }],
    ['cron', 'rootCron', { name: 'taken', task_type: 1, command: 'id' }],
    ['server-group', 'rootGroup', { name: 'taken' }],
  ] as const)('%s: edited and read as if it did not exist', async (noun, key, body) => {
    const foreign = await answerOf(alice, 'PATCH', `${noun}/${ids[key]}`, body)
    const unknown = await answerOf(alice, 'PATCH', `${noun}/9999`, body)
    expect(foreign.replaceAll(String(ids[key]), 'N')).toBe(unknown.replaceAll('9999', 'N'))
    const listed = ((await alice.api('GET', noun)) ?? []) as (Row & { group?: Row })[]
    expect(listed.map((row) => row.group?.name ?? row.name)).not.toContain(noun === 'cron' ? 'root task' : 'root group')
    const byId = await alice.api('GET', `${noun}?id=${ids[key]}`)
    expect(JSON.stringify(byId ?? [])).not.toContain('root')
  })

  test('a task: triggered, and its run read, as if it did not exist', async () => {
    const { run_id } = (await root.api('POST', `cron/${ids.rootCron}/manual`)) as { run_id: number }
    await agents.root.nextTask()
    expect((await alice.send('POST', `/api/v1/cron/${ids.rootCron}/manual`)).body.error).toBe(
      `task id ${ids.rootCron} does not exist`,
    )
    expect((await alice.send('GET', `/api/v1/run/${run_id}`)).body.error).toBe(`run id ${run_id} does not exist`)
    expect((await alice.send('POST', `/api/v1/run/${run_id}/again`)).body.error).toBe(`run id ${run_id} does not exist`)
    expect(await alice.api('GET', 'run')).toEqual({ pagination: { limit: 25 }, all: 0, counts: {} })
  })

  test('settings are for administrators', async () => {
    const { body } = await alice.send('PATCH', '/api/v1/setting', { body: { user_template: 'user-dist' } })
    expect(body).toMatchObject({ error: 'permission denied', code: 'forbidden' })
  })
})

test('S-26 a batch of own, foreign and unknown ids: own ones go, foreign ones stay, unknown ones are no matter', async () => {
  const own = await alice.api('POST', 'cron', { name: 'mine', task_type: 1, command: 'id' })
  const answer = await alice.send('POST', '/api/v1/batch-delete/cron', { body: [own, ids.rootCron, 9999, 0, own] })
  expect(answer.text).toBe('{"success":true}')
  expect(await alice.api('GET', 'cron')).toBeNull()
  expect(((await root.api('GET', 'cron')) as Row[]).map(({ id }) => id)).toEqual([ids.rootCron])
})

describe('S-27 references to somebody else’s records', () => {
  test.each([
    ['cron', { task_type: 1, command: 'id', cover: 0 }],
    ['cron', { task_type: 1, command: 'id', cover: 1 }],
    ['server-group', {}],
  ])('%s %j: refused at write, as unknown ones are', async (noun, body) => {
    const foreign = await alice.send('POST', `/api/v1/${noun}`, {
      body: { name: 'x', ...body, servers: [ids.rootServer] },
    })
    const unknown = await alice.send('POST', `/api/v1/${noun}`, { body: { name: 'x', ...body, servers: [9999] } })
    expect(foreign.body.problems).toEqual([
      { field: 'servers', code: 'unknownReference', params: { ids: [ids.rootServer] } },
    ])
    expect(foreign.text.replace(String(ids.rootServer), 'N')).toBe(unknown.text.replace('9999', 'N'))
  })
})

test('issue 37.8 the servers of a condition are references too: foreign and unknown ones are refused, deleted ones go', async () => {
  const rule = (id: number) => ({
    name: 'x',
    rules: [{ type: 'cpu', max: 90, duration: 10, cover: 0, ignore: { [id]: true } }],
  })
  for (const id of [ids.rootServer, 9999])
    expect((await alice.send('POST', '/api/v1/alert-rule', { body: rule(id) })).body.problems).toEqual([
      { field: 'rules', code: 'unknownReference', params: { ids: [id] } },
    ])
  const extra = await world.agent({ uuid: uuidOf(7) })
  const { alertRules, servers } = world.server.container
  const gone = servers.byUuid(extra.uuid)!.id
  const id = (await root.api('POST', 'alert-rule', rule(gone))) as number
  await root.api('POST', 'batch-delete/server', [gone])
  await expect.poll(() => alertRules.find(id)!.rules[0]!.ignore).toEqual({})
})

test('S-28 a reference to an id that does not exist yet is refused', async () => {
  const next = Math.max(ids.rootServer, ids.aliceServer, ids.bobServer) + 1
  for (const [noun, body] of [
    ['cron', { task_type: 1, command: 'id' }],
    ['server-group', {}],
  ] as const) {
    const { body: answer } = await root.send('POST', `/api/v1/${noun}`, {
      body: { name: 'x', ...body, servers: [next] },
    })
    expect(answer.problems?.[0]).toMatchObject({ field: 'servers', code: 'unknownReference' })
  }
})

test('S-29 a member’s task for all servers with an empty list reaches the member’s own only', async () => {
  const task = await alice.api('POST', 'cron', { name: 'all', task_type: 1, command: 'id', cover: 1, servers: [] })
  const { run_id } = (await alice.api('POST', `cron/${task}/manual`)) as { run_id: number }
  expect((await agents.alice.nextTask()).data).toBe('id')
  const run = (await alice.api('GET', `run/${run_id}`)) as { items: { server_id: number }[] }
  expect(run.items.map((item) => item.server_id)).toEqual([ids.aliceServer])
})

test('S-27 references are checked again at run: a server that changed hands is not reached any more', async () => {
  const task = await alice.api('POST', 'cron', { name: 'm', task_type: 1, command: 'id', servers: [ids.aliceServer] })
  const { db } = world.server.container
  await entityTables(db).updateTable('servers').set({ owner_id: 1 }).where('id', '=', ids.aliceServer).execute()
  await world.restart()
  const again = await world.login({ username: 'alice', password: alicePassword })
  const { run_id } = (await again.api('POST', `cron/${task}/manual`)) as { run_id: number }
  const run = (await again.api('GET', `run/${run_id}`)) as { items: unknown[] }
  expect(run.items).toEqual([])
})
