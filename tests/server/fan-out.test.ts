import { commandWithInput } from '@qd/core/fields'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Browser } from '../support/browser.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

let world: World
let root: Browser
let alice: Browser
let agents: { own: SimulatedAgent; alice: SimulatedAgent }
const ids = { own: 0, gone: 0, alice: 0 }

beforeAll(async () => {
  world = await createWorld()
  root = await world.login()
  const member = await world.member('alice')
  alice = member.browser
  agents = {
    own: await world.agent({ uuid: uuidOf(1) }),
    alice: await world.agent({ uuid: uuidOf(3), secret: member.secret }),
  }
  const gone = await world.agent({ uuid: uuidOf(2) })
  const { servers, agents: hub } = world.server.container
  Object.assign(ids, {
    own: servers.byUuid(uuidOf(1))!.id,
    gone: servers.byUuid(uuidOf(2))!.id,
    alice: servers.byUuid(uuidOf(3))!.id,
  })
  await gone.close()
  await vi.waitFor(() => expect(hub.connected(ids.gone)).toBe(false), 30_000)
})
afterAll(() => world.close())

interface Item {
  server_id: number
  state: string
  reason: string | null
  output: string
  exit_code: number | null
}
const runOf = async (browser: Browser, id: number) =>
  (await browser.api('GET', `run/${id}`)) as { kind: string; command: string; items: Item[] }

describe('exec', () => {
  const exec = (browser: Browser, servers: readonly number[], command = 'uptime') =>
    browser.send('POST', '/api/v1/exec', { body: { servers, command, time_limit: 5 } })

  test('issue 18: stop ends a command where its agent has begun it, and says so where none can', async () => {
    const { run_id } = (await exec(root, [ids.own])).body.data as { run_id: number }
    const task = await agents.own.nextTask()
    const stop = () => root.send('POST', `/api/v1/run/${run_id}/stop`)
    expect((await stop()).body).toMatchObject({ error: 'no agent in this run can stop its command', code: 'blocked' })
    agents.own.answer({ ...task, type: 1004n }, { data: '', successful: false })
    await expect.poll(async () => (await runOf(root, run_id)).items[0]!.state).toBe('running')
    expect((await alice.send('POST', `/api/v1/run/${run_id}/stop`)).body.code).toBe('notFound')
    expect((await stop()).body.success).toBe(true)
    expect(await agents.own.nextTask()).toMatchObject({ id: task.id, type: 1104n })
    agents.own.answer(task, { data: 'signal: killed', successful: false })
    await expect.poll(async () => (await runOf(root, run_id)).items[0]!.state).toBe('failure')
    expect((await stop()).body).toMatchObject({ code: 'blocked' })
  })

  test('goes to each server named, and its output and exit codes are in the ledger', async () => {
    const { run_id } = (await root.api('POST', 'exec', {
      servers: [ids.own, ids.gone],
      command: 'uptime',
      time_limit: 5,
    })) as { run_id: number }
    const task = await agents.own.nextTask()
    expect([task.type, task.data]).toEqual([4n, 'uptime'])
    agents.own.answer(task, { data: 'up\n\nexit status 3', successful: false })
    await expect
      .poll(async () => (await runOf(root, run_id)).items.map(({ state }) => state))
      .toEqual(['failure', 'no_answer'])
    expect(await runOf(root, run_id)).toMatchObject({
      kind: 'exec',
      command: 'uptime',
      items: [{ output: 'up\n', exit_code: 3 }, { reason: 'offline' }],
    })
  })

  test('a command with piped input is sent as a whole and listed as it was typed', async () => {
    const command = commandWithInput('wc -l', 'a\nb\n')
    const { run_id } = (await exec(root, [ids.own], command)).body.data as { run_id: number }
    const task = await agents.own.nextTask()
    expect(task.data).toBe(command)
    agents.own.answer(task, { data: '2\n', successful: true })
    expect(await runOf(root, run_id)).toMatchObject({ name: 'wc -l', command })
  })

  test('a foreign server answers as an unknown one, and nothing is sent (S-34)', async () => {
    const foreign = await exec(alice, [ids.alice, ids.own])
    const unknown = await exec(alice, [ids.alice, 9999])
    expect(foreign.body).toMatchObject({ error: 'permission denied', problems: [{ code: 'unknownReference' }] })
    expect(foreign.text.replace(String(ids.own), 'N')).toBe(unknown.text.replace('9999', 'N'))
    expect(await alice.api('GET', 'run')).toEqual({ pagination: { limit: 25 }, all: 0, counts: {} })
  })

  test.each([
    ['no server', { servers: [], command: 'id', time_limit: 5 }, 'servers'],
    ['no command', { servers: [1], command: '', time_limit: 5 }, 'command'],
    ['a command that no shell takes', { servers: [1], command: 'x'.repeat(70_000), time_limit: 5 }, 'command'],
    ['a limit of nothing', { servers: [1], command: 'id', time_limit: 0 }, 'time_limit'],
  ])('%s is refused', async (_name, body, field) => {
    expect((await root.send('POST', '/api/v1/exec', { body })).body.problems).toMatchObject([{ field }])
  })
})

