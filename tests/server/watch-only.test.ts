import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSettingsSource } from '@qd/agent/host'
import { loadSettings } from '@qd/agent/settings'
import { refusals } from '@qd/protocol/refusals'
import { taskType } from '@qd/protocol/task-types'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestAgent } from '../agent/world.ts'
import type { Browser } from '../support/browser.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

let world: World
let root: Browser
let agent: ReturnType<typeof startTestAgent>
let id: number
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'qd-watch-'))
  world = await createWorld()
  root = await world.login()
  agent = startTestAgent(world, {
    isWatchOnly: true,
    config: { client_secret: siteSecret, uuid: uuidOf(1), debug: true },
  })
  const { servers, agents } = world.server.container
  id = await vi.waitUntil(() => servers.byUuid(uuidOf(1))?.id, 30_000)
  await vi.waitUntil(() => agents.connected(id), 30_000)
})
afterAll(async () => {
  await agent.stop()
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

const send = async (method: 'GET' | 'POST', path: string, body?: object) =>
  (await root.send(method, `/api/v1/${path}`, { body })).body
/** Types of the tasks that have reached the agent, which logs them. */
const arrived = () => agent.log.flatMap((line) => /^task \d+ of type (\d+)$/.exec(line)?.[1] ?? [])

test('issue 37.5 the list says that a host is watch-only; visitors aren’t told', async () => {
  const [row] = (await root.api('GET', 'server')) as { host: { watch_only?: boolean } }[]
  expect(row!.host.watch_only).toBe(true)
  expect((await world.guest().send('GET', '/api/v1/service')).text).not.toContain('watch_only')
})

test('issue 37.5 nothing but probes is sent to a watch-only host, and each caller is told why', async () => {
  const refused = { code: 'watchOnly', error: refusals.watchOnly }
  expect(await send('POST', 'terminal', { server_id: id })).toMatchObject(refused)
  expect(await send('POST', `file?id=${id}`)).toMatchObject(refused)
  expect(await send('GET', `server/config/${id}`)).toMatchObject(refused)
  const runs = [
    await root.api('POST', 'exec', { servers: [id], command: 'echo', time_limit: 5 }),
    await root.api('POST', 'server/config', { servers: [id], config: '{"debug":false}' }),
  ] as { run_id: number }[]
  for (const { run_id } of runs)
    await expect
      .poll(async () => ((await root.api('GET', `run/${run_id}`)) as { items: object[] }).items)
      .toMatchObject([{ state: 'failure', reason: 'refused', output: refusals.watchOnly }])
  const nat = { name: 'n', enabled: true, domain: 'wiki.example.net', host: '127.0.0.1:1', server_id: id }
  await root.api('POST', 'nat', nat)
  const page = await world.guest().send('GET', '/', { headers: { Host: 'wiki.example.net' } })
  expect(page.status).toBeGreaterThanOrEqual(500)
  // The look at the target of the profile is a probe, and comes after all of these.
  await expect.poll(arrived).toContain(String(taskType.tcpProbe))
  const probes = [taskType.httpProbe, taskType.icmpProbe, taskType.tcpProbe, taskType.keepalive].map(String)
  expect(arrived().filter((type) => !probes.includes(type))).toEqual([])
})

test('issue 37.5 a flag, the environment, or the file makes an agent watch-only, and no server can undo it', async () => {
  const file = join(folder, 'agent.json')
  const stored = { server: 'host:1', client_secret: 's', uuid: uuidOf(2) }
  const load = async (args: string[], env: Record<string, string>, more: object = {}) => {
    writeFileSync(file, JSON.stringify({ ...stored, ...more }))
    return loadSettings({ ...createSettingsSource(), args: ['--config', file, ...args], env })
  }
  expect((await load([], {})).isWatchOnly).toBe(false)
  expect((await load(['--watch-only'], {})).isWatchOnly).toBe(true)
  expect((await load([], { QD_WATCH_ONLY: 'true' })).isWatchOnly).toBe(true)
  const settings = await load([], {}, { watch_only: true })
  await settings.save({ ...settings.current, debug: true })
  expect((await loadSettings({ ...createSettingsSource(), args: ['--config', file], env: {} })).isWatchOnly).toBe(true)
})

test('issue 37.5 the install command makes our agent watch-only, and refuses to promise it of another', async () => {
  const { config } = (await root.api('GET', 'setting')) as { config: object }
  await root.api('PATCH', 'setting', { ...config, user_template: 'user-dist', install_host: 'a:1' })
  expect(await send('GET', 'install?os=linux&watch_only=true')).toMatchObject({
    data: { command: expect.stringMatching(/ QD_WATCH_ONLY=true sh$/) },
  })
  expect(await send('GET', 'install?os=linux&agent=nezha&watch_only=true')).toMatchObject({
    problems: [{ field: 'watch_only' }],
  })
})
