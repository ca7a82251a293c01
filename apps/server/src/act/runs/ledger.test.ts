import type { TaskResult } from '@qd/protocol/agent'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestBase, failWrites, type TestBase } from '../../../../../tests/support/server/base.ts'
import { createTestClock, type TestClock } from '../../../../../tests/support/server/clock.ts'
import type { AgentTask } from '../../fleet/agents/hub.ts'
import { createHub, type Hub, type TaskLink } from '../../fleet/agents/hub.ts'
import type { ServerRow } from '../../store/records/rows.ts'
import { createLedger, type Ledger } from './ledger.ts'

let clock: TestClock
let base: TestBase
let hub: Hub
let ledger: Ledger
let versions: Map<number, string>
const live = { hostOf: (id: number) => ({ version: versions.get(id) ?? '1.0.0' }) }

beforeEach(async () => {
  clock = createTestClock()
  base = await createTestBase(clock)
  hub = createHub(clock)
  versions = new Map()
  ledger = createLedger(base, { hub, live }, { deadlineMs: 60_000 })
})
afterEach(() => base.close())

function connect(server: ServerRow) {
  const tasks: AgentTask[] = []
  const link: TaskLink = { send: (task) => tasks.push(task), fail: () => hub.closed(server.id, link) }
  hub.openTasks(server.id, link)
  const answer = (task: AgentTask, result: Partial<TaskResult>) =>
    hub.result(server.id, { id: BigInt(task.id), type: 4n, delay: 0, data: '', successful: false, ...result })
  return { tasks, link, answer }
}

const itemsOf = async (run: number) => (await ledger.get(run))!.items!

