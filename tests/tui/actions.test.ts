import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestAgent } from '../agent/world.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { siteSecret } from '../support/world.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { type Screen, type ScreenOptions, startScreen } from './screen.ts'

let programs: Programs
let fleet: Fleet
let agent: ReturnType<typeof startTestAgent>
let screen: Screen
const home = mkdtempSync(join(tmpdir(), 'qd-actions-'))

beforeAll(async () => {
  programs = await buildPrograms()
  fleet = await createFleet(['web-1', 'web-2', 'db-1', 'db-2'])
  agent = startTestAgent(fleet.world, { config: { client_secret: siteSecret } })
})
afterEach(() => screen?.close())
afterAll(async () => {
  await agent?.stop()
  await fleet?.close()
  programs?.close()
  rmSync(home, { recursive: true, force: true })
})

const start = async (options: Partial<ScreenOptions> = {}) => {
  screen = startScreen({ qd: programs.qd, url: fleet.world.origin, home, columns: 120, rows: 36, ...options })
  await screen.shows('live')
  await screen.shows(/Servers {2}5/)
}
const filtered = async (filter: string, count: number) => {
  await screen.press('/', ...filter, 'Enter')
  await screen.shows(new RegExp(`Servers {2}${count} of 5`))
}

test('r asks for a command on the marked servers, says what it reaches, and shows what each answered', async () => {
  await start()
  await filtered('group:web', 2)
  await screen.press('*', 'r')
  await screen.shows(/Servers › Run command {2}2/)
  await screen.shows('2 online, will run')
  await screen.press('Ctrl+s')
  await screen.shows(/✗ 1 field needs attention/)
  await screen.press(...'uptime -p')
  await screen.shows(/= qd exec .*--ids 1,2 .*-- 'uptime -p'|= qd exec .*uptime -p/)
  await screen.press('Tab', 'Backspace', 'Backspace', ...'x')
  await screen.press('Ctrl+s')
  await screen.shows(/✗ .*(number|duration|second)/i)
  await screen.press('Backspace', ...'30', 'Ctrl+s')
  await screen.shows(/Runs › .* › run \d+/)
  await screen.shows((rows) => rows.filter((row) => /web-\d +✓ success .*done on web-\d/.test(row)).length === 2)
  await screen.press('Escape')
  await screen.shows(/Servers {2}2 of 5/)
  expect(screen.rows()[1]).toContain('2 selected')
})

test('T-24 leaving the arguments asks when something was typed, and nothing runs', async () => {
  await start({ columns: 80, rows: 24 })
  await filtered('db-1', 1)
  await screen.press('r')
  await screen.shows(/Servers › db-1 › Run command/)
  await screen.press(...'reboot', 'Escape')
  await screen.shows('Leave without saving?')
  await screen.press('Tab', 'Enter')
  await screen.shows(/Servers {2}1 of 5/)
  await screen.press('g', 'r')
  await screen.shows((rows) => rows[0]!.includes('Runs') && !rows.join('').includes('reboot'))
})

test('T-25 a paste of 200 lines into the command of an action is one edit', async () => {
  await start()
  await filtered('db-1', 1)
  await screen.press('r')
  await screen.shows(/db-1 › Run command/)
  screen.send(`\u001b[200~${Array.from({ length: 200 }, (_, index) => `line ${index}`).join('\r')}\u001b[201~`)
  await screen.shows(/200 lines/)
  await screen.press('Escape', 'Tab', 'Enter')
})

test('u updates in steps: what waits is shown, p and P hold it and let it go on, S stops it', async () => {
  await start()
  await filtered('group:web', 2)
  await screen.press('*', 'u')
  await screen.shows(/Servers › Force update {2}2/)
  await screen.press('Backspace', ...'1', 'Tab', 'Backspace', ...'1', 'Ctrl+s')
  await screen.shows(/Runs › .* › run \d+/)
  await screen.shows(/· queued/)
  await screen.shows(/Canary servers first {2}Canary servers 1, Batch size 1, Maximum failures 0 .*p pause {2}S stop/)
  await screen.press('p')
  await screen.shows(/Paused. Nothing more is being sent. .*P resume {2}S stop/)
  await screen.press('P')
  await screen.shows(/Canary servers first/)
  await screen.press('S')
  await screen.shows('┌ Stop')
  await screen.press('Tab', 'Enter')
  await screen.shows(/Stopped. The remaining servers were skipped./)
  await screen.shows(/– no answer .*rollout stopped/)
})

