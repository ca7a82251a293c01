import type { Task } from '@qd/protocol/agent'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

let clock: FakeClock
let world: World
let browser: Browser
let agent: SimulatedAgent
let other: SimulatedAgent

beforeAll(async () => {
  clock = createFakeClock()
  world = await createWorld({ clock })
  browser = await world.login()
  agent = await world.agent({ uuid: uuidOf(1) })
  other = await world.agent({ uuid: uuidOf(2) })
})
afterAll(() => world.close())
afterEach(async () => {
  const rows = ((await browser.api('GET', 'service/list')) ?? []) as { id: number }[]
  await browser.api(
    'POST',
    'batch-delete/service',
    rows.map(({ id }) => id),
  )
})

const create = async (fields: object = {}, by = browser) =>
  (await by.api('POST', 'service', {
    name: 'shop',
    type: 3,
    target: '127.0.0.1:80',
    duration: 30,
    cover: 1,
    skip_servers: { 1: true },
    ...fields,
  })) as number

const counts = async (id: number) => {
  const { services } = (await browser.api('GET', 'service')) as {
    services: Record<string, { total_up: number; total_down: number }>
  }
  const { total_up: up, total_down: down } = services[id]!
  return { up, down }
}

let ports = 1000

/** The next task for a target; what is left of other tests is passed over. */
async function taskFor(target: string, of = agent): Promise<Task> {
  for (;;) {
    const task = await of.nextTask()
    if (task.data === target) return task
  }
}

/** A service that server 1 was just asked to look at. */
async function asked(): Promise<{ id: number; task: Task; target: string }> {
  ports += 1
  const target = `127.0.0.1:${ports}`
  const id = await create({ target })
  await clock.advance(0)
  return { id, task: await taskFor(target), target }
}

/** Sends a good answer to a later probe and waits for it, so that what was sent before has been looked at. */
async function good(id: number, task: Task, count = 1) {
  agent.answer(task, { data: '', successful: true, delay: 7 })
  await expect.poll(() => counts(id)).toMatchObject({ up: count })
}

describe('S-39 results that nobody asked for', () => {
  test('an invented id, another type, another reporter, a duplicate: none of them counts', async () => {
    const { id, task, target } = await asked()
    const failure = { data: 'forged', successful: false, delay: 0 }
    agent.answer({ ...task, id: task.id + 1n }, failure)
    agent.answer({ ...task, id: BigInt(id) }, failure)
    agent.answer({ ...task, id: 2n ** 64n - 1n }, failure)
    agent.answer({ ...task, type: 2n }, failure)
    agent.answer({ ...task, type: 4n }, failure)
    other.answer(task, failure)
    await good(id, task)
    agent.answer(task, failure)
    await clock.advance(30_000)
    await good(id, await taskFor(target), 2)
    expect(await counts(id)).toEqual({ up: 2, down: 0 })
    expect(world.log.filter((line) => line.includes('"level":"error"'))).toEqual([])
  })

  test('a late answer counts no more', async () => {
    const { id, task, target } = await asked()
    await clock.advance(61_000)
    agent.answer(task, { data: 'late', successful: false, delay: 0 })
    await good(id, await taskFor(target))
    expect(await counts(id)).toEqual({ up: 1, down: 0 })
  })

  test('an answer to what the service was before counts no more', async () => {
    const { id, task } = await asked()
    await browser.api('PATCH', `service/${id}`, {
      name: 'shop',
      type: 3,
      target: '127.0.0.1:81',
      cover: 1,
      skip_servers: { 1: true },
    })
    await clock.advance(0)
    const next = await taskFor('127.0.0.1:81')
    agent.answer(task, { data: 'old', successful: false, delay: 0 })
    await good(id, next)
    expect(await counts(id)).toEqual({ up: 1, down: 0 })
  })

  test('an answer for a service that is deleted is dropped', async () => {
    const { id, task } = await asked()
    await browser.api('POST', 'batch-delete/service', [id])
    agent.answer(task, { data: '', successful: true, delay: 1 })
    const { id: next, task: nextTask } = await asked()
    await good(next, nextTask)
    expect(await browser.api('GET', `service/list?id=${next}`)).not.toContainEqual(expect.objectContaining({ id }))
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -5, 1e30])('a delay of %d does no harm', async (delay) => {
    const { id, task } = await asked()
    agent.answer(task, { data: '', successful: true, delay })
    await expect.poll(() => counts(id)).toEqual({ up: 1, down: 0 })
    const [row] = (await browser.api('GET', `service/list?id=${id}`)) as { delay: number | null }[]
    expect(row!.delay === null || (row!.delay >= 0 && row!.delay <= 3_600_000)).toBe(true)
  })

  test('words of a reporter are one short harmless line', async () => {
    const { id, task } = await asked()
    agent.answer(task, { data: `\n${'x'.repeat(2_000_000)}\u202e\u001b[2J`, successful: false, delay: 0 })
    await expect.poll(() => counts(id)).toEqual({ up: 0, down: 1 })
    const [row] = (await browser.api('GET', `service/list?id=${id}`)) as { error: string }[]
    expect(row!.error.length).toBeLessThan(600)
    expect(row!.error).not.toMatch(/[\u0000-\u001f\u202e]/)
  })
})

