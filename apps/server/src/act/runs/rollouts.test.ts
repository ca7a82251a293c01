import type { TaskResult } from '@qd/protocol/agent'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestBase, type TestBase } from '../../../../../tests/support/server/base.ts'
import { createTestClock, type TestClock } from '../../../../../tests/support/server/clock.ts'
import type { AgentTask } from '../../fleet/agents/hub.ts'
import { createHub, type Hub, type TaskLink } from '../../fleet/agents/hub.ts'
import { createLedger, type Ledger } from './ledger.ts'
import type { RunOrder } from './run-types.ts'

let clock: TestClock
let base: TestBase
let hub: Hub
let ledger: Ledger
let versions: Map<number, string>

const live = { hostOf: (id: number) => ({ version: versions.get(id) ?? '1.0.0' }) }

beforeEach(async () => {
  clock = createTestClock()
  base = await createTestBase(clock)
  versions = new Map()
  hub = createHub(clock)
  ledger = createLedger(base, { hub, live })
})
afterEach(() => base.close())

async function connect(name: string, id?: number) {
  const server = id ?? (await base.addServer({ name })).id
  const tasks: AgentTask[] = []
  const link: TaskLink = { send: (task) => tasks.push(task), fail: () => hub.closed(server, link) }
  hub.openTasks(server, link)
  return {
    id: server,
    tasks,
    leave: () => hub.closed(server, link),
    async back(version = '1.0.0') {
      versions.set(server, version)
      const next = await connect(name, server)
      this.leave = next.leave
      this.answer = next.answer
    },
    answer: (task: AgentTask, result: Partial<TaskResult>) =>
      hub.result(server, {
        id: BigInt(task.id),
        type: BigInt(task.type),
        delay: 0,
        data: '',
        successful: false,
        ...result,
      }),
  }
}

type Agent = Awaited<ReturnType<typeof connect>>

const connectAll = (...names: string[]) => Promise.all(names.map((name) => connect(name)))

const start = (agents: readonly { id: number }[], more: Partial<RunOrder>) =>
  ledger.start({
    ownerId: base.admin.id,
    kind: 'update',
    name: 'force-update',
    command: '',
    targets: { mode: 'only', servers: agents.map(({ id }) => id) },
    by: 'admin',
    ...more,
  })

const itemsOf = async (run: number) => (await ledger.get(run))!.items!
const statesOf = async (run: number) => (await itemsOf(run)).map(({ state, reason }) => reason ?? state)
const stateOf = async (run: number) => (await ledger.get(run))!.rollout?.state

async function update(agent: Agent, version: string) {
  agent.leave()
  await agent.back(version)
}

describe('evidence of an update', () => {
  test('is another version when the agent is back, however long it was away', async () => {
    const agent = await connect('one')
    const { runId, sent } = await start([agent], {})
    expect([sent, agent.tasks[0]]).toEqual([[agent.id], { id: expect.any(Number), type: 6, data: '' }])
    agent.leave()
    await clock.advance(60_000)
    expect(await statesOf(runId)).toEqual(['sent'])
    await agent.back('2.0.0')
    expect(await itemsOf(runId)).toMatchObject([{ state: 'success', output: '1.0.0 -> 2.0.0' }])
    expect((await ledger.get(runId))!.finished_at).toBe(clock.now())
  })

  test('back with the same version is a failure, never back none', async () => {
    const [same, away] = await connectAll('same', 'away')
    const { runId } = await start([same!, away!], {})
    await update(same!, '1.0.0')
    away!.leave()
    await clock.advance(300_000)
    expect(await itemsOf(runId)).toMatchObject([
      { state: 'failure', output: '1.0.0 -> 1.0.0' },
      { state: 'no_answer', reason: 'deadline' },
    ])
  })

  test('is what the agent says: refused, already running, or what became of the new program', async () => {
    const [refuses, runs, swaps] = await connectAll('refuses', 'runs', 'swaps')
    const { runId } = await start([refuses!, runs!, swaps!], {})
    refuses!.answer(refuses!.tasks[0]!, { data: 'wrong checksum' })
    runs!.answer(runs!.tasks[0]!, { data: '1.0.0 is already running', successful: true })
    swaps!.answer(swaps!.tasks[0]!, { type: 1006n, data: '1.0.0 -> 2.0.0' })
    expect(await statesOf(runId)).toEqual(['failure', 'success', 'running'])
    await update(swaps!, '1.0.0')
    expect(await statesOf(runId)).toEqual(['failure', 'success', 'running'])
    swaps!.answer(swaps!.tasks[0]!, { data: 'the new agent ended: it was put back' })
    expect(await itemsOf(runId)).toMatchObject([
      { output: 'wrong checksum' },
      { output: '1.0.0 is already running' },
      { state: 'failure', output: 'the new agent ended: it was put back' },
    ])
  })

  test('does not come from a server that was deleted', async () => {
    const agent = await connect('one')
    const { runId } = await start([agent], {})
    await base.servers.remove([agent.id])
    expect(await statesOf(runId)).toEqual(['lost'])
  })
})

