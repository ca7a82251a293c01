import { Task, TaskResult } from '@qd/protocol/agent'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { loadFixture, type Recorded } from '../support/peers/agent-fixtures.ts'
import { type CallEvent, connectPeer, credentials, type Peer, type PeerCall } from '../support/peers/h2-peer.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

/** What the ledger says of a recorded result. */
interface Evidence {
  state: string
  exit_code: number | null
  output: string
  cut_bytes?: number
  reason?: string
}

const mib = 2 ** 20

/** The recorded scenarios with what must stand in the run afterwards. */
const expected: Record<string, Evidence> = {
  echo: { state: 'success', exit_code: 0, output: 'hello\n' },
  fail: { state: 'failure', exit_code: 3, output: 'out\n' },
  empty: { state: 'success', exit_code: 0, output: '' },
  signal: { state: 'failure', exit_code: null, output: '\nsignal: killed' },
  notfound: { state: 'failure', exit_code: 127, output: '' },
  long64k: { state: 'success', exit_code: 0, output: 'x'.repeat(65_536) },
  sleep2: { state: 'success', exit_code: 0, output: 'done\n' },
  stdin: { state: 'success', exit_code: 0, output: 'end\n' },
  bg: { state: 'sent', exit_code: null, output: '' },
  bgdetach: { state: 'success', exit_code: 0, output: 'started\n' },
  cover0: { state: 'success', exit_code: 0, output: 'c0\n' },
  'non-utf8-output': { state: 'no_answer', exit_code: null, output: '', reason: 'lost' },
  '3.5MB-output': { state: 'success', exit_code: 0, output: 'y'.repeat(mib), cut_bytes: 3_500_000 - mib },
  '5MB-output': { state: 'no_answer', exit_code: null, output: '', reason: 'lost' },
}

const scenarios = loadFixture('commands').scenarios

let world: World
let browser: Browser
let peer: Peer
let tasks: PeerCall

beforeAll(async () => {
  world = await createWorld()
  browser = await world.login()
})
afterAll(() => world.close())

type Message = Extract<CallEvent, { event: 'message' }>

beforeEach(async () => {
  peer = await connectPeer({ port: world.port })
  tasks = peer.open('RequestTask', credentials(siteSecret, uuidOf(1)))
  await tasks.take(({ event }) => event === 'response-headers')
  await expect.poll(() => world.server.container.agents.connected(1)).toBe(true)
  return async () => {
    peer.destroy()
    await expect.poll(() => world.server.container.agents.connected(1)).toBe(false)
  }
})

/** Creates the task of a scenario and runs it by hand. Returns the run's id. */
async function run(command: string, cover = 0): Promise<number> {
  const id = await browser.api('POST', 'cron', { name: 'recorded', task_type: 1, command, cover, servers: [1] })
  return ((await browser.api('POST', `cron/${id}/manual`)) as { run_id: number }).run_id
}

const itemOf = async (id: number) => ((await browser.api('GET', `run/${id}`)) as { items: Evidence[] }).items[0]!

/** The recorded bytes of a result, or what they stand for where the recording shows only their head, with our task's id. */
function resultOf({ hex, hexHead, decoded, length }: Recorded, id: bigint): Uint8Array {
  if (hex) return TaskResult.encode({ ...TaskResult.decode(Buffer.from(hex, 'hex')), id }).finish()
  const head = Buffer.from(hexHead!, 'hex')
  const fill = String.fromCharCode(head.at(-1)!)
  const size = fill === 'x' ? 65_536 : length! - 16
  const { delay = 0 } = (decoded ?? {}) as { delay?: number }
  return TaskResult.encode({ id, type: 4n, delay, data: fill.repeat(size), successful: true }).finish()
}

describe('commands', () => {
  test.each(Object.entries(expected))('%s', async (name, evidence) => {
    const { messages } = scenarios.find((scenario) => scenario.name === name)!
    const isOf = (dir: string) => (line: Recorded) =>
      line.method === 'RequestTask' && line.dir === dir && line.event === undefined
    const sent = Task.decode(Buffer.from(messages.find(isOf('server->agent'))!.hex!, 'hex'))
    const id = await run(sent.data)
    const { bytes } = await tasks.take((event): event is Message => event.event === 'message')
    const task = Task.decode(bytes)
    // Byte for byte but for the id, which is the run item's.
    expect(Buffer.from(bytes)).toEqual(Buffer.from(Task.encode({ ...sent, id: task.id }).finish()))

    const result = messages.find(isOf('agent->server'))
    if (result) tasks.send(resultOf(result, task.id))
    else if (name === 'non-utf8-output') tasks.reset(8)
    else if (name === '5MB-output') {
      tasks.send(
        TaskResult.encode({ id: task.id, type: 4n, delay: 0, data: 'z'.repeat(5_000_000), successful: true }).finish(),
      )
      expect(await tasks.take(({ event }) => event === 'trailers')).toMatchObject({ status: 8 })
    }
    // A command that fails says how: with a code, or without one.
    const reason = { fail: 'exit', notfound: 'exit', signal: 'failure' }[name] ?? null
    await expect.poll(() => itemOf(id)).toMatchObject({ cut_bytes: 0, reason, ...evidence })
  })

  test('cover2: a manual run sends nothing', async () => {
    const id = await browser.api('POST', 'cron', { name: 'c2', task_type: 1, command: 'x', cover: 2, servers: [] })
    await browser.send('POST', `/api/v1/cron/${id}/manual`)
    await run('after')
    const { bytes } = await tasks.take((event): event is Message => event.event === 'message')
    expect(Task.decode(bytes).data).toBe('after')
  })

  test('every scenario is played', () => {
    expect([...Object.keys(expected), 'cover2'].sort()).toEqual(scenarios.map(({ name }) => name).sort())
  })
})