test('the configuration of an agent is loaded, edited and pushed; only what changed is sent', async () => {
  await start()
  await filtered('!web !db', 1)
  await screen.press(':', ...'server config', 'Enter')
  await screen.shows(/› Agent configuration/)
  await screen.shows(/Report interval +\d/)
  await screen.press('Ctrl+s')
  await screen.shows(/✗ No changes/)
  await screen.press('Backspace', 'Backspace', ...'2')
  await screen.shows(/= qd server config .*--report-delay 2s$/m)
  await screen.press('Ctrl+s')
  await screen.shows(/Runs › .* › run \d+/)
  await screen.shows(/✓ success/)
  expect(agent.settings.current.report_delay).toBe(2)
})

test('the new owner of a server is chosen from the users, and what the server refuses keeps the form', async () => {
  await start()
  await filtered('db-1', 1)
  await screen.press(':', ...'server move', 'Enter')
  await screen.shows(/db-1 › Change owner/)
  await screen.press('Enter')
  await screen.shows(/─ User ─/)
  await screen.press(...'adm', 'Enter')
  await screen.shows(/User +admin/)
  // Meanwhile it became theirs.
  const { servers } = fleet.world.server.container
  await servers.giveTo(servers.all().find(({ name }) => name === 'db-1')!.id, 1)
  await screen.press('Ctrl+s')
  await screen.shows(/✗ \S/)
  expect(screen.rows()[0]).toContain('Change owner')
})

test('a command to install an agent: what the server does not take keeps the form, then it is shown whole and copied', async () => {
  await start()
  await screen.press(':', ...'server install', 'Enter')
  await screen.shows(/Servers › Install agent/)
  await screen.press('Ctrl+s')
  await screen.shows('✗ The Agent docking address has not been filled in in the settings.')
  expect(screen.rows()[0]).toContain('Install agent')
  const browser = await fleet.world.login()
  const { config } = (await browser.api('GET', 'setting')) as { config: Record<string, unknown> }
  await browser.api('PATCH', 'setting', { ...config, install_host: '192.0.2.1:8008' })
  await screen.press('Ctrl+s')
  await screen.shows(/┌ Install agent ─/)
  await screen.shows(/curl[\s\S]*192\.0\.2\.1:8008/)
  const copied = /\u001b\]52;c;([\w+/=]+)\u0007/.exec(screen.written())![1]!
  expect(Buffer.from(copied, 'base64').toString()).toContain('192.0.2.1:8008')
  await screen.press('Escape')
  await screen.shows((rows) => !rows.join('').includes('┌ Install'))
})

test('a new API token: scopes are chosen from those there are, its text is shown once, Escape does not throw it away', async () => {
  await start()
  await screen.press(':', ...'api-token create', 'Enter')
  await screen.shows(/API tokens › new/)
  await screen.press(...'for-ci', 'Tab', 'Tab', 'Enter')
  await screen.shows(/─ Scopes ─/)
  await screen.press('/', ...'server:', 'Space', 'ArrowDown', 'Space', 'Enter')
  await screen.shows(/Scopes +nezha:server:read, nezha:server:write/)
  await screen.press('Ctrl+s')
  await screen.shows('You won’t be able to see it again.')
  const [token] = /nzp_\w+/.exec(screen.text())!
  await screen.press('Escape')
  expect(screen.text()).toContain(token)
  await screen.press('y')
  await screen.shows(() => screen.written().includes(Buffer.from(token).toString('base64')))
  await screen.press('Enter')
  await screen.shows((rows) => !rows.join('').includes(token))
  await screen.press(':', ...'api-token', 'Enter')
  await screen.shows(/API tokens {2}1[\s\S]*for-ci/)
  expect(screen.text()).not.toContain(token)
})

test('issue 10: a forced update says whom it was sent to and who is offline', async () => {
  await fleet.agents.get('db-2')!.close()
  await start()
  await filtered('db', 2)
  await screen.press('*', 'u')
  await screen.shows(/Servers › Force update {2}2/)
  await screen.press('Ctrl+s')
  await screen.shows('Forced upgrade: Sent to db-1 · Offline: db-2')
})
