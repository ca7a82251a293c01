import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type RealAgent, startRealAgent } from '../support/peers/real-agent.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'
import { type Screen, startScreen } from './screen.ts'

const folder = mkdtempSync(join(tmpdir(), 'qd-processes-'))
let programs: Programs
let world: World
let agent: RealAgent
let screen: Screen
let sleeper: ChildProcess
let listener: Server

beforeAll(async () => {
  sleeper = spawn('sleep', ['86399'], { stdio: 'ignore' })
  listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  programs = await buildPrograms()
  world = await createWorld()
  const uuid = uuidOf(1)
  agent = startRealAgent({ program: programs.agent, port: world.port, secret: siteSecret, uuid, folder })
  const { servers, agents } = world.server.container
  await vi.waitUntil(() => agents.connected(servers.byUuid(uuid)?.id ?? 0), 30_000)
  await (await world.login()).api('PATCH', `server/${servers.byUuid(uuid)?.id}`, { name: 'web-1' })
}, 60_000)
afterEach(() => screen?.close())
afterAll(async () => {
  sleeper.kill('SIGKILL')
  listener.close()
  await agent?.stop()
  await world?.close()
  programs?.close()
  rmSync(folder, { recursive: true, force: true })
})

test(':processes lists what runs on the host, M sorts by memory, and K kills one after its name is typed', async () => {
  screen = startScreen({ qd: programs.qd, url: world.origin, home: folder, columns: 120, rows: 30 })
  await screen.shows('live')
  await screen.press(':', ...'processes', 'Enter')
  await screen.shows(/Processes {2}\d+[\s\S]*1 of 1 hosts answered[\s\S]*CPU ↓/)
  await screen.press('M')
  await screen.shows(/MEMORY ↓/)
  await screen.press('/', ...'command:86399', 'Enter')
  const title = `sleep[${sleeper.pid}]`
  await screen.shows(title)
  await screen.press('K')
  await screen.shows(`Type  ${title}  to confirm`)
  const exit = once(sleeper, 'exit')
  await screen.press(...title, 'Tab', 'Enter')
  expect(await exit).toEqual([null, 'SIGKILL'])
})

test('g b lists the ports of the host with their programs, and a filter finds who listens on one', async () => {
  const { port } = listener.address() as { port: number }
  screen = startScreen({ qd: programs.qd, url: world.origin, home: folder, columns: 120, rows: 30 })
  await screen.shows('live')
  await screen.press('g', 'b')
  await screen.shows(/Ports {2}\d+[\s\S]*1 of 1 hosts answered/)
  await screen.press('/', ...`port:${port} local`, 'Enter')
  await screen.shows(new RegExp(`Ports {2}1 of \\d+[\\s\\S]*tcp/127\\.0\\.0\\.1:${port} .*this host only.* web-1`))
  await screen.press('Enter')
  await screen.shows(new RegExp(`Ports › tcp/127\\.0\\.0\\.1:${port}[\\s\\S]*PID +${process.pid}\\b`))
})
