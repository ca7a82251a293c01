import { State } from '@qd/protocol/agent'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectPeer, credentials } from '../support/peers/h2-peer.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const sample = State.encode(State.fromPartial({ cpu: 4 })).finish()

/** An agent with the same identity as all others here: reports a few samples, or answers why it may not. */
async function connect(from: string) {
  const peer = await connectPeer({ port: world.port, from })
  const headers = credentials(siteSecret, uuidOf(19))
  const tasks = peer.open('RequestTask', headers)
  const states = peer.open('ReportSystemState', headers)
  states.send(sample)
  for (let count = 0; count < 3; count += 1) {
    const told = await states.take(({ event }) => event === 'message' || event === 'trailers')
    if (told.event === 'trailers') {
      peer.destroy()
      return told.text
    }
    states.send(sample)
  }
  return { peer, tasks, states }
}

test('R-19 two agents on one configuration: one event names both, one of them stays and takes commands', async () => {
  const [one, other] = ['127.0.0.2', '127.0.0.3']
  const open = []
  for (const from of [one, other, one, other]) open.push(await connect(from))
  for (let count = 0; count < 5; count += 1)
    expect(await connect(one)).toBe('another agent is using this configuration')
  const browser = await world.login()
  const { events, servers } = world.server.container
  const { id } = servers.byUuid(uuidOf(19))!
  await expect
    .poll(async () => (await events.list(id, { before: null, limit: 50 })).filter(({ kind }) => kind === 'two-agents'))
    .toMatchObject([{ params: expect.anything() }])
  const [event] = (await browser.api('GET', `server/${id}/event`)) as { kind: string; params: object }[]
  expect(event).toMatchObject({ kind: 'two-agents', params: { before: other, after: one } })
  const { run_id: run } = (await browser.api('POST', 'exec', { servers: [id], command: 'id', time_limit: 10 })) as {
    run_id: number
  }
  const last = open.at(-1)!
  if (typeof last === 'string') throw new Error(last)
  await last.tasks.take((told) => told.event === 'message' && told.bytes.length > 4)
  expect(run).toBeGreaterThan(0)
  for (const each of open) if (typeof each !== 'string') each.peer.destroy()
})
