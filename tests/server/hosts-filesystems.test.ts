import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { buildHungMount, quoted, type Secluded, startSecluded } from '../support/hosts/namespace.ts'
import { buildAgent } from '../support/programs.ts'
import { useQd } from '../support/replay/qd.ts'
import { admin, createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

const qdIn = useQd()
let world: World
let root: Browser
let folder: string
let built: Awaited<ReturnType<typeof buildAgent>>
let agent: Secluded | undefined

/** Names as a hostile host has them. */
const odd = `$(touch pwned) 'x' "y" ; %s \\ --help`
const broken = 'two\nlines'
const at = (name: string) => join(folder, name)
const shown = (name: string) => at(name).replaceAll('\n', '\\x0a')

beforeAll(async () => {
  built = await buildAgent()
  world = await createWorld()
  root = await world.login()
  folder = mkdtempSync(join(tmpdir(), 'qd-filesystems-'))
  for (const name of [odd, broken, 'dead', 'locked']) mkdirSync(at(name))
  writeFileSync(
    at('agent.json'),
    JSON.stringify({
      ...{ server: `127.0.0.1:${world.port}`, client_secret: siteSecret, uuid: uuidOf(1) },
      hard_drive_partition_allowlist: ['/'],
    }),
  )
  const hung = buildHungMount(folder)
  agent = startSecluded(
    [
      `mount -t tmpfs -o size=1m,nr_inodes=100 full ${quoted(at(odd))}`,
      `head -c 950000 /dev/zero > ${quoted(`${at(odd)}/data`)}`,
      `mount -t tmpfs -o size=1m none ${quoted(at(broken))}`,
      `${quoted(hung)} ${quoted(at('dead'))} > ${quoted(at('said'))} & echo $! > ${quoted(at('pid'))}`,
      `until [ -s ${quoted(at('said'))} ]; do sleep 0.05; done`,
    ],
    [process.execPath, built.agent, '--config', at('agent.json')],
    { cwd: folder },
  )
  const { servers, agents } = world.server.container
  await vi.waitUntil(() => agents.connected(servers.byUuid(uuidOf(1))?.id ?? 0), 30_000)
}, 60_000)
afterAll(async () => {
  process.kill(Number(readFileSync(at('pid'), 'utf8')), 'SIGKILL')
  agent?.process.kill('SIGKILL')
  await agent?.ended
  await world.close()
  built.close()
  rmSync(folder, { recursive: true, force: true })
})

const read = async () => {
  const { hosts } = (await root.api('GET', 'host/filesystem')) as {
    hosts: { state: string; rows: Record<string, unknown>[] }[]
  }
  expect(hosts).toMatchObject([{ state: 'read' }])
  return Object.fromEntries(hosts[0]!.rows.map((row) => [row.name as string, row]))
}

/** `stat` processes that wait for a mount. */
const waiting = () =>
  readdirSync('/proc').filter((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      return words[0] === 'stat' && words.includes(at('dead'))
    } catch {
      return false
    }
  })

test('every mount is read as it is, and one that hangs holds up no other, however often it is asked', async () => {
  const rows = await read()
  expect(rows['/']).toMatchObject({ state: 'ok', used: expect.any(Number), size: expect.any(Number) })
  expect(rows[shown(odd)]).toMatchObject({
    ...{ device: 'full', type: 'tmpfs', state: 'ok', read_only: false, inodes: 2 },
    ...{ size: 1_048_576, used_bytes: 950_272, available: 98_304 },
  })
  expect(rows[shown(odd)]!.used).toBeCloseTo(90.6, 1)
  expect(rows[shown(broken)]).toMatchObject({ size: 1_048_576 })
  expect(rows[at('dead')]).toMatchObject({ state: 'silent', used: null, size: null })
  expect(Object.keys(rows)).not.toContain('/proc')
  expect(waiting().length).toBeLessThanOrEqual(1)
  for (let time = 0; time < 3; time += 1) {
    world.server.container.hostReadings.expire(world.server.container.servers.byUuid(uuidOf(1))!.id)
    expect((await read())[at('dead')]).toMatchObject({ state: 'silent' })
  }
  expect(waiting().length).toBeLessThanOrEqual(1)
})

test('qd lists what is nearly full, and what hangs', async () => {
  const qd = qdIn.home({ QD_URL: world.origin, QD_USER: admin.username, QD_PASSWORD: admin.password })
  const full = await qd(['filesystem', 'ls', 'used>85', '--json'])
  expect(full).toMatchObject({ code: 0 })
  expect(JSON.parse(full.stdout)).toContainEqual(expect.objectContaining({ name: shown(odd), used_bytes: 950_272 }))
  expect(full.stdout).not.toContain('"name":"/dev/shm"')
  const silent = await qd(['filesystem', 'ls', 'silent', '--json', 'name,used'])
  expect(JSON.parse(silent.stdout)).toEqual([{ name: at('dead'), used: null }])
})

test('when the mount responds again, its space is known', async () => {
  process.kill(Number(readFileSync(at('pid'), 'utf8')), 'SIGUSR1')
  await expect.poll(waiting).toEqual([])
  world.server.container.hostReadings.expire(world.server.container.servers.byUuid(uuidOf(1))!.id)
  expect((await read())[at('dead')]).toMatchObject({ state: 'ok', used: 50, size: 4_096_000 })
})
