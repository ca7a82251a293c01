import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { fakeUpdates } from '../support/hosts/fake-updates.ts'
import { type RealAgent, startRealAgent } from '../support/peers/real-agent.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'
import { type Screen, startScreen } from './screen.ts'

const folder = mkdtempSync(join(tmpdir(), 'qd-updates-'))
let programs: Programs
let world: World
let agent: RealAgent
let screen: Screen

beforeAll(async () => {
  mkdirSync(join(folder, 'bin'))
  for (const [path, text] of Object.entries(fakeUpdates)) writeFileSync(join(folder, path), text, { mode: 0o755 })
  programs = await buildPrograms()
  world = await createWorld()
  const environment = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
  const uuid = uuidOf(1)
  agent = startRealAgent({ program: programs.agent, port: world.port, secret: siteSecret, uuid, folder, environment })
  const printed = '#@ facts\nreboot\nwhy linux-image\narch amd64\n#@ apt\n\n'
  await world.agent({ uuid: uuidOf(2), onCommand: () => ({ data: printed, successful: true }) })
  const { servers, agents } = world.server.container
  const root = await world.login()
  for (const [n, name] of [
    [1, 'web-1'],
    [2, 'db-1'],
  ] as const) {
    await vi.waitUntil(() => agents.connected(servers.byUuid(uuidOf(n))?.id ?? 0), 30_000)
    await root.api('PATCH', `server/${servers.byUuid(uuidOf(n))?.id}`, { name })
  }
}, 60_000)
afterEach(() => screen?.close())
afterAll(async () => {
  await agent?.stop()
  await world?.close()
  programs?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the list of servers is filtered by what their hosts owe, which is read for it', async () => {
  screen = startScreen({ qd: programs.qd, url: world.origin, home: folder, columns: 120, rows: 30 })
  await screen.shows('live')
  const shows = (count: string, ...names: string[]) =>
    screen.shows(
      (rows) =>
        rows[0]!.includes(`Servers  ${count} `) &&
        ['web-1', 'db-1'].every((name) => rows.some((row) => row.includes(` ${name} `)) === names.includes(name)),
    )
  await shows('2', 'web-1', 'db-1')
  for (const [filter, ...names] of [
    ['updates_security>0', 'web-1'],
    ['updates_security>1'],
    ['reboot updates:0', 'db-1'],
  ] as const) {
    await screen.press('/', ...filter, 'Enter')
    await shows(`${names.length} of 2`, ...names)
    await screen.press('Escape')
    await shows('2', 'web-1', 'db-1')
  }
})

test(':package lists security updates first, and u installs one', async () => {
  screen = startScreen({ qd: programs.qd, url: world.origin, home: folder, columns: 120, rows: 30 })
  await screen.shows('live')
  await screen.press(':', ...'package', 'Enter')
  await screen.shows(/Packages {2}\d [\s\S]* openssl +▲ security +web-1[\s\S]* vim +update/)
  await screen.press('/', ...'security', 'Enter')
  await screen.shows(/Packages {2}1 of \d/)
  await screen.press('u')
  await screen.shows('= qd package upgrade web-1/openssl')
  await screen.press('Ctrl+s')
  await screen.shows(/Runs › upgrade apt\/openssl[\s\S]*web-1 +✓ success +0 /)
  expect(readFileSync(join(folder, 'told'), 'utf8')).toMatch(/install --only-upgrade -y -- openssl\n$/)
})
