import { State } from '@qd/protocol/agent'
import { taskType } from '@qd/protocol/task-types'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestAgent } from '../agent/world.ts'
import type { Browser } from '../support/browser.ts'
import { connectPeer, credentials } from '../support/peers/h2-peer.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

let world: World
let root: Browser
let count = 0
const agents: { stop(): Promise<void> }[] = []
beforeAll(async () => {
  world = await createWorld()
  root = await world.login()
})
afterEach(() => Promise.all(agents.splice(0).map((agent) => agent.stop())))
afterAll(() => world.close())

/** A member who has nothing yet. */
const member = () => {
  count += 1
  return world.member(`member${count}`)
}

/** Our agent with this secret, as a server of its owner that has reported: only such a server is waited for once it is offline. */
async function ours(client_secret: string, n: number) {
  const agent = startTestAgent(world, { config: { client_secret, uuid: uuidOf(n) } })
  agents.push(agent)
  await expect.poll(() => isConnected(n) && hasReported(n)).toBe(true)
  return agent
}

const isConnected = (n: number) => {
  const row = world.server.container.servers.byUuid(uuidOf(n))
  return row !== undefined && world.server.container.agents.connected(row.id)
}

const hasReported = (n: number) =>
  world.server.container.live.lastSeen(world.server.container.servers.byUuid(uuidOf(n))!.id) !== null

/** What an agent with this secret is told: a report that was taken, or the words of its refusal. */
async function report(secret: string, n: number): Promise<string> {
  const peer = await connectPeer({ port: world.port, from: '127.0.0.9' })
  const states = peer.open('ReportSystemState', credentials(secret, uuidOf(n)))
  states.send(State.encode(State.fromPartial({ cpu: 4 })).finish())
  const told = await states.take(({ event }) => event === 'message' || event === 'trailers')
  peer.destroy()
  return told.event === 'trailers' ? told.text : 'taken'
}

const profile = async (browser: Browser) =>
  (await browser.api('GET', 'profile')) as { agent_secret: string; secret_waiting?: number }
const rotate = async (browser: Browser) =>
  ((await browser.api('POST', 'profile/agent-secret/rotate', {})) as { agent_secret: string }).agent_secret

describe('issue 37.7 the agent secret is its user’s alone', () => {
  test('issue 37.7 no list of users holds an agent secret, neither for an administrator nor for a token', async () => {
    const { secret } = await member()
    const { agent_secret: own } = await profile(root)
    const { token } = (await root.api('POST', 'api-tokens', { name: 't', scopes: ['nezha:admin:*', 'nezha:*'] })) as {
      token: string
    }
    const headers = { Authorization: `Bearer ${token}` }
    const answers = await Promise.all([
      root.send('GET', '/api/v1/user'),
      root.send('GET', '/api/v1/user/1'),
      world.guest().send('GET', '/api/v1/user', { headers }),
      world.guest().send('GET', '/api/v1/user/1', { headers }),
      world.guest().send('GET', '/api/v1/profile', { headers }),
    ])
    expect(answers[0]!.text).toContain('member1')
    expect(answers[2]!.text).toContain('member1')
    for (const { text } of answers) for (const known of [secret, own]) expect(text).not.toContain(known)
  })
})

describe('issue 37.7 rotation', () => {
  test('issue 37.7 our agents take the next secret over their connection, and then the old one is over', async () => {
    const { browser, secret } = await member()
    const both = await Promise.all([11, 12].map((n) => ours(secret, n)))
    const next = await rotate(browser)
    expect(next).not.toBe(secret)
    for (const { settings } of both) await expect.poll(() => settings.current.client_secret).toBe(next)
    await expect.poll(async () => (await profile(browser)).secret_waiting).toBeUndefined()
    await expect.poll(() => [11, 12].map(isConnected)).toEqual([true, true])
    expect(await profile(browser)).toMatchObject({ agent_secret: next })
    expect(await report(secret, 11)).toMatch(/secret was renewed/)
  })

  test('issue 37.7 an offline agent keeps the old secret good; it is told the next one when it comes, also after a restart', async () => {
    const { browser, secret } = await member()
    const agent = await ours(secret, 21)
    await agent.stop()
    await expect.poll(() => isConnected(21)).toBe(false)
    await rotate(browser)
    expect((await profile(browser)).secret_waiting).toBe(1)
    const blocked = await browser.send('POST', '/api/v1/profile/agent-secret/rotate', { body: {} })
    expect(blocked.body).toMatchObject({ code: 'blocked', params: { reason: 'rotating' } })
    await world.restart()
    root = await world.login()
    const again = await ours(secret, 21)
    const fresh = world.server.container.accounts.all().at(-1)!.agent_secret
    await expect.poll(() => again.settings.current.client_secret).toBe(fresh)
    await expect.poll(() => world.server.container.accounts.all().at(-1)!.waiting_servers).toBeNull()
  })

  test('issue 37.7 of two rotations at once one is refused, so that offline agents keep a secret that is good', async () => {
    const { browser, id, secret } = await member()
    const agent = await ours(secret, 51)
    await agent.stop()
    await expect.poll(() => isConnected(51)).toBe(false)
    const both = await Promise.all(
      [1, 2].map(() => browser.send('POST', '/api/v1/profile/agent-secret/rotate', { body: {} })),
    )
    expect(both.map(({ body }) => body.code ?? 'done').sort()).toEqual(['blocked', 'done'])
    expect(await report(secret, 51)).toBe('taken')
    // A secret that was renewed meanwhile is over, whatever of the rotation is still being written.
    const { accounts } = world.server.container
    await accounts.renewSecret(id)
    await accounts.waiting(id, [51])
    expect(accounts.find(id)!.waiting_servers).toBeNull()
  })

  test('issue 37.7 an existing agent gets task 14; the administrator ends the rotation without seeing the secret', async () => {
    const { browser, id, secret } = await member()
    const agent = await world.agent({ secret, uuid: uuidOf(31) })
    const { body, text } = await root.send('POST', `/api/v1/user/${id}/rotate-secret`, { body: {} })
    expect(body.success).toBe(true)
    const { agent_secret: next } = await profile(browser)
    expect(text).not.toContain(next)
    const task = await agent.nextTask()
    expect([task.type, JSON.parse(task.data)]).toEqual([taskType.applyTransfer, { client_secret: next }])
    expect(await report(secret, 31)).toBe('taken')
    await root.api('POST', `user/${id}/end-rotation`, {})
    await expect.poll(() => isConnected(31)).toBe(false)
    expect(await report(secret, 31)).toMatch(/secret was renewed/)
    expect(await report(next, 31)).toBe('taken')
    expect((await profile(browser)).secret_waiting).toBeUndefined()
  })

  test('issue 37.7 an agent whose secret stands in its environment refuses, and stays', async () => {
    const { browser, secret } = await member()
    const agent = await ours(secret, 41)
    Object.defineProperty(agent.settings, 'isSecretGiven', { value: true })
    await rotate(browser)
    await expect.poll(async () => (await profile(browser)).secret_waiting).toBe(1)
    expect(agent.settings.current.client_secret).toBe(secret)
    await browser.api('POST', 'profile/agent-secret/end', {})
    await expect.poll(() => isConnected(41)).toBe(false)
  })
})
