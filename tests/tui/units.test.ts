import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type RealAgent, startRealAgent } from '../support/peers/real-agent.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'
import { type Screen, startScreen } from './screen.ts'

/** A host on which nginx failed until it is told something. */
const systemctl = `#!/bin/sh
case "$1" in
show)
  [ "$2" = --property=Version ] && exit
  printf 'Id=sshd.service\\nLoadState=loaded\\nActiveState=active\\n\\n'
  printf 'Id=nginx.service\\nLoadState=loaded\\nActiveState=%s\\n' "$([ -e told ] && echo active || echo failed)"
  ;;
*) echo "$@" >>told ;;
esac
`
const folder = mkdtempSync(join(tmpdir(), 'qd-units-'))
let programs: Programs
let world: World
let agent: RealAgent
let screen: Screen

beforeAll(async () => {
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/systemctl'), systemctl, { mode: 0o755 })
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

test('a server’s page shows what runs on its host, and a list’s key opens all of it there', async () => {
  screen = startScreen({ qd: programs.qd, url: world.origin, home: folder, columns: 120, rows: 60 })
  await screen.shows('live')
  await screen.shows('web-1')
  await screen.press('Enter')
  await screen.shows(/─ Units {2}1 failed ─+ g y All 2 ──\n ■ nginx\.service +failed.*\n ● sshd\.service +active/)
  await screen.press('Enter')
  await screen.shows(/Open[\s\S]*nginx\.service +Units/)
  await screen.press('Enter')
  await screen.shows(/Units › nginx\.service/)
  await screen.press('Escape')
  await screen.shows(/Servers › web-1/)
  await screen.press('g', 'y')
  await screen.shows(/1 of 1 hosts answered[\s\S]*▌ +nginx\.service/)
})

test(':unit lists what runs on the hosts, failed units first, and r restarts one', async () => {
  screen = startScreen({ qd: programs.qd, url: world.origin, home: folder, columns: 120, rows: 30 })
  await screen.shows('live')
  await screen.press(':', ...'unit', 'Enter')
  await screen.shows(
    /Units {2}2 [\s\S]* 1 of 1 hosts answered[\s\S]*▌ +nginx\.service +■ failed +web-1[\s\S]* sshd\.service +● active/,
  )
  await screen.press('r')
  await screen.shows('= qd unit restart web-1/nginx.service')
  await screen.press('Ctrl+s')
  await screen.shows(/Runs › restart nginx\.service[\s\S]*web-1 +✓ success +0 /)
  expect(readFileSync(join(folder, 'told'), 'utf8')).toBe('restart -- nginx.service\n')
  await screen.press('Escape')
  await screen.shows(/nginx\.service +● active +web-1/)
})
