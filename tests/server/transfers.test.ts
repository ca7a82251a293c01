import { Host } from '@qd/protocol/agent'
import { taskType } from '@qd/protocol/task-types'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { connectPeer, credentials } from '../support/peers/h2-peer.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { openShell } from '../support/shells.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

interface Transfer {
  id: number
  status: number
  last_error?: string
  acked_at?: string
}

let clock: FakeClock
let world: World
let root: Browser
let alice: Awaited<ReturnType<World['member']>>
let bob: Awaited<ReturnType<World['member']>>
let agent: SimulatedAgent
const uuid = uuidOf(1)
const hourMs = 3_600_000

beforeEach(async () => {
  clock = createFakeClock()
  world = await createWorld({ clock })
  root = await world.login()
  alice = await world.member('alice')
  bob = await world.member('bob')
  agent = await world.agent({ uuid, secret: alice.secret })
})
afterEach(() => world.close())

/** Time passes, and its last minute second by second: what a server does in each of two days takes 20 s. */
async function pass(ms: number) {
  clock.set(clock.now() + ms - 60_000)
  await clock.advance(60_000)
}
const move = (browser: Browser, ids: readonly number[], to: number) =>
  browser.api('POST', 'batch-move/server', { ids, to_user: to }) as Promise<{ status: string; transfer_id?: number }[]>
const list = async (browser = root) => ((await browser.api('GET', 'transfer')) ?? []) as Transfer[]
const owner = () => world.server.container.servers.find(1)!.owner_id
const isOver = () => vi.waitFor(async () => expect((await list())[0]!.status).not.toBe(0), 30_000)

/** The credential of the next task of this kind, and the transfer it is for. */
async function given(to: SimulatedAgent): Promise<{ id: number; secret: string }> {
  const { id, type, data } = await to.nextTask()
  expect(type).toBe(taskType.applyTransfer)
  const { client_secret: secret } = JSON.parse(data) as { client_secret: string }
  expect(secret).toMatch(/^[0-9A-Za-z]{32}$/)
  return { id: Number(id), secret }
}

/** True if the server takes a call of the agent with this secret. */
async function isTaken(secret: string): Promise<boolean> {
  const peer = await connectPeer({ port: world.port })
  const call = peer.open('ReportSystemInfo2', credentials(secret, uuid))
  call.send(Host.encode(Host.fromPartial({ version: '2.3.3' })).finish())
  call.halfClose()
  const { event } = await call.take((one) => one.event === 'message' || one.event === 'trailers')
  peer.destroy()
  world.server.container.firewall.succeeded('127.0.0.1', -127)
  return event === 'message'
}

describe('a move', () => {
  test('is the new owner’s at once, and confirmed when the agent comes with what it was given', async () => {
    expect(await move(root, [1], bob.id)).toEqual([{ server_id: 1, status: 'pending', transfer_id: 1 }])
    await expect.poll(owner).toBe(bob.id)
    expect(await alice.browser.api('GET', 'server')).toBeNull()
    const { id, secret } = await given(agent)
    expect(id).toBe(1)
    expect(await isTaken(bob.secret)).toBe(false)
    expect(await isTaken(alice.secret)).toBe(true)
    expect((await list())[0]!.status).toBe(0)
    expect(await isTaken(secret)).toBe(true)
    await isOver()
    expect((await list())[0]).toMatchObject({ status: 1, acked_at: new Date(clock.now()).toISOString() })
    expect(await isTaken(alice.secret)).toBe(false)
    for (const good of [secret, bob.secret, siteSecret]) expect(await isTaken(good)).toBe(true)
    await expect.poll(owner).toBe(bob.id)
  })

  test('ends the shells on the server', async () => {
    const shell = await openShell(world, { browser: alice.browser, serverId: 1, agent, ours: true })
    await move(root, [1], bob.id)
    expect(await shell.socket.closed()).toMatchObject({ code: 4002 })
    expect(world.server.container.streams.count()).toBe(0)
  })

  test('of a host that is away waits for it, over a restart too, with the same credential', async () => {
    agent.vanish()
    await vi.waitFor(() => expect(world.server.container.agents.connected(1)).toBe(false), 30_000)
    await move(root, [1], bob.id)
    const first = await given(await world.agent({ uuid, secret: alice.secret }))
    await world.restart()
    const again = await given(await world.agent({ uuid, secret: alice.secret }))
    expect(again).toEqual(first)
  })

  test('S-27 what the former owner made for it does not reach it any more', async () => {
    const wanted = { name: 't', task_type: 1, command: 'id' }
    const named = await alice.browser.api('POST', 'cron', { ...wanted, cover: 0, servers: [1] })
    const all = await alice.browser.api('POST', 'cron', { ...wanted, cover: 1, servers: [] })
    const group = { name: 'mine', servers: [1] }
    await alice.browser.api('POST', 'server-group', group)
    await move(root, [1], bob.id)
    await given(agent)
    for (const id of [named, all]) {
      const { run_id } = (await alice.browser.api('POST', `cron/${id}/manual`)) as { run_id: number }
      expect(await alice.browser.api('GET', `run/${run_id}`)).toMatchObject({ items: [] })
    }
    expect(await alice.browser.api('GET', 'server-group')).toMatchObject([{ servers: null }])
    await expect(alice.browser.api('PATCH', 'server-group/1', group)).rejects.toThrow('have invalid server id')
  })

  test('two at the same time make one transfer', async () => {
    const moves = await Promise.all([bob.id, bob.id, 1].map((to) => move(root, [1], to)))
    expect(moves.flat().filter(({ status }) => status === 'pending')).toHaveLength(1)
    expect(await list()).toHaveLength(1)
  })

  test('S-34 of foreign and unknown servers says the same, and changes nothing', async () => {
    expect(await move(bob.browser, [1, 99], bob.id)).toEqual([
      { server_id: 1, status: 'server_not_found' },
      { server_id: 99, status: 'server_not_found' },
    ])
    await expect(move(alice.browser, [1], bob.id)).rejects.toThrow('permission denied')
    await expect(move(root, [1], 99)).rejects.toThrow('user id 99 does not exist')
    await expect.poll(owner).toBe(alice.id)
    expect(await list()).toEqual([])
  })
})

