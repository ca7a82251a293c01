import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { type LiveSocket, openSocket, RefusedUpgrade } from '../support/peers/live-socket.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { createWorld, type World } from '../support/world.ts'
import { additions, compareShape } from './compare.ts'
import { refusedSecret } from './scenes-transfers.ts'

interface Session {
  name: string
  as: 'admin' | 'member' | 'member2'
  frames: { text: string }[]
}

const sessions = JSON.parse(
  readFileSync(new URL('../data/fixtures/ws/transfer.json', import.meta.url), 'utf8'),
) as Session[]
const path = '/api/v1/ws/transfer'

let clock: FakeClock
let world: World
let callers: Record<Session['as'], Browser>
let agent: SimulatedAgent

beforeAll(async () => {
  clock = createFakeClock()
  world = await createWorld({ clock })
  const admin = await world.login()
  const [alice, bob] = [await world.member('alice'), await world.member('bob')]
  callers = { admin, member: alice.browser, member2: bob.browser }
  await world.agent({ secret: world.server.container.accounts.byName('admin')!.agent_secret })
  const nobodys = await world.agent()
  agent = await world.agent({ secret: alice.secret, onTask: () => refusedSecret })
  nobodys.vanish()
})
afterAll(() => world.close())

/** Frames of a recorded session against what came; ours says more of each. */
async function expectFrames(socket: LiveSocket, { frames }: Session): Promise<void> {
  const added = additions.map(({ key }) => `body.${key}`)
  for (const { text } of frames) {
    const frame = await socket.frame()
    const recorded = JSON.parse(text)
    const deviations = compareShape(recorded, frame, new Set()).filter(({ at }) => !added.includes(at))
    expect(deviations).toEqual([])
    const { server_id, from_user_id, to_user_id, initiator_id, status } = frame
    expect({ server_id, from_user_id, to_user_id, initiator_id, status }).toEqual({
      server_id: recorded.server_id,
      from_user_id: recorded.from_user_id,
      to_user_id: recorded.to_user_id,
      initiator_id: recorded.initiator_id,
      status: recorded.status,
    })
  }
}

const isOver = async (id: number) => {
  while (world.server.container.transfers.find(id)?.status === 0) await new Promise((resolve) => setImmediate(resolve))
}

test('events of moves as the recorded admin, the former and the new owner saw them', async () => {
  const seen = sessions.slice(0, 3)
  const sockets = await Promise.all(seen.map(({ as }) => openSocket(world, { path, browser: callers[as] })))
  const { admin } = callers
  await admin.api('POST', 'batch-move/server', { ids: [2], to_user: 2 })
  await admin.api('POST', 'batch-move/server', { ids: [3], to_user: 3 })
  await isOver(2)
  await admin.api('POST', 'transfer/1/cancel')
  await admin.api('POST', 'transfer/1/retry')
  await admin.api('POST', 'transfer/2/retry')
  await isOver(4)
  await admin.api('POST', 'transfer/3/cancel')
  for (const [index, session] of seen.entries()) await expectFrames(sockets[index]!, session)
  for (const socket of sockets) socket.close()
  agent.report()
})

test('ws/transfer: a guest is refused, a member may connect and is pinged every 30 s', async () => {
  const refusal = (await openSocket(world, { path }).catch((error: unknown) => error)) as RefusedUpgrade
  expect(refusal).toBeInstanceOf(RefusedUpgrade)
  expect({ status: refusal.status, body: JSON.parse(refusal.body) }).toEqual({
    status: 200,
    body: { error: 'ApiErrorUnauthorized' },
  })
  const socket = await openSocket(world, { path, browser: callers.member })
  await clock.advance(30_000)
  expect((await socket.next()).event).toBe('ping')
  socket.close()
})