describe('force update', () => {
  const update = (browser: Browser, body: unknown) => browser.api('POST', 'force-update/server', body)

  test('answers in three buckets, and the ledger knows what became of it', async () => {
    const answer = (await update(root, [ids.own, ids.gone, 9999, ids.own])) as { run_id: number }
    expect(answer).toEqual({ success: [ids.own, ids.own], offline: [ids.gone, 9999], run_id: expect.any(Number) })
    const task = await agents.own.nextTask()
    expect([task.type, task.data]).toEqual([6n, ''])
    await agents.own.close()
    agents.own = await world.agent({ uuid: uuidOf(1), host: { version: '9.9.9' } })
    await expect
      .poll(async () => (await runOf(root, answer.run_id)).items)
      .toMatchObject([
        { server_id: ids.own, state: 'success', output: '2.3.3 -> 9.9.9' },
        { server_id: ids.gone, state: 'no_answer', reason: 'offline' },
      ])
  })

  test('S-34 foreign, unknown and offline ids: nothing is sent, and the answers are alike', async () => {
    const answers = await Promise.all([ids.own, 9999].map((id) => update(alice, [id])))
    expect(answers).toEqual([{ offline: [ids.own] }, { offline: [9999] }])
    expect(await alice.api('GET', 'run')).toEqual({ pagination: { limit: 25 }, all: 0, counts: {} })
    const mixed = (await update(alice, [ids.own, ids.alice])) as { run_id: number }
    expect(mixed).toMatchObject({ success: [ids.alice], offline: [ids.own] })
    expect((await agents.alice.nextTask()).type).toBe(6n)
    expect((await runOf(alice, mixed.run_id)).items.map(({ server_id }) => server_id)).toEqual([ids.alice])
  })

  test('a rollout of what is not one is refused', async () => {
    for (const body of [{ ids: [1] }, { servers: [1], canary: -1, batch: 0, max_failures: 0 }, { servers: [1] }])
      expect((await root.send('POST', '/api/v1/force-update/server', { body })).body.code).toBe('invalid')
  })
})

describe('configuration', () => {
  const push = (browser: Browser, servers: readonly number[], config: unknown) =>
    browser.send('POST', '/api/v1/server/config', { body: { servers, config } })
  const stateOf = async (run: number) => (await runOf(root, run)).items.map(({ state, output }) => [state, output])

  test('an agent of ours says when it is in force', async () => {
    const { body } = await push(root, [ids.own], '{"report_delay":2}')
    const { run_id } = body.data as { run_id: number }
    const task = await agents.own.nextTask()
    expect([task.type, task.data]).toEqual([13n, '{"report_delay":2}'])
    agents.own.answer({ ...task, type: 1013n }, { data: '', successful: false })
    await expect.poll(() => stateOf(run_id)).toEqual([['success', '']])
  })

  test('what the agent refuses is a failure with its words', async () => {
    const { body } = await push(root, [ids.own], '{"custom_ip_api":["ftp://x"]}')
    agents.own.answer(await agents.own.nextTask(), { data: 'must use http', successful: false })
    await expect.poll(() => stateOf((body.data as { run_id: number }).run_id)).toEqual([['failure', 'must use http']])
  })

  test.each([
    ['nonsense', 'config'],
    ['[]', 'config'],
    ['{"report_delay":9}', 'report_delay'],
    ['{"report_delay":"2"}', 'report_delay'],
    ['{"ip_report_period":29}', 'ip_report_period'],
    ['{"gpu":1}', 'gpu'],
    ['{"nic_allowlist":["eth0"]}', 'nic_allowlist'],
    ['{"hard_drive_partition_allowlist":{"/":true}}', 'hard_drive_partition_allowlist'],
    ['{"Client_Secret":"x"}', 'client_secret'],
    [{ report_delay: 2 }, 'config'],
  ])('%j is refused before anything is sent', async (config, field) => {
    expect((await push(root, [ids.own], config)).body).toMatchObject({ code: 'invalid', problems: [{ field }] })
  })

  test('lists may be cleared and interfaces named', async () => {
    const config =
      '{"nic_allowlist":{"eth0":true,"lo":false},"hard_drive_partition_allowlist":null,"dns":["1.1.1.1:53"]}'
    await push(root, [ids.own], config)
    expect((await agents.own.nextTask()).data).toBe(config)
  })

  test('S-34 one foreign or unknown id refuses a member’s whole call, both alike', async () => {
    const answers = await Promise.all([ids.own, 9999].map((id) => push(alice, [ids.alice, id], '{}')))
    expect(answers[0]!.text).toBe(answers[1]!.text)
    expect(answers[0]!.body.error).toBe('permission denied')
    const reads = await Promise.all([ids.own, 9999].map((id) => alice.send('GET', `/api/v1/server/config/${id}`)))
    expect(reads.map(({ body }) => body.error)).toEqual(['permission denied', 'permission denied'])
  })

  test('is read from the agent; one that goes meanwhile is offline', async () => {
    const read = root.api('GET', `server/config/${ids.own}`)
    agents.own.answer(await agents.own.nextTask(), { data: '{"report_delay":1}', successful: true })
    expect(await read).toBe('{"report_delay":1}')
    const refused = root.send('GET', `/api/v1/server/config/${ids.own}`)
    agents.own.answer(await agents.own.nextTask(), { data: 'another reload is in process', successful: false })
    expect((await refused).body.error).toBe('get server config failed: another reload is in process')
    const cut = root.api('GET', `server/config/${ids.own}`)
    await agents.own.nextTask()
    await agents.own.close()
    expect(await cut).toBeNull()
    agents.own = await world.agent({ uuid: uuidOf(1), secret: siteSecret })
  })
})
