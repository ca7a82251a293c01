import { IOStreamData } from '@qd/protocol/agent'
import { relayWindowBytes, toAttachFrame } from '@qd/protocol/stream-frames'
import { expect, test, vi } from 'vitest'
import { connectPeer, credentials } from '../support/peers/h2-peer.ts'
import { startRawServer } from '../support/peers/h2-server.ts'
import { createWorld, siteSecret, uuidOf } from '../support/world.ts'
import { answerCalls, startTestAgent, takeTaskCall } from './world.ts'

const usual = 65_535
/** Of all calls together a little is always on its way. */
const wide = relayWindowBytes / 2

test('our agent lets a server send as much at once as a relayed stream needs', async () => {
  const server = await startRawServer(answerCalls())
  const agent = startTestAgent(server)
  await takeTaskCall(server)
  expect(server.window().call).toBe(relayWindowBytes)
  await vi.waitFor(() => expect(server.window().connection).toBeGreaterThan(wide), 30_000)
  await agent.stop()
  await server.close()
})

test('our server lets an agent do so from its first relayed stream on, and an unauthenticated one never', async () => {
  const world = await createWorld()
  const unauthenticated = await connectPeer({ port: world.port })
  const agent = await connectPeer({ port: world.port })
  const attach = IOStreamData.encode({ data: toAttachFrame('of nobody') }).finish()
  try {
    const states = agent.open('ReportSystemState', credentials(siteSecret, uuidOf(7)))
    await states.take(({ event }) => event === 'response-headers')
    expect(agent.window().call).toBe(usual)

    const refused = unauthenticated.open('IOStream', credentials('wrong', uuidOf(8)))
    await refused.take(({ event }) => event === 'trailers')
    expect(unauthenticated.window().call).toBe(usual)

    agent.open('IOStream', credentials(siteSecret, uuidOf(7))).send(attach)
    await vi.waitFor(() => expect(agent.window().call).toBe(relayWindowBytes), 30_000)
    expect(agent.window().connection).toBeGreaterThan(wide)
  } finally {
    agent.destroy()
    unauthenticated.destroy()
    await world.close()
  }
})