describe('S-33 a hidden service', () => {
  test('is nowhere for guests and other members', async () => {
    const shown = await create({ name: 'shown' })
    const hidden = await create({ name: 'hidden', hide_for_guest: true, skip_servers: { 2: true } })
    const older = await create({ name: 'older', enable_show_in_service: false })
    const member = (await world.member('mallory')).browser
    for (const reader of [world.guest(), member]) {
      const { services } = (await reader.api('GET', 'service')) as { services: object }
      expect(Object.keys(services)).toContain(String(shown))
      expect(Object.keys(services)).not.toContain(String(hidden))
      expect(Object.keys(services)).not.toContain(String(older))
      for (const id of [hidden, older]) {
        const { body } = await reader.send('GET', `/api/v1/service/${id}/history`)
        expect(body).toMatchObject({ error: 'service not found' })
      }
      expect(await reader.api('GET', 'service/server')).toEqual([1])
      expect(JSON.stringify(await reader.api('GET', 'server/2/service'))).not.toContain('hidden')
    }
    expect(await member.api('GET', 'service/list')).toBeNull()
    expect((await world.guest().send('GET', '/api/v1/service/list')).body.error).toBe('ApiErrorUnauthorized')
  })

  test('a closed site shows services to nobody who is not signed in', async () => {
    const { config } = (await browser.api('GET', 'setting')) as { config: object }
    const id = await create()
    await browser.api('PATCH', 'setting', { ...config, force_auth: true })
    for (const path of ['service', 'service/server', `service/${id}/history`, 'server/1/service'])
      expect((await world.guest().send('GET', `/api/v1/${path}`)).body.error).toBe('ApiErrorUnauthorized')
    await browser.api('PATCH', 'setting', { ...config, force_auth: false })
    expect((await world.guest().send('GET', '/api/v1/service')).body.success).toBe(true)
  })

  test('a foreign service answers as an unknown one, to every verb', async () => {
    const id = await create()
    const member = (await world.member('trudy')).browser
    const text = `service id ${id} does not exist`
    const body = { name: 'x', type: 3, target: 'a:1', cover: 1 }
    expect((await member.send('PATCH', `/api/v1/service/${id}`, { body })).body.error).toBe(text)
    expect((await member.send('POST', `/api/v1/service/${id}/check`)).body.error).toBe(text)
    await member.api('POST', 'batch-delete/service', [id])
    expect(await browser.api('GET', `service/list?id=${id}`)).toHaveLength(1)
  })
})

