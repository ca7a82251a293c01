import { entityTables } from '@qd/server/records/table'
import { afterEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
let clock: FakeClock
afterEach(() => world.close())

const cpu = { type: 'cpu', max: 90, duration: 3, cover: 0 }
const rule = (fields: object) => ({ name: 'cpu high', enable: true, trigger_mode: 1, rules: [cpu], ...fields })

/** Lets each agent report such a load, and rules judge it, for so long; the first time a rule is looked at 13 s after the start. */
async function report(agents: readonly SimulatedAgent[], load: number, seconds: number): Promise<void> {
  const { live } = world.server.container
  for (let passed = 0; passed < seconds; passed += 3) {
    for (const agent of agents) {
      const before = live.version()
      agent.report({ cpu: load })
      while (live.version() === before) await new Promise((resolve) => setImmediate(resolve))
    }
    await clock.advance(3000)
    await world.server.container.incidents.settled()
  }
}

const startWorld = async () => {
  clock = createFakeClock()
  world = await createWorld({ clock })
}

test('S-30 an alert runs no task of somebody else, and a member cannot name one', async () => {
  await startWorld()
  const root = await world.login()
  const alice = await world.member('alice')
  const bob = await world.member('bob')
  const agent = await world.agent({ secret: alice.secret, onCommand: () => ({ data: 'ran', successful: true }) })
  const task = { task_type: 1, cover: 0, servers: [1], command: 'id' }
  const ofAlice = await alice.browser.api('POST', 'cron', { ...task, name: 'of alice' })
  const ofBob = await bob.browser.api('POST', 'cron', { ...task, name: 'of bob', servers: [] })
  const ofRoot = await root.api('POST', 'cron', { ...task, name: 'of root' })

  const tried = await alice.browser.send('POST', '/api/v1/alert-rule', { body: rule({ fail_trigger_tasks: [ofBob] }) })
  expect(tried.body.error).toBe('permission denied')
  const unknown = await alice.browser.send('POST', '/api/v1/alert-rule', { body: rule({ fail_trigger_tasks: [99] }) })
  expect(unknown.body.error).toBe('permission denied')

  const id = (await alice.browser.api('POST', 'alert-rule', rule({ fail_trigger_tasks: [ofAlice] }))) as number
  const { alertRules, crons } = world.server.container as unknown as {
    alertRules: { update(id: number, change: (row: object) => object): Promise<unknown> }
    crons: { find(id: number): { last_run_id: number } }
  }
  await alertRules.update(id, (row) => ({ ...row, fail_trigger_tasks: [ofAlice, ofBob, ofRoot] }))
  await report([agent], 99, 24)
  const { value } = (await root.api('GET', 'run')) as { value: { name: string; started_by: string }[] }
  expect(value.map(({ name }) => name)).toEqual(['of alice'])
  expect(crons.find(ofRoot as number).last_run_id).toBe(0)
})

test('S-30 a task for the server that raised the alert does not reach one its owner does not', async () => {
  await startWorld()
  const root = await world.login()
  const alice = await world.member('alice')
  const agent = await world.agent()
  const task = { name: 'here', task_type: 1, cover: 2, servers: [], command: 'id' }
  const ofAlice = await alice.browser.api('POST', 'cron', task)
  const ofRoot = await root.api('POST', 'cron', task)
  await root.api('POST', 'alert-rule', rule({ fail_trigger_tasks: [ofAlice, ofRoot] }))
  await report([agent], 99, 24)
  const { value } = (await root.api('GET', 'run')) as { value: { id: number; owner: { username: string } }[] }
  expect(value.map(({ owner }) => owner.username)).toEqual(['admin'])
})

test('S-50 conditions that make no sense are refused with words, and none of them stops a good rule', async () => {
  await startWorld()
  const root = await world.login()
  const agent = await world.agent()
  const words = async (...rules: unknown[]) =>
    (await root.send('POST', '/api/v1/alert-rule', { body: rule({ rules }) })).body.error
  expect(await words()).toBe('need to configure at least a single rule')
  expect(await words(null)).toMatch(/^rules /)
  expect(await words('cpu')).toMatch(/^rules /)
  expect(await words({ ...cpu, duration: 0 })).toBe('duration need to be at least 3')
  expect(await words({ ...cpu, duration: 28_801 })).toBe('duration must be at most 28800')
  expect(await words({ ...cpu, duration: 1e300 })).toMatch(/^rules |at most/)
  expect(await words({ ...cpu, max: 'much' })).toMatch(/^rules /)
  expect(await words(...Array(65).fill(cpu))).toMatch(/^rules /)
  expect(
    await words({ type: 'transfer_in_cycle', cover: 0, cycle_interval: 1, cycle_start: '2027-01-01T00:00:00Z' }),
  ).toBe('cycle_start is a future value')
  expect(await words({ type: 'nonsense', cover: 0, duration: 28_800, min: 1 })).toMatch(
    /unknown type nonsense; available: cpu, /,
  )
  expect(await words({ type: 'temperature_max', cover: 0, duration: 3, max: 1 })).toBeUndefined()
  expect(await words({ type: 'gpu_max', cover: 0, duration: 3, min: 1 })).toBeUndefined()

  const { db } = world.server.container
  const damaged = [
    '[null]',
    '{not json',
    '[{"type":5}]',
    '[{"type":"cpu","max":1e400,"duration":-1,"cover":9}]',
    '[[]]',
  ]
  for (const rules of damaged) {
    await root.api('POST', 'alert-rule', rule({ name: rules }))
    await entityTables(db).updateTable('alert_rules').set({ rules }).where('name', '=', rules).execute()
  }
  await root.api('POST', 'alert-rule', rule({ name: 'good' }))
  await world.restart()
  const again = await world.agent({ uuid: agent.uuid })
  await report([again], 99, 24)
  const root2 = await world.login()
  const { value } = (await root2.api('GET', 'incident')) as { value: { name: string }[] }
  expect(value.map(({ name }) => name)).toEqual(['good'])
  expect((await world.guest().send('GET', '/healthz')).status).toBe(200)
  expect(((await root2.api('GET', 'alert-rule')) as unknown[]).length).toBe(damaged.length + 3)
})

test('members see their own rules, incidents and windows; visitors what fails on servers that are not hidden', async () => {
  await startWorld()
  const root = await world.login()
  const alice = await world.member('alice')
  const agents = [await world.agent(), await world.agent({ secret: alice.secret })]
  await root.api('PATCH', 'server/1', { name: 'secret', hide_for_guest: true })
  const mine = await root.api('POST', 'alert-rule', rule({ name: 'of root' }))
  await alice.browser.api('POST', 'alert-rule', rule({ name: 'of alice' }))
  const window = {
    name: 'w',
    starts_at: '2020-01-01T00:00:00Z',
    ends_at: '2020-01-02T00:00:00Z',
    cover: 1,
    services: [],
  }
  await root.api('POST', 'maintenance-window', { ...window, servers: [1] })
  const foreign = await alice.browser.send('POST', '/api/v1/maintenance-window', { body: { ...window, servers: [1] } })
  expect(foreign.body.error).toBe('have invalid server id')
  await report(agents, 99, 24)

  const names = async (who: { api(method: string, path: string): Promise<unknown> }, path: string) => {
    const answer = (await who.api('GET', path)) as { value?: { name: string }[] } | { name: string }[] | null
    return (Array.isArray(answer) ? answer : (answer?.value ?? [])).map(({ name }) => name).sort()
  }
  expect(await names(root, 'incident')).toEqual(['of alice', 'of root', 'of root'])
  expect(await names(alice.browser, 'incident')).toEqual(['of alice'])
  expect(await names(alice.browser, 'alert-rule')).toEqual(['of alice'])
  expect(await names(alice.browser, 'maintenance-window')).toEqual([])
  const { value } = (await root.api('GET', 'incident')) as { value: { id: number; owner: { username: string } }[] }
  const ofRoot = value.find(({ owner }) => owner.username === 'admin')!.id
  for (const path of [`incident/${ofRoot}/ack`, `incident/${ofRoot}/silence`, `alert-rule/${mine}/test`]) {
    const { body } = await alice.browser.send('POST', `/api/v1/${path}`, { body: {} })
    expect(body.error).toMatch(/does not exist/)
  }
  const tested = await alice.browser.send('POST', '/api/v1/alert-rule/backtest', { body: { id: mine } })
  expect(tested.body.error).toBe(`alert id ${mine} does not exist`)

  const visible = (await world.guest().api('GET', 'incident')) as { value: Record<string, unknown>[] }
  expect(visible.value.map(({ server_id }) => server_id)).toEqual([2, 2])
  for (const incident of visible.value)
    for (const secret of ['told', 'runs', 'acked_by', 'acked_at', 'error', 'owner'])
      expect(incident).not.toHaveProperty(secret)
  await report(agents, 1, 3)
  expect(await names(world.guest(), 'incident')).toEqual([])
  expect(await names(root, 'incident?state=closed')).toHaveLength(3)
  expect(await names(root, 'incident?state=open')).toEqual([])
})

test('S-48 a silence is bounded, and back-tests of one person are few at a time', async () => {
  await startWorld()
  const root = await world.login()
  const agent = await world.agent()
  await root.api('POST', 'alert-rule', rule({}))
  await report([agent], 99, 24)
  const silence = (duration: unknown) => root.send('POST', '/api/v1/incident/1/silence', { body: { duration } })
  for (const duration of [0, -5, 1e12, 'long', null]) expect((await silence(duration)).body.code).toBe('invalid')
  expect((await silence(3600)).body.success).toBe(true)
  expect(await root.api('GET', 'incident/1')).toMatchObject({ state: 'silenced' })
  const { servers } = world.server.container
  for (let n = 0; n < 300; n += 1) await servers.enrol({ uuid: `many-${n}`, ownerId: 0 })
  const asked = Array.from({ length: 8 }, () =>
    root.send('POST', '/api/v1/alert-rule/backtest', { body: { rules: [cpu] } }),
  )
  const codes = (await Promise.all(asked)).map(({ body }) => body.code ?? 'answered')
  expect(new Set(codes)).toEqual(new Set(['answered', 'tooMany']))
})
