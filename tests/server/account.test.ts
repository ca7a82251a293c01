import { State } from '@qd/protocol/agent'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { connectPeer, credentials } from '../support/peers/h2-peer.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

let world: World
let kim: Browser
let old: string
beforeAll(async () => {
  world = await createWorld()
  const member = await world.member('kim')
  kim = member.browser
  old = member.secret
})
afterAll(() => world.close())

/** What an agent with this secret is told: a report that was taken, or the words of its refusal. */
async function report(secret: string): Promise<string> {
  const peer = await connectPeer({ port: world.port, from: '127.0.0.9' })
  const states = peer.open('ReportSystemState', credentials(secret, uuidOf(7)))
  states.send(State.encode(State.fromPartial({ cpu: 4 })).finish())
  const told = await states.take(({ event }) => event === 'message' || event === 'trailers')
  peer.destroy()
  return told.event === 'trailers' ? told.text : 'taken'
}

describe('issue 14: the agent secret', () => {
  test('a renewed one is another one, and the profile shows it', async () => {
    const { agent_secret: fresh } = (await kim.api('POST', 'profile/agent-secret', {})) as { agent_secret: string }
    expect(fresh).toMatch(/^[0-9A-Za-z]{32}$/)
    expect(fresh).not.toBe(old)
    expect(await kim.api('GET', 'profile')).toMatchObject({ agent_secret: fresh })
    expect(await report(fresh)).toBe('taken')
  })

  test('agents with the old one are told how to go on, and their hosts are not shut out for it', async () => {
    for (let count = 0; count < 8; count += 1)
      expect(await report(old)).toMatch(/secret was renewed.*qd account secret/)
    const { agent_secret: fresh } = (await kim.api('GET', 'profile')) as { agent_secret: string }
    expect(await report(fresh)).toBe('taken')
    expect(world.server.container.firewall.all()).toEqual([])
    expect(await report('never-was-a-secret')).not.toContain('renewed')
  })

  test('agents that are connected with the old one are cut off', async () => {
    const { agent_secret: secret } = (await kim.api('GET', 'profile')) as { agent_secret: string }
    const agent = await world.agent({ secret, uuid: uuidOf(8) })
    const { id } = world.server.container.servers.byUuid(uuidOf(8))!
    await expect.poll(() => world.server.container.agents.connected(id)).toBe(true)
    await kim.api('POST', 'profile/agent-secret', {})
    await expect.poll(() => world.server.container.agents.connected(id)).toBe(false)
    await agent.close().catch(() => undefined)
  })

  test('a stolen API token renews nothing', async () => {
    const { token } = (await kim.api('POST', 'api-tokens', { name: 't', scopes: ['nezha:inventory:read'] })) as {
      token: string
    }
    const headers = { Authorization: `Bearer ${token}` }
    const answer = await world.guest().send('POST', '/api/v1/profile/agent-secret', { body: {}, headers })
    expect(answer.status).toBe(403)
  })
})