describe('a run', () => {
  test('records what each server answered, with exit code, duration and output', async () => {
    const one = connect(await base.addServer({ name: 'one' }))
    const two = connect(await base.addServer({ name: 'two' }))
    const off = await base.addServer({ name: 'off' })
    const task = await base.addCron({ command: 'uname' })
    const run = await ledger.startCron(task, { by: 'admin' })
    expect(one.tasks).toEqual([{ id: expect.any(Number), type: 4, data: 'uname' }])
    expect(one.tasks[0]!.id).not.toBe(two.tasks[0]!.id)
    one.answer(one.tasks[0]!, { data: 'Linux\n', successful: true, delay: 1.5 })
    two.answer(two.tasks[0]!, { data: 'oops\n\nexit status 3', delay: 0.25 })

    expect(await itemsOf(run)).toMatchObject([
      {
        server_name: 'one',
        state: 'success',
        exit_code: 0,
        output: 'Linux\n',
        lines: 1,
        duration_ms: 1500,
        reason: null,
      },
      { server_name: 'two', state: 'failure', exit_code: 3, output: 'oops\n', lines: 1, duration_ms: 250 },
      { server_name: 'off', server_id: off.id, state: 'no_answer', reason: 'offline', exit_code: null },
    ])
    const rows = await ledger.list({ owner: null }, { options: null, limit: 10 })
    expect(await ledger.counts({ owner: null })).toEqual({ partial: 1 })
    expect(rows[0]).toMatchObject({
      id: run,
      kind: 'cron',
      name: 'backup',
      started_by: 'admin',
      counts: { waiting: 0, success: 1, failure: 1, no_answer: 1, sent: 0, running: 0 },
      finished_at: clock.now(),
    })
    expect(await ledger.list({ owner: base.member.id }, { options: null, limit: 10 })).toEqual([])
  })

  test('of an announcing agent is running and shows partial output', async () => {
    const agent = connect(await base.addServer())
    const run = await ledger.startCron(await base.addCron(), { by: 'admin' })
    const [task] = agent.tasks
    agent.answer(task!, { type: 1004n })
    agent.answer(task!, { type: 1005n, data: 'first\nsec' })
    expect(await itemsOf(run)).toMatchObject([{ state: 'running', output: 'first\nsec', lines: 2 }])
    agent.answer(task!, { data: 'first\nsecond\n\n[77 bytes cut]', successful: true })
    expect(await itemsOf(run)).toMatchObject([{ state: 'success', output: 'first\nsecond\n', cut_bytes: 77, lines: 2 }])
  })

  test('loses its part when the stream ends or is replaced', async () => {
    const server = await base.addServer()
    const agent = connect(server)
    const first = await ledger.startCron(await base.addCron(), { by: 'admin' })
    connect(server)
    expect(await itemsOf(first)).toMatchObject([{ state: 'no_answer', reason: 'lost' }])
    agent.answer(agent.tasks[0]!, { successful: true })
    expect(await itemsOf(first)).toMatchObject([{ state: 'no_answer', reason: 'lost' }])
  })

  test('that never ends is closed at the deadline, and a late result is not believed', async () => {
    const agent = connect(await base.addServer())
    const run = await ledger.startCron(await base.addCron(), { by: 'admin' })
    await clock.advance(59_999)
    expect(await itemsOf(run)).toMatchObject([{ state: 'sent' }])
    await clock.advance(1)
    agent.answer(agent.tasks[0]!, { successful: true })
    expect(await itemsOf(run)).toMatchObject([{ state: 'no_answer', reason: 'deadline' }])
    expect((await ledger.get(run))!.finished_at).toBe(clock.now())
  })

  test('with a time limit is ended at it where the agent can, and closed after it', async () => {
    const [ours, existing] = [connect(await base.addServer()), connect(await base.addServer())]
    const servers = base.servers.all().map(({ id }) => id)
    const { runId } = await ledger.start({
      ownerId: base.admin.id,
      kind: 'exec',
      name: 'yes',
      command: 'yes',
      targets: { mode: 'only', servers },
      by: 'admin',
      deadlineMs: 15_000,
    })
    const [task] = ours.tasks
    ours.answer(task!, { type: 1004n })
    await clock.advance(10_000)
    expect(ours.tasks.slice(1)).toEqual([{ id: task!.id, type: 1104, data: '' }])
    expect(existing.tasks).toHaveLength(1)
    ours.answer(task!, { data: 'y\n\nsignal: killed' })
    await clock.advance(5000)
    expect(await itemsOf(runId)).toMatchObject([
      { state: 'failure', output: 'y\n\nsignal: killed' },
      { state: 'no_answer', reason: 'deadline' },
    ])
  })

  test('that was open when the server ended is lost after the next start', async () => {
    connect(await base.addServer())
    const run = await ledger.startCron(await base.addCron(), { by: 'admin' })
    const next = createLedger(base, { hub: createHub(clock), live })
    await next.engine.start()
    expect((await next.get(run))!.items).toMatchObject([{ state: 'no_answer', reason: 'lost' }])
  })

  test('10 MB of output is kept up to 1 MiB of whole characters', async () => {
    const agent = connect(await base.addServer())
    const run = await ledger.startCron(await base.addCron(), { by: 'admin' })
    agent.answer(agent.tasks[0]!, { data: 'ü'.repeat(2 ** 21), successful: true })
    const [item] = await itemsOf(run)
    expect(Buffer.byteLength(item!.output)).toBe(2 ** 20)
    expect(item!.cut_bytes).toBe(2 ** 22 - 2 ** 20)
  })

  test('of a member reaches only their own servers (S-29)', async () => {
    const foreign = connect(await base.addServer())
    const own = connect(await base.addServer({ owner_id: base.member.id }))
    await ledger.startCron(await base.addCron({ owner_id: base.member.id, cover: 1, servers: [] }), { by: 'alice' })
    expect([foreign.tasks.length, own.tasks.length]).toEqual([0, 1])
  })

  test("again goes to the servers that did not succeed, if they are still the owner's", async () => {
    const good = connect(await base.addServer())
    const bad = connect(await base.addServer())
    const run = await ledger.startCron(await base.addCron(), { by: 'admin' })
    await expect(ledger.again(run, { by: 'admin' })).rejects.toMatchObject({ code: 'blocked' })
    good.answer(good.tasks[0]!, { successful: true })
    bad.answer(bad.tasks[0]!, {})
    await ledger.again(run, { by: 'admin' })
    expect([good.tasks.length, bad.tasks.length]).toEqual([1, 2])
    bad.answer(bad.tasks[1]!, { successful: true })
    await expect(ledger.again(99, { by: 'admin' })).rejects.toMatchObject({ code: 'notFound' })
  })
})

test('a result that cannot be stored is tried again, and reads go on meanwhile (R-03)', async () => {
  const agent = connect(await base.addServer())
  const run = await ledger.startCron(await base.addCron(), { by: 'admin' })
  const { db } = base
  const letThrough = await failWrites(db, 'run_items', 'update')
  agent.answer(agent.tasks[0]!, { successful: true, data: 'kept' })
  expect(await itemsOf(run)).toMatchObject([{ state: 'sent' }])
  await clock.advance(3000)
  expect(ledger.engine.problem?.()).toBeTypeOf('string')
  await letThrough()
  await clock.advance(1000)
  await expect.poll(() => itemsOf(run)).toMatchObject([{ state: 'success', output: 'kept' }])
  expect([ledger.engine.problem?.(), base.lines.length]).toEqual([null, 1])
})

