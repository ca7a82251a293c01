import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@qd/agent/agent'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startTestAgent } from '../agent/world.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createWorld, siteSecret, type World } from '../support/world.ts'
import { type Screen, startScreen } from './screen.ts'

const folder = mkdtempSync(join(tmpdir(), 'qd-boxes-'))

/** A host with two containers, of which one is unhealthy until it is restarted; a shell in one says where it is. */
const docker = `#!/bin/sh
cd '${folder}'
row() { printf '{"id":"%s","name":"/%s","image":"nginx:1.27","status":"running","health":"%s","project":"shop"}\\n' "$1" "$1" "$2"; }
case "$1" in
ps) for one in a b; do printf '%064d\\n' 1; done ;;
inspect) row cache healthy; row app "$([ -e told ] && echo healthy || echo unhealthy)" ;;
stats) ;;
logs) echo "2026-11-26T15:00:00Z printed by $*"; exec sleep 1000 ;;
exec) echo "in the container with $*" | head -n 1; exec cat ;;
*) echo "$@" >>told ;;
esac
`
let programs: Programs
let world: World
let agent: Agent
let screen: Screen

beforeAll(async () => {
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/docker'), docker, { mode: 0o755 })
  vi.stubEnv('PATH', `${join(folder, 'bin')}:${process.env.PATH}`)
  programs = await buildPrograms()
  world = await createWorld()
  agent = startTestAgent(world, { config: { client_secret: siteSecret } })
  const { servers, agents } = world.server.container
  await vi.waitUntil(() => agents.connected(servers.all()[0]?.id ?? 0), 30_000)
  await (await world.login()).api('PATCH', `server/${servers.all()[0]!.id}`, { name: 'web-1' })
}, 60_000)
afterEach(() => screen?.close())
afterAll(async () => {
  await agent?.stop()
  await world?.close()
  programs?.close()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

test(':container lists them, unhealthy ones first; r restarts one, t opens a shell in it, l its log lines', async () => {
  screen = startScreen({ qd: programs.qd, url: world.origin, home: folder, columns: 120, rows: 30 })
  await screen.shows('live')
  await screen.press(':', ...'container', 'Enter')
  await screen.shows(
    /Containers {2}2 [\s\S]* 1 of 1 hosts answered[\s\S]*▌ +app +■ unhealthy +web-1[\s\S]* cache +● running/,
  )
  await screen.press('r')
  await screen.shows('= qd container restart web-1/app')
  await screen.press('Ctrl+s')
  await screen.shows(/Runs › restart docker\/app[\s\S]*web-1 +✓ success +0 /)
  expect(readFileSync(join(folder, 'told'), 'utf8')).toBe('restart -- app\n')
  await screen.press('Escape')
  await screen.shows(/app +● running +web-1/)
  await screen.press('t')
  await screen.shows(/Shell on web-1\/docker\/app\. Enter ~ \. to leave/)
  await screen.shows(/in the container with exec -it -- (app|cache) sh/)
  screen.send('\r~.')
  await screen.shows(/Containers {2}2 /)
  await screen.press('l')
  await screen.shows(/Logs › web-1 › container docker\/(app|cache)[\s\S]*printed by logs .*--follow -- \1/)
})

test('qd opens a shell in a container by its name', async () => {
  const args = ['container', 'shell', 'web-1/app']
  screen = startScreen({ qd: programs.qd, url: world.origin, home: folder, columns: 120, rows: 30, args })
  await screen.shows(/in the container with exec -it -- app sh/)
  screen.send('\r~.')
  await screen.ended
})
