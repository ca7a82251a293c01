import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@qd/agent/agent'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runProgram } from '../../apps/tui/src/start/program.ts'
import { startTestAgent } from '../agent/world.ts'
import { type AptRoot, createAptRoot, whyNoApt } from '../support/hosts/apt-root.ts'
import { fakeContainers } from '../support/hosts/fake-containers.ts'
import { fakeUpdates } from '../support/hosts/fake-updates.ts'
import { busyboxImage, type Podman, startPodman, whyNoPodman } from '../support/hosts/podman.ts'
import { createTestIo } from '../support/tui/io.ts'
import { runQd } from '../support/tui/run.ts'
import { admin, createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'qd-hosts-table-'))
const line = { MESSAGE: 'GET /a 502', SYSLOG_IDENTIFIER: 'nginx', _SYSTEMD_UNIT: 'nginx.service', PRIORITY: '3' }
const whyNot = { apt: whyNoApt(), podman: whyNoPodman() }
/** What a machine of tests may lack. Its processes, file systems, and ports are its own, as are apt and podman if it has them. */
const programs: Readonly<Record<string, string>> = {
  ...(whyNot.apt === null ? {} : fakeUpdates),
  ...fakeContainers,
  'bin/systemctl': `#!/bin/sh
case "$1" in
show) [ "$2" = --property=Version ] || printf 'Id=nginx.service\\nLoadState=loaded\\nActiveState=failed\\n' ;;
*) echo "$@" >>${folder}/told ;;
esac
`,
  'bin/journalctl': `#!/bin/sh
echo '${JSON.stringify({ ...line, __REALTIME_TIMESTAMP: '1764000000000000' })}'
case "$*" in *--follow*) exec sleep 1000 ;; esac
`,
}
let world: World
let agent: Agent
let listener: Server
let podman: Podman | null = null
let apt: AptRoot | null = null

beforeAll(async () => {
  mkdirSync(join(folder, 'bin'))
  for (const [path, text] of Object.entries(programs)) writeFileSync(join(folder, path), text, { mode: 0o755 })
  if (whyNot.podman === null) {
    podman = await startPodman(join(folder, 'podman'))
    const run = ['run', '--detach', '--stop-signal', 'KILL', '--name', 'worker', busyboxImage]
    podman.run(...run, 'sh', '-c', 'echo at work; exec sleep 1000')
    rmSync(join(folder, 'bin/podman'))
  }
  if (whyNot.apt === null) {
    mkdirSync(join(folder, 'apt'))
    apt = createAptRoot(join(folder, 'apt'))
    apt.publish('stable', [{ name: 'openssl', version: '3.0.1' }])
    apt.install('openssl')
    apt.publish('stable-security', [{ name: 'openssl', version: '3.0.2' }])
  }
  const path = [join(folder, 'bin'), podman?.bin, apt?.bin, process.env.PATH]
  vi.stubEnv('PATH', path.filter((one) => one !== undefined).join(':'))
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
}, 120_000)
afterAll(async () => {
  listener?.close()
  await agent?.stop()
  await world?.close()
  await podman?.close()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const env = () => ({ QD_URL: world.origin, QD_USER: admin.username, QD_PASSWORD: admin.password })

/** Runs it until the host answers: a busy machine may take longer than a reading may. */
async function qd(...args: string[]) {
  let said = { code: -1, stdout: '', stderr: '' }
  const isSaid = async () => {
    said = await runQd({ args, env: env() })
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

/** Runs it until it has printed this, then presses Ctrl+C. */
async function follow(printed: RegExp, ...args: string[]) {
  const io = createTestIo({ args, env: env() })
  const ended = runProgram(io)
  await expect.poll(() => io.written().stdout, { timeout: 60_000 }).toMatch(printed)
  io.interrupt()
  expect({ code: await ended, stderr: io.written().stderr }).toEqual({ code: 130, stderr: '' })
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

test('logs of one service on all web servers, live', async () => {
  const { code, stdout } = await qd('logs', 'group:web', '--unit', 'nginx', '--grep', '5..')
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/ nginx(\[\d+\])?: GET \/a 502\n$/) })
  await follow(/ GET \/a 502\n$/, 'logs', 'group:web', '--unit', 'nginx', '--follow', '--grep', '5..')
})

test('unhealthy containers, in docker and in podman, and the lines of one', async () => {
  const fields = ['--json', 'name,engine,state']
  expect(await rows('container', 'ls', 'unhealthy', ...fields)).toEqual([
    { name: 'app', engine: 'docker', state: 'unhealthy' },
  ])
  expect(await rows('container', 'ls', 'engine:podman', ...fields)).toEqual([
    { name: 'worker', engine: 'podman', state: 'running' },
  ])
  if (podman) await follow(/ at work\n$/, 'container', 'logs', 'web-1/worker', '-f')
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

test.skipIf(whyNot.apt !== null)('security updates are installed, on one host first', async () => {
  const upgrade = ['package', 'upgrade', '--select', 'security', '--on', 'group:web']
  expect(await qd(...upgrade, '--canary', '1', '--batch', '5', '--wait', '--yes')).toMatchObject({ code: 0 })
  expect(apt?.installed()).toEqual({ openssl: '3.0.2' })
  expect(await rows('package', 'ls', 'security', '--json', 'name')).toEqual([])
})

test('what a host that owes a reboot has pending is upgraded', async () => {
  const printed = '#@ facts\nreboot\nwhy linux-image\narch amd64\n#@ apt\nvim/stable 9.1 amd64 [upgradable from: 9.0]\n'
  const ran: string[] = []
  await world.agent({
    uuid: uuidOf(2),
    onCommand(command) {
      const isReading = command.includes('#@ facts')
      if (!isReading) ran.push(command)
      return { data: isReading ? printed : '', successful: true }
    },
  })
  const { servers, agents } = world.server.container
  await vi.waitUntil(() => agents.connected(servers.byUuid(uuidOf(2))?.id ?? 0), 30_000)
  const named = ['--on', `reboot #${servers.byUuid(uuidOf(2))?.id}`]
  expect(await rows('package', 'ls', 'reboot', ...named, '--json', 'name,source')).toEqual([
    { name: 'reboot-required', source: 'linux-image' },
  ])
  const upgrade = ['package', 'upgrade-all', '--select', 'update', ...named, '--canary', '1', '--batch', '5']
  expect(await qd(...upgrade, '--wait', '--yes')).toMatchObject({ code: 0 })
  expect(ran).toEqual([expect.stringMatching(/apt-get .*upgrade/)])
})
