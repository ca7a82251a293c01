import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAgent } from '@qd/agent/agent'
import { createMachine, createSettingsSource } from '@qd/agent/host'
import { loadSettings } from '@qd/agent/settings'
import { enrollmentHeader } from '@qd/protocol/task-types'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { quick } from '../agent/world.ts'
import type { Browser } from '../support/browser.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { connectPeer, credentials } from '../support/peers/h2-peer.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

let clock: FakeClock
let world: World
let root: Browser
let alice: Awaited<ReturnType<World['member']>>
let folder: string
let asked = 0
const agents: { stop(): Promise<void> }[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'qd-enroll-'))
  clock = createFakeClock()
  world = await createWorld({ clock })
  root = await world.login()
  const { config } = (await root.api('GET', 'setting')) as { config: object }
  await root.api('PATCH', 'setting', { ...config, user_template: 'user-dist', install_host: 'a:1' })
  alice = await world.member('alice')
})
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.stop()))
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The code of an install command. */
async function codeOf(browser: Browser, query = ''): Promise<string> {
  const { command } = (await browser.api('GET', `install?os=linux${query}`)) as { command: string }
  return /QD_CODE=(\w+)/.exec(command)![1]!
}

/** Our agent with the settings file of this name, on this machine. */
async function start(name: string, ...flags: string[]) {
  const args = ['--server', `127.0.0.1:${world.port}`, '--config', join(folder, name), ...flags]
  const settings = await loadSettings({ ...createSettingsSource(), args, env: {} })
  const agent = startAgent({
    settings,
    machine: { ...createMachine(), log: () => undefined },
    version: '0.1.0',
    timing: quick,
  })
  agents.push(agent)
  return { ...agent, settings }
}

/** What a host with these credentials is told: null if it is let in. */
async function ask(secret: string, uuid: string, code?: string): Promise<string | null> {
  // Each from an address of its own, as a refused one must wait.
  asked += 1
  const peer = await connectPeer({ port: world.port, from: `127.0.1.${asked}` })
  const headers = { ...credentials(secret, uuid), ...(code !== undefined && { [enrollmentHeader]: code }) }
  const call = peer.open('ReportSystemInfo2', headers)
  call.send('')
  call.halfClose()
  const { status, text } = await call.take((event) => event.event === 'trailers')
  peer.destroy()
  return status === 0 ? null : text
}

const rowOf = (uuid: string) => world.server.container.servers.byUuid(uuid)
const isConnected = (uuid: string) => world.server.container.agents.connected(rowOf(uuid)?.id ?? 0)
const secretOf = (n: number) => String(n).repeat(32).slice(0, 32)
const over = /code was used up or has expired/

test('issue 37.9 a host enrolls with a code, keeps a secret of its own, and the code is used up', async () => {
  const code = await codeOf(alice.browser)
  const agent = await start('a.json', '--code', code)
  const { uuid, client_secret: own } = agent.settings.current
  await expect.poll(() => isConnected(uuid)).toBe(true)
  const file = join(folder, 'a.json')
  const update_key = expect.any(String)
  await expect.poll(() => JSON.parse(readFileSync(file, 'utf8'))).toEqual({ uuid, client_secret: own, update_key })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(rowOf(uuid)!.owner_id).toBe(alice.id)
  expect(await ask(secretOf(2), uuidOf(2), code)).toMatch(over)
  // Stored hashed, both of them.
  const { db } = world.server.container
  const stored = JSON.stringify([
    await db.selectFrom('enrollment_codes').selectAll().execute(),
    await db
      .selectFrom('servers' as never)
      .selectAll()
      .execute(),
  ])
  for (const text of [code, own]) expect(stored).not.toContain(text)
  const [listed] = (await alice.browser.api('GET', 'server')) as { own_secret?: boolean; enrolled_at?: string }[]
  expect(listed).toMatchObject({ own_secret: true, enrolled_at: new Date(clock.now()).toISOString() })
  // A restart of both needs no code.
  await agent.stop()
  await world.restart()
  const again = await start('a.json')
  await expect.poll(() => isConnected(uuid)).toBe(true)
  expect(again.settings.current.client_secret).toBe(own)
})

test('issue 37.9 a code is good for its hosts and for 24 hours', async () => {
  const code = await codeOf(alice.browser, '&hosts=2')
  expect(await ask(secretOf(1), uuidOf(1), code)).toBeNull()
  // The same host again, as if the answer had been lost.
  expect(await ask(secretOf(1), uuidOf(1), code)).toBeNull()
  expect(await ask(secretOf(2), uuidOf(2), code)).toBeNull()
  expect(await ask(secretOf(3), uuidOf(3), code)).toMatch(over)
  const late = await codeOf(alice.browser)
  clock.set(clock.now() + 24 * 3_600_000)
  expect(await ask(secretOf(4), uuidOf(4), late)).toMatch(over)
  expect(world.server.container.firewall.all()).toEqual([])
  expect(rowOf(uuidOf(3)) ?? rowOf(uuidOf(4))).toBeUndefined()
})

