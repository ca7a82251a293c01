import { type Host, TaskResult } from '@qd/protocol/agent'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { connectPeer, credentials } from '../support/peers/h2-peer.ts'
import { openSocket, RefusedUpgrade } from '../support/peers/live-socket.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await createWorld()
  browser = await world.login()
})
afterAll(() => world.close())

interface ServerItem {
  id: number
  uuid: string
  last_active: string
  host: Record<string, unknown>
}
interface Item {
  state: string
  output: string
  reason: string | null
}

const servers = async () => (await browser.api('GET', 'server')) as ServerItem[]
const serverOf = async (uuid: string) => (await servers()).find((server) => server.uuid === uuid)!
const isOnline = ({ last_active }: ServerItem) => !last_active.startsWith('0001')
const itemsOf = async (run: number) => ((await browser.api('GET', `run/${run}`)) as { items: Item[] }).items

async function runOn(serverId: number, command: string): Promise<{ task: number; run: number }> {
  const fields = { name: 'abuse', task_type: 1, command, cover: 0, servers: [serverId] }
  const task = (await browser.api('POST', 'cron', fields)) as number
  const { run_id: run } = (await browser.api('POST', `cron/${task}/manual`)) as { run_id: number }
  return { task, run }
}

describe('S-39 task results that do not belong', () => {
  test('of another host, twice, unknown, late and oversized ones change nothing', async () => {
    const victim = await world.agent({ uuid: uuidOf(391) })
    const forger = await connectPeer({ port: world.port })
    const forged = forger.open('RequestTask', credentials(siteSecret, uuidOf(392)))
    await forged.take(({ event }) => event === 'response-headers')
    const { run } = await runOn((await serverOf(victim.uuid)).id, 'id')
    const task = await victim.nextTask()
    const lines = world.log.length
    const result = (id: bigint) =>
      TaskResult.encode({ id, type: 4n, delay: 0, data: 'forged', successful: true }).finish()
    for (const id of [task.id, 0n, 2n ** 32n + 1n, 2n ** 64n - 1n]) forged.send(result(id))
    victim.answer({ ...task, id: task.id + 1000n }, { data: 'unknown', successful: true })
    victim.answer(task, { data: 'real', successful: true })
    victim.answer(task, { data: 'twice', successful: false })
    await expect.poll(() => itemsOf(run)).toMatchObject([{ state: 'success', output: 'real' }])

    forged.send(
      TaskResult.encode({ id: 1n, type: 4n, delay: 0, data: 'x'.repeat(5_000_000), successful: true }).finish(),
    )
    expect(await forged.take(({ event }) => event === 'trailers')).toMatchObject({ status: 8 })
    forger.destroy()
    expect(await itemsOf(run)).toMatchObject([{ state: 'success', output: 'real' }])
    expect(world.log.length - lines).toBeLessThan(5)
    await victim.close()
  })

  test('a result from an older connection, or for a task deleted meanwhile, does no harm', async () => {
    const uuid = uuidOf(393)
    const older = await world.agent({ uuid })
    const { id } = await serverOf(uuid)
    const first = await runOn(id, 'first')
    const task = await older.nextTask()
    const newer = await world.agent({ uuid })
    await expect.poll(() => itemsOf(first.run)).toMatchObject([{ state: 'no_answer', reason: 'lost' }])
    older.answer(task, { data: 'old', successful: true })
    const second = await runOn(id, 'second')
    const again = await newer.nextTask()
    await browser.api('POST', 'batch-delete/cron', [second.task])
    newer.answer(again, { data: 'new', successful: true })
    await expect.poll(() => itemsOf(second.run)).toMatchObject([{ state: 'success', output: 'new' }])
    expect(await itemsOf(first.run)).toMatchObject([{ state: 'no_answer', output: '' }])
    expect((await browser.send('GET', '/healthz')).status).toBe(200)
    await older.close()
    await newer.close()
  })
})

describe('S-40 hostile texts', () => {
  const hostile = '\u001b[2J\u001b]0;owned\u0007\u202e<script>alert(1)</script>\r\n\0'

  test('in what an agent says of its machine are bounded and harmless', async () => {
    const host: Partial<Host> = { platform: hostile, version: hostile.repeat(500), cpu: Array(1000).fill(hostile) }
    const agent = await world.agent({ uuid: uuidOf(401), host })
    const { host: told } = await serverOf(agent.uuid)
    const texts = [told.platform, told.version, ...(told.cpu as string[])] as string[]
    expect(texts).toHaveLength(34)
    for (const text of texts) {
      expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
      expect(text.length).toBeLessThanOrEqual(128)
    }
    await agent.close()
  })

  test('in output keep their lines and lose their power', async () => {
    const agent = await world.agent({ uuid: uuidOf(402) })
    const { run } = await runOn((await serverOf(agent.uuid)).id, 'cat evil')
    agent.answer(await agent.nextTask(), { data: `one\n${hostile}two\t2`, successful: true })
    await expect
      .poll(() => itemsOf(run))
      .toMatchObject([{ output: 'one\n␛[2J␛]0;owned␇\ufffd<script>alert(1)</script>\n␀two\t2' }])
    expect(world.log.join('')).not.toContain('\u001b')
    await agent.close()
  })
})

