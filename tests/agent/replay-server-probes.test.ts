import { service } from '@qd/core/resources'
import { Task, TaskResult } from '@qd/protocol/agent'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isMessage, loadFixture } from '../support/peers/agent-fixtures.ts'
import { type CallEvent, connectPeer, credentials, type Peer, type PeerCall } from '../support/peers/h2-peer.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

type Message = Extract<CallEvent, { event: 'message' }>
type ServiceRow = ReturnType<World['server']['container']['services']['all']>[number]

const [round, pings] = loadFixture('probes').scenarios
const lines = [...round!.messages, ...pings!.messages.slice(0, 1)].filter(isMessage)
const bytesOf = (name: string) =>
  lines.filter(({ message }) => message === name).map(({ hex }) => Buffer.from(hex!, 'hex'))
const tasks = bytesOf('Task').map((bytes) => Task.decode(bytes))
const results = bytesOf('TaskResult').map((bytes) => TaskResult.decode(bytes))

let world: World
let peer: Peer
let call: PeerCall

beforeAll(async () => {
  world = await createWorld()
  peer = await connectPeer({ port: world.port })
  call = peer.open('RequestTask', credentials(siteSecret, uuidOf(1)))
  await call.take(({ event }) => event === 'response-headers')
})
afterAll(async () => {
  peer.destroy()
  await world.close()
})

/** Stores the recorded monitor as an older server did, also where ours would not take its target. */
function store({ type, data }: Task): Promise<ServiceRow> {
  const { services } = world.server.container
  const records = services as unknown as { insert(values: object): Promise<ServiceRow> }
  return records.insert({ ...service.initial, owner_id: 1, name: data, type: Number(type), target: data })
}

test('one round as recorded: byte for byte but for the ids, which are fresh for each probe', async () => {
  await expect.poll(() => world.server.container.agents.connected(1)).toBe(true)
  const ids = new Set<bigint>()
  for (const recorded of tasks) {
    const row = await store(recorded)
    const { bytes } = await call.take((event): event is Message => event.event === 'message')
    const task = Task.decode(bytes)
    expect(Buffer.from(bytes)).toEqual(Buffer.from(Task.encode({ ...recorded, id: task.id }).finish()))
    ids.add(task.id)
    const result = results.find(({ id }) => id === recorded.id)!
    call.send(TaskResult.encode({ ...result, id: task.id }).finish())
    const figures = () => world.server.container.monitors.figuresOf(row)
    await expect.poll(() => figures().status).toBe(result.successful ? 2 : 4)
    if (result.successful) expect(figures().delay).toBeCloseTo(result.delay, 5)
    else expect(figures().error).toContain(result.data.trim().replace('应用错误: ', 'HTTP '))
  }
  expect(ids.size).toBe(tasks.length)
})
