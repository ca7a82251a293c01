import { Task, TaskResult } from '@qd/protocol/agent'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { loadFixture, loadScenario, type Recorded } from '../support/peers/agent-fixtures.ts'
import { type CallEvent, connectPeer, credentials, type Peer, type PeerCall } from '../support/peers/h2-peer.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

type Message = Extract<CallEvent, { event: 'message' }>

const clock = createFakeClock()
const headers = credentials(siteSecret, uuidOf(1))
let world: World
let browser: Browser
let peer: Peer
let tasks: PeerCall

beforeAll(async () => {
  world = await createWorld({ clock })
  browser = await world.login()
  await connect()
})
afterAll(async () => {
  peer.destroy()
  await world.close()
})

async function connect(): Promise<void> {
  peer = await connectPeer({ port: world.port })
  tasks = peer.open('RequestTask', headers)
  await tasks.take(({ event }) => event === 'response-headers')
}

const isTask = (dir: Recorded['dir']) => (line: Recorded) =>
  line.method === 'RequestTask' && line.dir === dir && line.event === undefined
const bytesOf = ({ hex }: Recorded) => Buffer.from(hex!, 'hex')

/** Tasks of a scenario with their results, in order. */
function exchangesOf(name: string): { task: Task; result: TaskResult }[] {
  const { messages } = loadScenario('config', name)
  const results = messages.filter(isTask('agent->server')).map((line) => TaskResult.decode(bytesOf(line)))
  return messages
    .filter(isTask('server->agent'))
    .map((line, index) => ({ task: Task.decode(bytesOf(line)), result: results[index]! }))
}

/** The next task, which is byte for byte the recorded one but for the id; the recorded result is sent for it. */
async function exchange({ task, result }: { task: Task; result: TaskResult }): Promise<void> {
  const { bytes } = await tasks.take((event): event is Message => event.event === 'message')
  const { id } = Task.decode(bytes)
  expect(id).not.toBe(0n)
  expect(Buffer.from(bytes)).toEqual(Buffer.from(Task.encode({ ...task, id }).finish()))
  tasks.send(TaskResult.encode({ ...result, id }).finish())
}

interface Item {
  state: string
  output: string
}
const itemOf = async (run: number) => ((await browser.api('GET', `run/${run}`)) as { items: Item[] }).items[0]!

/** Pushes a text that the API would refuse, as a server of another version might. */
async function push(command: string): Promise<number> {
  const targets = { mode: 'only', servers: [1] } as const
  const order = { ownerId: 1, kind: 'config', name: 'config', command, targets, by: 'admin' } as const
  return (await world.server.container.runs.start(order)).runId
}

test('force-update: an agent that cannot update says nothing of it, and that is a failure', async () => {
  const { run_id } = (await browser.api('POST', 'force-update/server', [1])) as { run_id: number }
  await exchange(exchangesOf('force-update')[0]!)
  await expect.poll(() => itemOf(run_id)).toMatchObject({ state: 'failure', output: '' })
})

test('report-config: the configuration is answered as the agent has it', async () => {
  const [recorded] = exchangesOf('report-config')
  const read = browser.api('GET', 'server/config/1')
  await exchange(recorded!)
  expect(await read).toBe(recorded!.result.data)
})

test('apply-config: taken, applied and back, or refused with the agent’s words', async () => {
  const [taken, pending, ...refused] = exchangesOf('apply-config')
  const { run_id } = (await browser.api('POST', 'server/config', { servers: [1], config: taken!.task.data })) as {
    run_id: number
  }
  await exchange(taken!)
  await expect.poll(() => itemOf(run_id)).toMatchObject({ state: 'running' })
  const read = browser.send('GET', '/api/v1/server/config/1')
  await exchange(pending!)
  expect((await read).body.error).toBe(`get server config failed: ${pending!.result.data}`)

  for (const step of refused) {
    const body = { servers: [1], config: step.task.data }
    expect((await browser.send('POST', '/api/v1/server/config', { body })).body.code).toBe('invalid')
    const id = await push(step.task.data)
    await exchange(step)
    await expect.poll(() => itemOf(id)).toEqual(expect.objectContaining({ state: 'failure', output: step.result.data }))
  }

  await clock.advance(10_000)
  const { agents } = world.server.container
  peer.destroy()
  await expect.poll(() => agents.connected(1)).toBe(false)
  expect(await itemOf(run_id)).toMatchObject({ state: 'running' })
  await clock.advance(10_000)
  await connect()
  await expect.poll(() => itemOf(run_id)).toMatchObject({ state: 'success' })
})

test('every scenario is played', () => {
  const played = ['apply-config', 'force-update', 'report-config']
  expect(
    loadFixture('config')
      .scenarios.map(({ name }) => name)
      .sort(),
  ).toEqual(played)
})