describe('S-41 records and streams', () => {
  test('a server deleted while it reports: its streams end, and it comes back as a new record', async () => {
    const uuid = uuidOf(411)
    const agent = await world.agent({ uuid })
    const before = await serverOf(uuid)
    const peer = await connectPeer({ port: world.port })
    const states = peer.open('ReportSystemState', credentials(siteSecret, uuid))
    await states.take(({ event }) => event === 'response-headers')
    states.send(Buffer.from('090000000000002a40', 'hex'))
    await states.take(({ event }) => event === 'message')
    await browser.api('POST', 'batch-delete/server', [before.id])
    expect(await states.take(({ event }) => event === 'trailers')).toMatchObject({
      status: 2,
      text: 'server not found',
    })
    expect(await serverOf(uuid)).toBeUndefined()
    expect(world.server.container.live.hostOf(before.id)).toEqual({})
    peer.destroy()
    await agent.close()
    const back = await world.agent({ uuid })
    const after = await serverOf(uuid)
    expect(after.id).not.toBe(before.id)
    expect(isOnline(after)).toBe(true)
    await back.close()
  })

  test('an old stream that ends after the new one began leaves the server online and commandable', async () => {
    const uuid = uuidOf(412)
    const older = await world.agent({ uuid })
    const newer = await world.agent({ uuid })
    await older.close()
    newer.report()
    await expect.poll(async () => isOnline(await serverOf(uuid))).toBe(true)
    const { run } = await runOn((await serverOf(uuid)).id, 'still here')
    newer.answer(await newer.nextTask(), { data: '', successful: true })
    await expect.poll(() => itemsOf(run)).toMatchObject([{ state: 'success' }])
    await newer.close()
    await expect.poll(async () => isOnline(await serverOf(uuid))).toBe(false)
  })

  test('a storm of reconnects leaves one record and the newest stream', async () => {
    const uuid = uuidOf(413)
    const storm = await Promise.all(Array.from({ length: 40 }, () => connectPeer({ port: world.port })))
    for (const peer of storm) {
      peer.open('RequestTask', credentials(siteSecret, uuid))
      peer.open('ReportSystemState', credentials(siteSecret, uuid)).send(Buffer.from('090000000000002a40', 'hex'))
    }
    await expect.poll(async () => (await serverOf(uuid))?.uuid).toBe(uuid)
    for (const peer of storm.slice(20)) peer.destroy()
    const last = await world.agent({ uuid })
    for (const peer of storm.slice(0, 20)) peer.destroy()
    expect((await servers()).filter((server) => server.uuid === uuid)).toHaveLength(1)
    last.report()
    await expect.poll(async () => isOnline(await serverOf(uuid))).toBe(true)
    const { run } = await runOn((await serverOf(uuid)).id, 'id')
    last.answer(await last.nextTask(), { data: 'calm', successful: true })
    await expect.poll(() => itemsOf(run)).toMatchObject([{ output: 'calm' }])
    await last.close()
  })
})

describe('the live feed', () => {
  test('S-20 foreign and null origins are refused, signed in or not', async () => {
    for (const origin of ['http://evil.example', 'null', `http://127.0.0.1.evil.example:${world.port}`]) {
      const opening = openSocket(world, { browser, headers: { Origin: origin } })
      await expect(opening).rejects.toBeInstanceOf(RefusedUpgrade)
      await expect(opening).rejects.toMatchObject({ status: 403 })
    }
    const own = await openSocket(world, { browser, headers: { Origin: world.origin } })
    await own.frame()
    own.close()
  })

  test('S-32 hidden and foreign servers are absent for guests and members, at once after a change', async () => {
    const { browser: alice, secret } = await world.member('alice')
    const agent = await world.agent({ uuid: uuidOf(321), secret })
    const { id } = await serverOf(agent.uuid)
    const { container } = world.server
    const rows = container.servers as typeof container.servers & {
      update(id: number, change: (row: object) => object): Promise<unknown>
    }
    await rows.update(id, (row) => ({ ...row, hide_for_guest: true }))
    const idsOf = (frame: Record<string, unknown>) => ((frame.servers ?? []) as { id: number }[]).map((row) => row.id)
    const guest = await openSocket(world, { protocols: ['quarterdeck.live.v1'] })
    const member = await openSocket(world, { browser: alice, protocols: ['quarterdeck.live.v1'] })
    expect(idsOf(await guest.frame())).not.toContain(id)
    expect(idsOf(await member.frame())).toContain(id)
    await rows.update(id, (row) => ({ ...row, owner_id: 1 }))
    agent.report({ cpu: 77 })
    const gone = await member.take((item) => item.event === 'frame' && 'gone' in item.frame)
    expect(gone).toMatchObject({ frame: { gone: [id] } })
    agent.report({ cpu: 78 })
    await rows.update(id, (row) => ({ ...row, owner_id: 2, hide_for_guest: false }))
    const back = await guest.take((item) => item.event === 'frame' && 'servers' in item.frame)
    const [row] = back.event === 'frame' ? (back.frame.servers as ServerItem[]) : []
    expect(row).toMatchObject({ id, host: expect.not.objectContaining({ version: expect.anything() }) })
    const told = [...member.unread, ...guest.unread].flatMap((item) => (item.event === 'frame' ? [item.frame] : []))
    const samples = told.flatMap((frame) => (frame.samples ?? []) as number[][]).map(([of]) => of)
    expect(samples.filter((of) => of === id)).toEqual([])
    guest.close()
    member.close()
    await agent.close()
  })
})