describe('a move that comes to nothing', () => {
  test('refused by the agent: the server goes back, and the agent gets a credential that stays good', async () => {
    await move(root, [1], bob.id)
    const { id } = await given(agent)
    agent.answer(
      { id: BigInt(id), type: taskType.applyTransfer, data: '' },
      { data: 'no\u001b[31m TLS', successful: false },
    )
    const recovery = await given(agent)
    expect(recovery.id).toBe(id)
    expect((await list())[0]).toMatchObject({ status: 2, last_error: 'no␛[31m TLS' })
    await expect.poll(owner).toBe(alice.id)
    expect(await isTaken(recovery.secret)).toBe(true)
    await pass(48 * hourMs)
    expect(await isTaken(recovery.secret)).toBe(true)
    expect(await isTaken(alice.secret)).toBe(true)
  })

  test('given back by the former owner: both credentials are honoured for a day', async () => {
    await move(root, [1], bob.id)
    const { secret } = await given(agent)
    await expect(bob.browser.api('POST', 'transfer/1/cancel')).rejects.toThrow('permission denied')
    expect(await alice.browser.api('POST', 'transfer/1/cancel')).toMatchObject({ status: 4 })
    const recovery = await given(agent)
    expect(recovery.secret).not.toBe(secret)
    await expect.poll(owner).toBe(alice.id)
    // It had taken the first one already: it is told the second again.
    const late = await world.agent({ uuid, secret })
    expect(await given(late)).toEqual(recovery)
    await pass(25 * hourMs)
    expect(await isTaken(secret)).toBe(false)
    expect(await isTaken(recovery.secret)).toBe(false)
    expect(await isTaken(alice.secret)).toBe(true)
  })

  test('not confirmed within a day', async () => {
    await move(root, [1], bob.id)
    await pass(23 * hourMs)
    expect((await list())[0]!.status).toBe(0)
    await pass(hourMs + 30_000)
    await isOver()
    root = await world.login()
    expect((await list())[0]!.status).toBe(3)
    await expect.poll(owner).toBe(alice.id)
  })

  test('an agent that turns out too old', async () => {
    agent.vanish()
    await vi.waitFor(() => expect(world.server.container.agents.connected(1)).toBe(false), 30_000)
    await move(root, [1], bob.id)
    await world.agent({ uuid, secret: alice.secret, host: { version: '1.17.9' } })
    await isOver()
    expect((await list())[0]).toMatchObject({ status: 2, last_error: expect.stringContaining('v1.18.0') })
    await expect.poll(owner).toBe(alice.id)
  })

  test('the server is deleted', async () => {
    await move(root, [1], bob.id)
    await root.api('POST', 'batch-delete/server', [1])
    await isOver()
    expect((await list())[0]).toMatchObject({ status: 4, last_error: 'server deleted' })
  })

  test('a result of somebody else’s agent fails nothing (S-39)', async () => {
    const other = await world.agent({ uuid: uuidOf(2), secret: bob.secret })
    await move(root, [1], bob.id)
    const { id } = await given(agent)
    other.answer({ id: BigInt(id), type: taskType.applyTransfer, data: '' }, { data: 'no', successful: false })
    await other.report()
    await root.api('POST', `transfer/${id}/cancel`)
    expect((await list())[0]!.status).toBe(4)
  })
})

test('a transfer is seen by who began it, gave and got it, and nobody else', async () => {
  const carol = await world.member('carol')
  await move(root, [1], bob.id)
  for (const { browser } of [alice, bob]) expect(await list(browser)).toHaveLength(1)
  expect(await list(carol.browser)).toEqual([])
  await expect(carol.browser.api('POST', 'transfer/1/cancel')).rejects.toThrow('transfer id 1 does not exist')
  await expect(alice.browser.api('POST', 'transfer/1/retry')).rejects.toThrow('permission denied')
})
