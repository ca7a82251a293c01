import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type RealAgent, startRealAgent } from '../support/peers/real-agent.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'
import { type Screen, startScreen } from './screen.ts'

const folder = mkdtempSync(join(tmpdir(), 'qd-logs-screen-'))
const systemctl = `#!/bin/sh
[ "$2" = --property=Version ] && exit
printf 'Id=nginx.service\\nLoadState=loaded\\nActiveState=active\\n\\n'
`
/** Prints a line, and another as soon as the file `more` is there. */
const journalctl = `#!/bin/sh
echo "$@" >>'${folder}/asked'
line() { echo '{"__REALTIME_TIMESTAMP":"179570484408165'$1'","MESSAGE":"'$2'","PRIORITY":"3","SYSLOG_IDENTIFIER":"nginx","_PID":"12"}'; }
line 1 first-502
while [ ! -e '${folder}/more' ]; do sleep 0.05; done
line 2 second-200
exec sleep 1000
`
let programs: Programs
let world: World
let agent: RealAgent
let screen: Screen

beforeAll(async () => {
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/systemctl'), systemctl, { mode: 0o755 })
  writeFileSync(join(folder, 'bin/journalctl'), journalctl, { mode: 0o755 })
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

const asked = () => readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n').at(-1)

test('l follows the lines of a unit: paused, filtered at the host, from a time on; Escape leads back, g L to all lines', async () => {
  screen = startScreen({ qd: programs.qd, url: world.origin, home: folder, columns: 120, rows: 30 })
  await screen.shows('live')
  await screen.press(':', ...'unit', 'Enter')
  await screen.shows(/nginx\.service +● active/)
  await screen.press('l')
  await screen.shows(/Logs › (?!#)\S+ › unit nginx\.service[\s\S]*nginx\[12\]: first-502[\s\S]*1 of 1 hosts answered/)
  expect(asked()).toMatch(/--follow --lines=100 --unit=nginx\.service$/)
  await screen.press('p')
  await screen.shows('Paused, new lines: 0')
  writeFileSync(join(folder, 'more'), '')
  await screen.shows('Paused, new lines: 1')
  expect(screen.text()).not.toContain('second-200')
  await screen.press('p')
  await screen.shows(/first-502[\s\S]*second-200/)
  await screen.press('f')
  await screen.shows('only lines that match a regular expression')
  await screen.press(...'5..', 'Enter')
  await screen.shows('Filter: 5..')
  await expect.poll(asked).toMatch(/--unit=nginx\.service --grep=5\.\.$/)
  await screen.press('s')
  await screen.press(...'soon', 'Enter')
  await screen.shows('must be a duration')
  await screen.press('s')
  await screen.press(...'10m', 'Enter')
  await expect.poll(asked).toMatch(/--since=@[\d.]+ --unit=nginx\.service --grep=5\.\.$/)
  await screen.press('Escape')
  await screen.shows(/Units {2}1 /)
  await screen.press('g', 'L')
  await screen.shows(/Logs[\s\S]*first-502/)
  await expect.poll(asked).toMatch(/--follow --lines=100$/)
})

test('l on a server follows all its lines, and y copies those that are kept', async () => {
  writeFileSync(join(folder, 'more'), '')
  screen = startScreen({ qd: programs.qd, url: world.origin, home: folder, columns: 120, rows: 30 })
  await screen.shows(/web-1[\s\S]*live|live[\s\S]*web-1/)
  await screen.press('l')
  await screen.shows(/Logs › web-1 (?!›)[\s\S]*first-502[\s\S]*second-200/)
  expect(asked()).toMatch(/--follow --lines=100$/)
  await screen.press('y')
  const copied = () => /\u001b\]52;c;([\w+/=]+)\u0007/.exec(screen.written())?.[1]
  await expect.poll(copied).toBeDefined()
  expect(Buffer.from(copied()!, 'base64').toString()).toMatch(
    /^\S+ .*nginx\[12\]: first-502\n\S+ .*nginx\[12\]: second-200$/,
  )
})