describe('whose servers and tasks', () => {
  test('a monitor of a member is never sent to servers of others', async () => {
    const member = await world.member('oscar')
    const own = await world.agent({ uuid: uuidOf(9), secret: member.secret })
    await create({ name: 'all of mine', cover: 0, skip_servers: {}, target: 'mine:1' }, member.browser)
    await clock.advance(0)
    expect((await own.nextTask()).data).toBe('mine:1')
    world.server.container.agents.send(1, { id: 1, type: 12, data: 'the last' })
    const passed: string[] = []
    while (passed.at(-1) !== 'the last') passed.push((await agent.nextTask()).data)
    expect(passed).not.toContain('mine:1')
  })

  test('S-30 a monitor never runs tasks of others, however it came to name them', async () => {
    const victim = await browser.api('POST', 'cron', {
      name: 'wipe',
      task_type: 1,
      command: 'x',
      cover: 1,
      servers: [],
    })
    const member = await world.member('peggy')
    const own = await world.agent({ uuid: uuidOf(7), secret: member.secret })
    const fields = { name: 'trap', cover: 0, skip_servers: {}, target: 'trap:1', enable_trigger_task: true }
    const id = await create(fields, member.browser)
    const { services } = world.server.container
    const records = services as unknown as { patch(id: number, fields: object): Promise<void> }
    await records.patch(id, { fail_trigger_tasks: [victim] })
    await clock.advance(0)
    own.answer(await taskFor('trap:1', own), { data: '', successful: true })
    await clock.advance(30_000)
    own.answer(await taskFor('trap:1', own), { data: 'down', successful: false })
    const open = async () => ((await browser.api('GET', 'incident')) as { value: { service_id: number }[] }).value
    await expect.poll(open).toContainEqual(expect.objectContaining({ service_id: id }))
    await world.server.container.incidents.settled()
    expect(JSON.stringify(await browser.api('GET', 'run'))).not.toContain('wipe')
  })

  test('S-28 foreign and unknown servers, groups and tasks are refused', async () => {
    const { browser: member } = await world.member('eve')
    const task = await browser.api('POST', 'cron', { name: 't', task_type: 1, command: 'true', cover: 1, servers: [] })
    const group = await browser.api('POST', 'notification-group', { name: 'ops', notifications: [] })
    const base = { name: 'x', type: 3, target: 'a:1' }
    const refused = async (fields: object) =>
      (await member.send('POST', '/api/v1/service', { body: { ...base, ...fields } })).body.error
    expect(await refused({ skip_servers: { 1: true } })).toBe('permission denied')
    expect(await refused({ cover: 1, skip_servers: { 1: true } })).toBe('permission denied')
    expect(await refused({ cover: 1, skip_servers: { 999: true } })).toBe('permission denied')
    expect(await refused({ fail_trigger_tasks: [task] })).toBe('permission denied')
    expect(await refused({ recover_trigger_tasks: [999] })).toBe('permission denied')
    expect(await refused({ notification_group_id: group })).toBe('permission denied')
    expect(await refused({ notification_group_id: 999 })).toBe('notification group id 999 does not exist')
  })

  test('a token attaches tasks only with the scope that runs them, and sees nothing beyond its servers', async () => {
    const task = await browser.api('POST', 'cron', { name: 't', task_type: 1, command: 'true', cover: 1, servers: [] })
    const token = async (fields: object) =>
      ((await browser.api('POST', 'api-tokens', { name: 'k', ...fields })) as { token: string }).token
    const call = (text: string, method: string, path: string, body?: object) =>
      world.guest().send(method, `/api/v1/${path}`, {
        headers: { Authorization: `Bearer ${text}`, 'Content-Type': 'application/json' },
        ...(body && { bodyText: JSON.stringify(body) }),
      })
    const writer = await token({ scopes: ['nezha:service:write'] })
    const body = { name: 'x', type: 3, target: 'a:1', fail_trigger_tasks: [task] }
    expect((await call(writer, 'POST', 'service', body)).status).toBe(403)
    expect((await call(writer, 'GET', 'service')).status).toBe(403)
    const everywhere = await create({ name: 'everywhere', cover: 0, skip_servers: {} })
    const one = await create({ name: 'one' })
    const reader = await token({ scopes: ['nezha:service:read'], server_ids: [1] })
    const { data } = (await call(reader, 'GET', 'service')).body as { data: { services: object } }
    expect(Object.keys(data.services)).toContain(String(one))
    expect(Object.keys(data.services)).not.toContain(String(everywhere))
    expect((await call(reader, 'GET', 'server/2/service')).body.error).toBe('unauthorized')
    expect((await call(reader, 'GET', 'service/server')).body.data).toEqual([1])
  })
})

test('a check asks at once; where nobody is connected it is refused', async () => {
  const { id, task, target } = await asked()
  await good(id, task)
  expect(await browser.api('POST', `service/${id}/check`)).toEqual({ asked: 1 })
  expect((await taskFor(target)).id).not.toBe(task.id)
  const nobody = await create({ skip_servers: {} })
  const { body } = await browser.send('POST', `/api/v1/service/${nobody}/check`)
  expect(body).toMatchObject({ code: 'agentOffline', error: 'none of the servers that this service covers is online' })
})

test('deleted servers and tasks leave the lists that name them', async () => {
  const gone = await world.agent({ uuid: uuidOf(8) })
  const [server] = ((await browser.api('GET', 'server')) as { id: number; uuid: string }[]).filter(
    ({ uuid }) => uuid === gone.uuid,
  )
  const task = await browser.api('POST', 'cron', { name: 't', task_type: 1, command: 'true', cover: 1, servers: [] })
  const id = await create({ skip_servers: { 1: true, [server!.id]: true }, fail_trigger_tasks: [task] })
  await browser.api('POST', 'batch-delete/server', [server!.id])
  await browser.api('POST', 'batch-delete/cron', [task])
  const read = async () => ((await browser.api('GET', `service/list?id=${id}`)) as object[])[0]
  await expect.poll(read).toMatchObject({ skip_servers: { 1: true }, fail_trigger_tasks: [] })
  expect(await read()).not.toMatchObject({ skip_servers: { [server!.id]: true } })
})