describe('while another server may be the active one', () => {
  let isActive: boolean
  beforeEach(() => {
    isActive = true
    const mayAct = () => isActive
    hub = createHub(clock, undefined, mayAct)
    ledger = createLedger({ ...base, mayAct }, { hub, live }, { deadlineMs: 60_000 })
  })

  test('a run fails as such, and no connected server counts as offline', async () => {
    const { tasks } = connect(await base.addServer())
    isActive = false
    await expect(ledger.startCron(await base.addCron(), { by: 'admin' })).rejects.toMatchObject({
      code: 'databaseAway',
    })
    const [run] = await ledger.list({ owner: null }, { options: null, limit: 10 })
    expect(await itemsOf(run!.id)).toMatchObject([{ state: 'no_answer', reason: 'lost' }])
    expect(tasks).toEqual([])
  })

  test('a rollout waits with its next batch', async () => {
    const { tasks } = connect(await base.addServer())
    isActive = false
    const { runId } = await ledger.start({
      ownerId: base.admin.id,
      kind: 'update',
      name: 'update',
      command: '',
      targets: { mode: 'except', servers: [] },
      by: 'admin',
      rollout: { canary: 0, batch: 1, soak: 0, max_failures: 0 },
    })
    expect(await itemsOf(runId)).toMatchObject([{ state: 'waiting' }])
    isActive = true
    await clock.advance(1000)
    expect(tasks).toHaveLength(1)
  })
})

describe('the task tells of its newest run', () => {
  test('truly: a failure after a success is a failure (Q16)', async () => {
    const agent = connect(await base.addServer())
    const task = await base.addCron()
    const run = await ledger.startCron(task, { by: 'admin' })
    agent.answer(agent.tasks[0]!, { successful: true, delay: 2.7 })
    await ledger.get(run)
    await expect
      .poll(() => base.crons.find(task.id))
      .toMatchObject({ last_result: true, last_executed_at: clock.now() - 2000 })
    const second = await ledger.startCron(task, { by: 'admin' })
    agent.answer(agent.tasks[1]!, { successful: false })
    await ledger.get(second)
    await expect.poll(() => base.crons.find(task.id)).toMatchObject({ last_result: false, last_run_id: second })
  })

  test('one part without an answer makes it a failure', async () => {
    const good = connect(await base.addServer())
    const gone = connect(await base.addServer())
    const task = await base.addCron()
    const run = await ledger.startCron(task, { by: 'admin' })
    good.answer(good.tasks[0]!, { successful: true })
    gone.link.fail('gone')
    await expect
      .poll(() => base.crons.find(task.id))
      .toMatchObject({
        last_result: false,
        last_run_id: run,
        last_counts: { success: 1, failure: 0, no_answer: 1, waiting: 0, sent: 0, running: 0 },
      })
  })
})

describe('S-39 results that do not belong', () => {
  test('forged, duplicate and unknown ones are ignored', async () => {
    const server = await base.addServer()
    const agent = connect(server)
    const other = connect(await base.addServer({ name: 'other' }))
    const run = await ledger.startCron(await base.addCron({ cover: 0, servers: [server.id] }), { by: 'admin' })
    const [task] = agent.tasks
    other.answer(task!, { successful: true, data: 'forged' })
    agent.answer({ ...task!, id: 4711 }, { successful: true })
    agent.answer(task!, { type: 1n, successful: true })
    agent.answer({ ...task!, id: 2 ** 53 }, { type: 1005n, data: 'x' })
    expect(await itemsOf(run)).toMatchObject([{ state: 'sent', output: '' }])
    agent.answer(task!, { successful: true, data: 'real' })
    agent.answer(task!, { data: 'twice' })
    expect(await itemsOf(run)).toMatchObject([{ state: 'success', output: 'real' }])
    expect(base.lines).toEqual([])
  })

  test('a result for a deleted task stays in the ledger and touches nothing else', async () => {
    const agent = connect(await base.addServer())
    const task = await base.addCron()
    const run = await ledger.startCron(task, { by: 'admin' })
    await base.crons.remove([task.id])
    agent.answer(agent.tasks[0]!, { successful: true })
    expect(await itemsOf(run)).toMatchObject([{ state: 'success' }])
    expect(base.crons.find(task.id)).toBeUndefined()
    expect(base.lines).toEqual([])
  })
})
