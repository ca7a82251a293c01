import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IOStreamData } from '@qd/protocol/agent'
import { entityTables } from '@qd/server/records/table'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { admin, createWorld, type World } from '../support/world.ts'
import { type Screen, startScreen } from './screen.ts'

let programs: Programs
let clock: FakeClock
let world: World
let screen: Screen
const home = mkdtempSync(join(tmpdir(), 'qd-step-up-'))

beforeAll(async () => {
  programs = await buildPrograms()
  clock = createFakeClock(Date.now())
  world = await createWorld({ clock })
})
afterAll(async () => {
  await screen?.close()
  await world?.close()
  programs?.close()
  rmSync(home, { recursive: true, force: true })
})

const tokens = () => entityTables(world.server.container.db).selectFrom('api_tokens').selectAll().execute()

test('R-12 an API token is made in the terminal: the password is asked once more in place, its text shown once', async () => {
  screen = startScreen({ qd: programs.qd, url: world.origin, home, columns: 120, rows: 36, signedIn: false })
  await screen.shows('Password')
  await screen.press(...admin.username, 'Enter', ...admin.password, 'Enter')
  await screen.shows('live')
  await clock.advance(11 * 60_000)
  await screen.press('g', 'k')
  await screen.shows(/API tokens/)
  await screen.press('c')
  await screen.shows(/API tokens › new/)
  await screen.press(...'ci', 'Tab', 'Tab', 'Enter', '/', ...'cron:read', 'Space', 'Enter')
  await screen.shows('nezha:cron:read')
  await screen.press('Ctrl+s')
  await screen.shows('┌ Confirm your password')
  await screen.press(...'wrong', 'Enter')
  await screen.shows('✗ Wrong password')
  expect(screen.text()).not.toContain('wrong')
  await screen.press(...admin.password, 'Enter')
  await screen.shows(/nzp_[0-9A-Za-z]{32}/)
  expect(await tokens()).toMatchObject([{ name: 'ci', scopes: '["nezha:cron:read"]' }])
  await screen.press('Enter')
  await screen.shows((rows) => !rows.join('').includes('nzp_'))
})

test('R-12 who does not give it has done nothing, and what was typed stands', async () => {
  await clock.advance(11 * 60_000)
  await screen.press('c')
  await screen.shows(/API tokens › new/)
  await screen.press(...'other', 'Tab', 'Tab', 'Enter', '/', ...'cron:read', 'Space', 'Enter', 'Ctrl+s')
  await screen.shows('┌ Confirm your password')
  await screen.press('Escape')
  await screen.shows((rows) => !rows.join('').includes('Confirm your password'))
  expect(screen.text()).toContain('other')
  expect(await tokens()).toHaveLength(1)
})

test('R-12 T-27 the password for a shell is asked while there is still a screen to ask it on', async () => {
  const agent = await world.agent()
  agent.report()
  await clock.advance(11 * 60_000)
  agent.report()
  await screen.press('Escape')
  await screen.shows('Leave without saving?')
  await screen.press('Tab', 'Enter')
  // Before the list stands, `g` is the question's and `s` alone opens the order.
  await screen.shows(/▌ +ci /)
  await screen.press('g', 's')
  await screen.shows(/▌ ● \w/)
  await screen.press('t')
  await screen.shows('┌ Confirm your password')
  await screen.press(...admin.password, 'Enter')
  const shell = agent.attach(await agent.nextTask())
  shell.send(IOStreamData.encode({ data: Buffer.from('made-up$ ') }).finish())
  await screen.shows(/Shell on [\s\S]*made-up\$/)
  expect(screen.isAlternate()).toBe(false)
  screen.send('~.')
  await screen.shows(/Left the shell on/)
})
