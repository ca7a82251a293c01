import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type HostTree, makeOddHost } from '../support/hosts/host-trees.ts'
import { buildHungMount, heldThreads, quoted, type Secluded, startSecluded } from '../support/hosts/namespace.ts'
import { buildAgent, type Programs } from '../support/programs.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

let world: World
let programs: Pick<Programs, 'agent' | 'close'>
let folder: string
let agent: Secluded | undefined
let tree: HostTree | undefined
let hungPid: number | undefined

beforeAll(async () => {
  programs = await buildAgent()
})
afterAll(() => programs.close())
beforeEach(async () => {
  world = await createWorld()
  folder = mkdtempSync(join(tmpdir(), 'qd-odd-'))
})
afterEach(async () => {
  if (hungPid) process.kill(hungPid, 'SIGKILL')
  agent?.process.kill('SIGKILL')
  await agent?.ended
  await world.close()
  tree?.close()
  rmSync(folder, { recursive: true, force: true })
  agent = undefined
  tree = undefined
  hungPid = undefined
})

/** Starts the shipped agent where these shell lines have mounted other files over those of this machine. */
const startOn = (lines: readonly string[], flags: readonly string[] = []) => {
  const config = { server: `127.0.0.1:${world.port}`, client_secret: siteSecret, uuid: uuidOf(1) }
  writeFileSync(join(folder, 'agent.json'), JSON.stringify(config))
  const command = [process.execPath, programs.agent, '--config', join(folder, 'agent.json'), ...flags]
  agent = startSecluded(lines, command, { cwd: folder })
}
const host = () => world.server.container.live.hostOf(1)
const state = () => world.server.container.live.sampleOf(1)
/** What the server was told, once a state has come. */
const told = async () => {
  await expect.poll(() => state().uptime).toBeGreaterThan(0)
  return { host: host(), state: state() }
}

test('issue 36.1: the agent in an LXC container whose MemAvailable is the host’s', async () => {
  tree = makeOddHost('lxc')
  startOn([`mount --bind ${quoted(join(tree.root, 'proc'))} /proc`])
  const { host, state } = await told()
  expect(host).toMatchObject({ mem_total: 64_000_000, unmeasured: ['swap'] })
  expect(state.mem_used).toBe(29_696_000)
  expect(state.swap_used).toBeUndefined()
})

test('issue 36.3: a ZFS pool counts as a whole, on the disk that the agent asks', async () => {
  tree = makeOddHost('zfs')
  const paths = ['tank', 'a', 'b'].map((name) => join(folder, name))
  const sizes = ['4m', '5m', '4m']
  for (const path of paths) mkdirSync(path)
  const sources = ['tank', 'tank/a', 'tank/b']
  tree.write('proc/self/mounts', sources.map((source, n) => `${source} ${paths[n]} zfs rw 0 0\n`).join(''))
  tree.write('proc/self/mountinfo', '')
  startOn([
    ...paths.map((path, n) => `mount -t tmpfs -o size=${sizes[n]} none ${quoted(path)}`),
    `head -c 1048576 /dev/zero > ${quoted(join(paths[1]!, 'file'))}`,
    `mount --bind ${quoted(join(tree.root, 'proc'))} /proc`,
  ])
  const { host, state } = await told()
  expect([host.disk_total, state.disk_used]).toEqual([5 * 2 ** 20, 2 ** 20])
})

test('issue 36.3: where ZFS itself tells of the pool, its volumes and snapshots count as well', async () => {
  tree = makeOddHost('zfs')
  writeFileSync(
    join(folder, 'zfs'),
    '#!/bin/sh\n[ "$1 $2 $3 $4" = "list -Hp -d 0" ] && printf "tank\\t900000\\t100000\\nfast\\t5\\t5\\n"\n',
    { mode: 0o755 },
  )
  tree.write('proc/self/mounts', 'tank /boot zfs rw 0 0\ntank/a /etc zfs rw 0 0\nfast/db /tmp zfs rw 0 0\n')
  tree.write('proc/self/mountinfo', '')
  startOn([`PATH=${quoted(folder)}:$PATH`, `mount --bind ${quoted(join(tree.root, 'proc'))} /proc`])
  const { host, state } = await told()
  expect([host.disk_total, state.disk_used]).toEqual([1_000_010, 900_005])
})

test('issue 36.2: a file of /proc whose program hangs (lxcfs) is unknown, and all other figures go on', async () => {
  const hung = buildHungMount(folder)
  const pidFile = join(folder, 'pid')
  startOn([
    `${quoted(hung)} /proc/meminfo answers > ${quoted(join(folder, 'said'))} & echo $! > ${quoted(pidFile)}`,
    `until [ -s ${quoted(join(folder, 'said'))} ]; do sleep 0.05; done`,
  ])
  const before = await told()
  hungPid = Number(readFileSync(pidFile, 'utf8'))
  expect(before.host).toMatchObject({ mem_total: 1_024_000 })
  expect(before.state).toMatchObject({ mem_used: 409_600 })

  process.kill(hungPid, 'SIGUSR2')
  await expect.poll(() => host().unmeasured).toEqual(['memory', 'swap'])
  for (let count = 0; count < 4; count += 1) {
    const at = world.server.container.live.lastActive(1)
    await expect.poll(() => world.server.container.live.lastActive(1)).not.toBe(at)
  }
  expect(host()).toMatchObject({ disk_total: expect.any(Number) })
  expect(state()).toMatchObject({ uptime: expect.any(Number), process_count: expect.any(Number) })
  // What waits for an answer is one call, and not one more for each report.
  expect(heldThreads(agent!.process.pid!)).toBe(1)

  process.kill(hungPid, 'SIGUSR1')
  await expect.poll(() => host().unmeasured).toBeUndefined()
  await expect.poll(() => host().mem_total).toBe(1_024_000)
})

/** Starts the agent on a host whose /proc/meminfo answers at first, and then hangs. */
const startOnHanging = async (flags: readonly string[]) => {
  const hung = buildHungMount(folder)
  const pidFile = join(folder, 'pid')
  startOn(
    [
      `${quoted(hung)} /proc/meminfo answers > ${quoted(join(folder, 'said'))} & echo $! > ${quoted(pidFile)}`,
      `until [ -s ${quoted(join(folder, 'said'))} ]; do sleep 0.05; done`,
    ],
    flags,
  )
  await told()
  hungPid = Number(readFileSync(pidFile, 'utf8'))
  process.kill(hungPid, 'SIGUSR2')
  await expect.poll(() => host().unmeasured).toEqual(['memory', 'swap'])
}

test('issue 36.2: an agent that is asked to end does so, although a call of it hangs', async () => {
  await startOnHanging(['--supervise'])
  agent!.process.kill('SIGTERM')
  expect(await agent!.ended).toBe(0)
  process.kill(hungPid!, 'SIGUSR1')
})

test('a service takes no update while a call of it hangs: it could not end, and nothing would start the new one', async () => {
  await startOnHanging(['--service'])
  const root = await world.login()
  const update = async (output: RegExp) => {
    const { run_id } = (await root.api('POST', 'force-update/server', [1])) as { run_id: number }
    const item = async () => ((await root.api('GET', `run/${run_id}`)) as { items: { output: string }[] }).items[0]!
    await expect.poll(async () => (await item()).output).toMatch(output)
  }
  await update(/doesn’t respond, so this agent could not restart$/)
  process.kill(hungPid!, 'SIGUSR1')
  await expect.poll(() => host().unmeasured).toBeUndefined()
  // This server has no agent to offer.
  await update(/503/)
})
