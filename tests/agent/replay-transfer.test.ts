import { GeoIP, Task, Uint64Receipt } from '@qd/protocol/agent'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { loadScenario, type Recorded } from '../support/peers/agent-fixtures.ts'
import { replayAgentSide } from '../support/peers/replay-peer.ts'
import { createWorld, type World } from '../support/world.ts'

const recordedSecret = 'swiD8t6rNvh2HfNMtIEIe6Lm94rptF1o'
const uuid = '7e0f6a52-91c4-7d08-0e2f-5a6b7c8d9e0f'

let clock: FakeClock
let world: World
beforeAll(async () => {
  clock = createFakeClock()
  world = await createWorld({ clock })
})
afterAll(() => world.close())

const bootTime = BigInt(Math.floor(Date.parse('2026-11-20T12:00:00Z') / 1000))

/** The calls that were open when the recording began. */
const before = ['RequestTask', 'ReportSystemState'].flatMap((method, index): Partial<Recorded>[] => [
  { stream: 3 + 2 * index, method, dir: 'agent->server', event: 'open', connection: 21 },
  { stream: 3 + 2 * index, method, dir: 'server->agent', event: 'response-headers', connection: 21 },
])

const isTransport = ({ event, dir }: Recorded) =>
  event === 'goaway' || event === 'rst-stream' || (event === 'tcp-fin' && dir === 'server->agent')

test('ownership-transfer, accepted: the recorded agent is given a credential, comes back with it and is the new owner’s', async () => {
  const root = await world.login()
  const alice = await world.member('alice')
  const bob = await world.member('bob')
  const first = await world.agent({ uuid, secret: alice.secret })
  first.vanish()
  const { agents, transfers, servers } = world.server.container
  await vi.waitFor(() => expect(agents.connected(1)).toBe(false), 30_000)
  const move = () => root.api('POST', 'batch-move/server', { ids: [1], to_user: bob.id })
  // The recording is of the second transfer.
  await move()
  await root.api('POST', 'transfer/1/cancel')
  await move()
  const secret = transfers.secretOf(2, 'apply')

  const scenario = loadScenario('ownership-transfer', 'accepted')
  const messages = [...(before as Recorded[]), ...scenario.messages].filter((line) => !isTransport(line))
  const answers = await replayAgentSide(
    { ...scenario, messages },
    {
      target: { port: world.port },
      headers: ({ headers = [`client-secret: ${alice.secret}`, `client-uuid: ${uuid}`] }) =>
        headers.map((line) => line.replace(recordedSecret, secret)),
    },
  )

  for (const { expected, actual } of answers) {
    if (actual.event !== 'message') {
      expect(actual.event).toBe(expected.event)
      continue
    }
    const bytes = Buffer.from(expected.hex ?? '', 'hex')
    if (expected.message === 'Task') {
      const task = Task.decode(bytes)
      const ours = Task.encode({ ...task, data: task.data.replace(recordedSecret, secret) }).finish()
      expect(actual.hex).toBe(Buffer.from(ours).toString('hex'))
    } else if (expected.message === 'Uint64Receipt') {
      expect(Uint64Receipt.decode(actual.bytes)).toEqual({ data: bootTime })
    } else {
      expect(GeoIP.decode(actual.bytes)).toMatchObject({ dashboard_boot_time: bootTime })
    }
  }
  await vi.waitFor(() => expect(transfers.find(2)!.status).toBe(1), 30_000)
  expect(servers.find(1)!.owner_id).toBe(bob.id)
})