describe('evidence of a configuration', () => {
  const config = { kind: 'config', name: 'config', command: '{"gpu":true}' } as const

  test('is that an agent which took it is back after it was applied', async () => {
    const agent = await connect('one')
    const { runId } = await start([agent], config)
    expect(agent.tasks[0]).toMatchObject({ type: 13, data: '{"gpu":true}' })
    agent.answer(agent.tasks[0]!, { successful: true })
    await clock.advance(2000)
    await update(agent, '1.0.0')
    expect(await statesOf(runId)).toEqual(['running'])
    await clock.advance(8000)
    await update(agent, '1.0.0')
    expect(await statesOf(runId)).toEqual(['success'])
  })

  test('is not that an agent which never took it is back', async () => {
    const [gone, silent] = await connectAll('gone', 'silent')
    const { runId } = await start([gone!, silent!], config)
    await update(gone!, '1.0.0')
    await clock.advance(120_000)
    expect(await statesOf(runId)).toEqual(['lost', 'deadline'])
  })
})

describe('C-15 a rollout', () => {
  const rollout = { canary: 1, batch: 2, soak: 0, max_failures: 1 }
  let agents: Agent[]
  beforeEach(async () => {
    agents = await connectAll('a', 'b', 'c', 'd', 'e')
  })
  const asked = () => agents.map(({ tasks }) => tasks.length)

  test('tries one, then two at a time', async () => {
    const { runId, sent } = await start(agents, { rollout })
    expect([sent, asked()]).toEqual([[agents[0]!.id], [1, 0, 0, 0, 0]])
    expect(await statesOf(runId)).toEqual(['sent', 'waiting', 'waiting', 'waiting', 'waiting'])
    await update(agents[0]!, '2.0.0')
    expect(asked()).toEqual([1, 1, 1, 0, 0])
    await update(agents[1]!, '2.0.0')
    expect(asked()).toEqual([1, 1, 1, 0, 0])
    await update(agents[2]!, '2.0.0')
    expect(asked()).toEqual([1, 1, 1, 1, 1])
    await update(agents[3]!, '2.0.0')
    await update(agents[4]!, '2.0.0')
    expect(await ledger.get(runId)).toMatchObject({
      finished_at: clock.now(),
      counts: { waiting: 0, success: 5 },
      rollout: { ...rollout, state: 'going' },
    })
  })

  test('begins with who was named first, each once', async () => {
    const [a, b, c] = agents as [Agent, Agent, Agent]
    const { sent } = await start([c, a, c, b], { rollout })
    expect([sent, asked()]).toEqual([[c.id], [0, 0, 1, 0, 0]])
    await update(c, '2.0.0')
    expect(asked()).toEqual([1, 1, 1, 0, 0])
  })

  test('whose canary fails stops there, and may be run again with the same care', async () => {
    const { runId } = await start(agents, { rollout })
    agents[0]!.answer(agents[0]!.tasks[0]!, { data: 'disk full' })
    expect(await statesOf(runId)).toEqual(['failure', 'stopped', 'stopped', 'stopped', 'stopped'])
    expect([await stateOf(runId), asked()]).toEqual(['stopped', [1, 0, 0, 0, 0]])
    const next = await ledger.again(runId, { by: 'admin' })
    expect(asked()).toEqual([2, 0, 0, 0, 0])
    expect((await ledger.get(next))!.rollout).toEqual({ ...rollout, state: 'going' })
  })

  test('stops with more failures than may be; what is out is still heard', async () => {
    const { runId } = await start(agents, { rollout: { canary: 0, batch: 3, soak: 0, max_failures: 0 } })
    agents[0]!.answer(agents[0]!.tasks[0]!, {})
    expect(await statesOf(runId)).toEqual(['failure', 'sent', 'sent', 'stopped', 'stopped'])
    expect((await ledger.get(runId))!.finished_at).toBeNull()
    await update(agents[1]!, '2.0.0')
    await clock.advance(300_000)
    expect(await statesOf(runId)).toEqual(['failure', 'success', 'deadline', 'stopped', 'stopped'])
    expect((await ledger.get(runId))!.finished_at).toBe(clock.now())
  })

  test('leaves out who has gone before its turn, which is no failure', async () => {
    const off = await base.addServer({ name: 'off' })
    const { runId, offline } = await start([...agents, off], { rollout: { ...rollout, max_failures: 0 } })
    expect(offline).toEqual([off.id])
    agents[1]!.leave()
    await update(agents[0]!, '2.0.0')
    expect(asked()).toEqual([1, 0, 1, 1, 0])
    expect((await statesOf(runId)).slice(0, 5)).toEqual(['success', 'offline', 'sent', 'sent', 'waiting'])
  })

  test('issue 36.21 rests for its soak time between the canary and the batches, and not before the first', async () => {
    const { runId } = await start(agents, { rollout: { ...rollout, soak: 300 } })
    expect(asked()).toEqual([1, 0, 0, 0, 0])
    await clock.advance(200_000)
    await update(agents[0]!, '2.0.0')
    await clock.advance(299_999)
    expect(asked()).toEqual([1, 0, 0, 0, 0])
    await clock.advance(1)
    expect(asked()).toEqual([1, 1, 1, 0, 0])
    await update(agents[1]!, '2.0.0')
    await update(agents[2]!, '2.0.0')
    await clock.advance(100_000)
    ledger.steer(runId, 'pause')
    await clock.advance(300_000)
    expect(asked()).toEqual([1, 1, 1, 0, 0])
    ledger.steer(runId, 'resume')
    expect(asked()).toEqual([1, 1, 1, 1, 1])
  })

  test('issue 36.21 is stopped while it rests', async () => {
    const { runId } = await start(agents, { rollout: { ...rollout, soak: 300 } })
    await update(agents[0]!, '2.0.0')
    ledger.steer(runId, 'stop')
    await clock.advance(300_000)
    expect(asked()).toEqual([1, 0, 0, 0, 0])
    expect((await ledger.get(runId))!.finished_at).not.toBeNull()
  })

  test('is paused, resumed and stopped by hand', async () => {
    const { runId } = await start(agents, { rollout })
    const told: (string | undefined)[] = []
    ledger.onProgress((progress) => told.push(progress.rollout?.state))
    ledger.steer(runId, 'pause')
    expect(told).toEqual(['paused'])
    await update(agents[0]!, '2.0.0')
    expect([await stateOf(runId), asked()]).toEqual(['paused', [1, 0, 0, 0, 0]])
    ledger.steer(runId, 'resume')
    expect([await stateOf(runId), asked()]).toEqual(['going', [1, 1, 1, 0, 0]])
    ledger.steer(runId, 'stop')
    expect(await statesOf(runId)).toEqual(['success', 'sent', 'sent', 'stopped', 'stopped'])
    ledger.steer(runId, 'resume')
    expect(await stateOf(runId)).toBe('stopped')
    ledger.steer(4711, 'stop')
  })

  test('is paused by a restart of the server, and what was out may still be proved', async () => {
    const { runId } = await start(agents, { rollout })
    const plain = await start([agents[4]!], {})
    await ledger.engine.stop()
    hub = createHub(clock)
    ledger = createLedger(base, { hub, live })
    await ledger.engine.start()
    expect([await statesOf(runId), await stateOf(runId)]).toEqual([
      ['sent', 'waiting', 'waiting', 'waiting', 'waiting'],
      'paused',
    ])
    for (const agent of agents) await agent.back()
    expect((await statesOf(runId))[0]).toBe('sent')
    await agents[0]!.back('2.0.0')
    await agents[4]!.back('2.0.0')
    expect(await itemsOf(runId)).toMatchObject([{ state: 'success', output: '1.0.0 -> 2.0.0' }, {}, {}, {}, {}])
    expect(await statesOf(plain.runId)).toEqual(['success'])
    ledger.steer(runId, 'resume')
    expect(await statesOf(runId)).toEqual(['success', 'sent', 'sent', 'waiting', 'waiting'])
    await clock.advance(300_000)
    expect(await statesOf(runId)).toEqual(['success', 'deadline', 'deadline', 'stopped', 'stopped'])
  })

  test('issue 36.21 rests anew after a restart while nothing was out', async () => {
    const { runId } = await start(agents, { rollout: { ...rollout, soak: 300 } })
    await update(agents[0]!, '2.0.0')
    await ledger.engine.stop()
    hub = createHub(clock)
    ledger = createLedger(base, { hub, live })
    await ledger.engine.start()
    for (const agent of agents) await agent.back()
    ledger.steer(runId, 'resume')
    expect(await statesOf(runId)).toEqual(['success', 'waiting', 'waiting', 'waiting', 'waiting'])
    await clock.advance(300_000)
    expect(await statesOf(runId)).toEqual(['success', 'sent', 'sent', 'waiting', 'waiting'])
  })

  test('of which nothing was out when the server ended waits for its agents to come back', async () => {
    const { runId } = await start(agents, { rollout })
    await ledger.engine.stop()
    await base.db.updateTable('run_items').set({ state: 'success' }).where('state', '=', 'sent').execute()
    hub = createHub(clock)
    ledger = createLedger(base, { hub, live })
    await ledger.engine.start()
    const states = ['success', 'waiting', 'waiting', 'waiting', 'waiting']
    expect([await statesOf(runId), await stateOf(runId)]).toEqual([states, 'paused'])
  })
})