test('issue 37.9 a code ends with its owner, and is not used up by a host that could not be enrolled', async () => {
  const root = await world.login()
  const carol = await world.member('carol')
  const hers = await codeOf(carol.browser)
  await root.api('POST', 'batch-delete/user', [carol.id])
  expect(await ask(secretOf(1), uuidOf(1), hers)).toMatch(over)
  const { config } = (await root.api('GET', 'setting')) as { config: object }
  expect(await ask(secretOf(2), uuidOf(2), await codeOf(alice.browser))).toBeNull()
  await root.api('PATCH', 'setting', { ...config, user_records: 1 })
  const code = await codeOf(alice.browser)
  expect(await ask(secretOf(3), uuidOf(3), code)).not.toBeNull()
  await root.api('PATCH', 'setting', { ...config, user_records: 10 })
  expect(await ask(secretOf(3), uuidOf(3), code)).toBeNull()
})

test('issue 37.9 of many codes of one owner the oldest die', async () => {
  const first = await codeOf(alice.browser)
  for (let n = 0; n < 64; n += 1) await codeOf(alice.browser)
  const { db } = world.server.container
  expect(await db.selectFrom('enrollment_codes').selectAll().execute()).toHaveLength(64)
  expect(await ask(secretOf(1), uuidOf(1), first)).toBe('客户端认证失败')
})

test('of many codes of one owner, those that are over die before those that are good', async () => {
  const first = await codeOf(alice.browser)
  const used = await codeOf(alice.browser)
  expect(await ask(secretOf(1), uuidOf(1), used)).toBeNull()
  for (let n = 0; n < 63; n += 1) await codeOf(alice.browser)
  const { db } = world.server.container
  expect(await db.selectFrom('enrollment_codes').selectAll().execute()).toHaveLength(64)
  expect(await ask(secretOf(2), uuidOf(2), first)).toBeNull()
})

test('issue 37.9 the secret of one host opens no other, and no agent secret opens an enrolled host', async () => {
  const code = await codeOf(alice.browser, '&hosts=2')
  for (const n of [1, 2]) expect(await ask(secretOf(n), uuidOf(n), code)).toBeNull()
  expect(await ask(secretOf(1), uuidOf(2))).toBe('客户端认证失败')
  expect(await ask(secretOf(1), uuidOf(9))).toBe('客户端认证失败')
  for (const known of [alice.secret, siteSecret]) expect(await ask(known, uuidOf(1))).toMatch(/secret of its own/)
  // The old way still makes servers, beside it.
  expect(await ask(alice.secret, uuidOf(3))).toBeNull()
  expect(rowOf(uuidOf(3))).toMatchObject({ owner_id: alice.id, secret_hash: '' })
  // A member's code takes no one else's server.
  await world.agent({ uuid: uuidOf(7) })
  const other = await codeOf(alice.browser)
  expect(await ask(secretOf(7), uuidOf(7), other)).toMatch(/does not belong/)
  expect(await ask(secretOf(8), uuidOf(8), other)).toBeNull()
})

test('issue 37.9 a leaked secret is revoked alone, and a new command brings the host back', async () => {
  const agent = await start('a.json', '--code', await codeOf(alice.browser))
  const other = await start('b.json', '--code', await codeOf(alice.browser))
  const { uuid, client_secret: leaked } = agent.settings.current
  await expect
    .poll(() => [agent, other].map(({ settings }) => isConnected(settings.current.uuid)))
    .toEqual([true, true])
  const { id } = rowOf(uuid)!
  const bob = await world.member('bob')
  expect((await bob.browser.send('POST', `/api/v1/server/${id}/revoke-secret`, { body: {} })).body.success).not.toBe(
    true,
  )
  await alice.browser.api('POST', `server/${id}/revoke-secret`, {})
  await expect.poll(() => isConnected(uuid)).toBe(false)
  await agent.stop()
  expect(await ask(leaked, uuid)).toBe('客户端认证失败')
  expect(isConnected(other.settings.current.uuid)).toBe(true)
  const blocked = await alice.browser.send('POST', `/api/v1/server/${id}/revoke-secret`, { body: {} })
  expect(blocked.body).toMatchObject({ code: 'blocked', params: { reason: 'noOwnSecret' } })
  const again = await start('c.json', '--uuid', uuid, '--code', await codeOf(alice.browser, `&uuid=${uuid}`))
  await expect.poll(() => isConnected(uuid)).toBe(true)
  expect(again.settings.current.client_secret).not.toBe(leaked)
  expect(rowOf(uuid)!.id).toBe(id)
})
