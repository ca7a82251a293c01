import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@qd/agent/agent'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestAgent } from '../agent/world.ts'
import { fakeContainers } from '../support/hosts/fake-containers.ts'
import { fakeUpdates } from '../support/hosts/fake-updates.ts'
import { runQd } from '../support/tui/run.ts'
import { admin, createWorld, siteSecret, type World } from '../support/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'qd-hosts-table-'))
const line = { MESSAGE: 'GET /a 502', SYSLOG_IDENTIFIER: 'nginx', _SYSTEMD_UNIT: 'nginx.service', PRIORITY: '3' }
/** What a machine of tests may lack. Its processes, file systems, and ports are its own. */
const programs: Readonly<Record<string, string>> = {
  ...fakeContainers,
  ...fakeUpdates,
  'bin/systemctl': `#!/bin/sh
case "$1" in
show) [ "$2" = --property=Version ] || printf 'Id=nginx.service\\nLoadState=loaded\\nActiveState=failed\\n' ;;
*) echo "$@" >>${folder}/told ;;
esac
`,
  'bin/journalctl': `#!/bin/sh\necho '${JSON.stringify({ ...line, __REALTIME_TIMESTAMP: '1764000000000000' })}'\n`,
}
let world: World
let agent: Agent
let listener: Server

beforeAll(async () => {
  mkdirSync(join(folder, 'bin'))
  for (const [path, text] of Object.entries(programs)) writeFileSync(join(folder, path), text, { mode: 0o755 })
  vi.stubEnv('PATH', `${join(folder, 'bin')}:${process.env.PATH}`)
  world = await createWorld()
  agent = startTestAgent(world, { config: { client_secret: siteSecret } })
  const { servers, agents } = world.server.container
  await vi.waitUntil(() => agents.connected(servers.all()[0]?.id ?? 0), 30_000)
  const id = servers.all()[0]?.id
  const root = await world.login()
  await root.api('PATCH', `server/${id}`, { name: 'web-1' })
  await root.api('POST', 'server-group', { name: 'web', servers: [id] })
  listener = createServer().listen(0, '127.0.0.1')
  await vi.waitUntil(() => listener.listening)
}, 60_000)
afterAll(async () => {
  listener?.close()
  await agent?.stop()
  await world?.close()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs it until the host answers: a busy machine may take longer than a reading may. */
async function qd(...args: string[]) {
  const env = { QD_URL: world.origin, QD_USER: admin.username, QD_PASSWORD: admin.password }
  let said = { code: -1, stdout: '', stderr: '' }
  const isSaid = async () => {
    said = await runQd({ args, env })
    return !said.stderr.includes('timed out')
  }
  await vi.waitUntil(isSaid, { timeout: 80_000, interval: 100 })
  return said
}
const rows = async (...args: string[]) => {
  const { code, stdout, stderr } = await qd(...args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Record<string, unknown>[]
}

test('what failed anywhere?', async () => {
  expect(await rows('unit', 'ls', 'failed', '--json', 'name,state')).toEqual([
    { name: 'nginx.service', state: 'failed' },
  ])
  expect(await qd('unit', 'ls', 'failed', '--fail-if-any')).toMatchObject({ code: 1 })
})

test('restart nginx on the web servers, one first', async () => {
  const args = ['unit', 'restart', 'nginx', '--on', 'group:web', '--canary', '1', '--wait', '--yes']
  expect(await qd(...args)).toMatchObject({ code: 0 })
  expect(readFileSync(join(folder, 'told'), 'utf8')).toBe('restart -- nginx.service\n')
})

test('logs of one service on all web servers', async () => {
  const { code, stdout } = await qd('logs', 'group:web', '--unit', 'nginx', '--grep', '5..')
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/ nginx(\[\d+\])?: GET \/a 502\n$/) })
})

test('unhealthy containers, in docker and in podman', async () => {
  const fields = ['--json', 'name,engine,state']
  expect(await rows('container', 'ls', 'unhealthy', ...fields)).toEqual([
    { name: 'app', engine: 'docker', state: 'unhealthy' },
  ])
  expect(await rows('container', 'ls', 'engine:podman', ...fields)).toMatchObject([{ name: 'worker' }])
})

test('what eats the memory?', async () => {
  const args = ['--on', 'web-1', '--sort=-memory', '--limit', '10', '--json', 'name,memory']
  const memory = (await rows('process', 'ls', ...args)).map((row) => Number(row.memory))
  expect(memory.length).toBeGreaterThan(0)
  expect(memory.length).toBeLessThanOrEqual(10)
  expect(memory).toEqual([...memory].sort((a, b) => b - a))
})

test('which disk is full?', async () => {
  const used = (await rows('filesystem', 'ls', 'used>=0', '--json', 'name,used')).map((row) => Number(row.used))
  const full = await rows('filesystem', 'ls', 'used>85', '--json', 'used')
  expect(full.length).toBeLessThanOrEqual(used.length)
  expect(full.filter((row) => Number(row.used) <= 85)).toEqual([])
})

test('who listens on a port, and for whom is it open?', async () => {
  const { port } = listener.address() as { port: number }
  const fields = ['--json', 'name,open_to']
  expect(await rows('port', 'ls', `port:${port} address:127.0.0.1`, ...fields)).toEqual([
    { name: `tcp/127.0.0.1:${port}`, open_to: 'local' },
  ])
  expect(await rows('port', 'ls', `port:${port} address:0.0.0.0`, ...fields)).toEqual([])
})

test('which hosts owe security updates?', async () => {
  expect(await rows('package', 'ls', 'security', '--json', 'name,state')).toEqual([
    { name: 'openssl', state: 'security' },
  ])
})
