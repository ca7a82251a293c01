import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, test, vi } from 'vitest'
import { fakeMounts } from '../support/hosts/fake-mounts.ts'
import { type RealAgent, startRealAgent } from '../support/peers/real-agent.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'
import { type Screen, startScreen } from './screen.ts'

const folder = mkdtempSync(join(tmpdir(), 'qd-mounts-'))
let programs: Programs
let world: World
let agent: RealAgent
let screen: Screen

beforeAll(async () => {
  mkdirSync(join(folder, 'bin'))
  for (const [path, text] of Object.entries(fakeMounts)) writeFileSync(join(folder, path), text, { mode: 0o755 })
  programs = await buildPrograms()
  world = await createWorld()
  const environment = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
  const uuid = uuidOf(1)
  agent = startRealAgent({ program: programs.agent, port: world.port, secret: siteSecret, uuid, folder, environment })
  const { servers, agents } = world.server.container
  await vi.waitUntil(() => agents.connected(servers.byUuid(uuid)?.id ?? 0), 30_000)
  await (await world.login()).api('PATCH', `server/${servers.byUuid(uuid)?.id}`, { name: 'web-1' })
}, 60_000)
afterEach(() => screen?.close())
afterAll(async () => {
  await agent?.stop()
  await world?.close()
  programs?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('g f lists file systems, the fullest first, and a filter keeps what is nearly full', async () => {
  screen = startScreen({ qd: programs.qd, url: world.origin, home: folder, columns: 120, rows: 30 })
  await screen.shows('live')
  await screen.press('g', 'f')
  await screen.shows(/Filesystems {2}3 [\s\S]*▌ +\/var +96.* unknown[\s\S]* \/srv +88[\s\S]* \/ +33/)
  await screen.press('/', ...'used>95', 'Enter')
  await screen.shows(/Filesystems {2}1 of 3 [\s\S]*\/var +96(?![\s\S]*\/srv)/)
})
