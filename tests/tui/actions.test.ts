import { afterAll, beforeAll, expect, test } from 'vitest'
import { commit } from '../../apps/server/src/store/records/commit.ts'
import { startTestAgent } from '../agent/world.ts'
import { siteSecret, uuidOf } from '../support/world.ts'
import { onFleet } from './on-fleet.ts'

const on = onFleet(['web-1', 'web-2', 'db-1', 'db-2'], { shows: /Servers {2}5/, columns: 120, rows: 36 })
let agent: ReturnType<typeof startTestAgent>

beforeAll(async () => {
  agent = startTestAgent(on.fleet.world, { config: { client_secret: siteSecret } })
})
afterAll(async () => {
  await agent?.stop()
})

const filtered = async (filter: string, count: number) => {
  await on.screen.press('/', ...filter, 'Enter')
  await on.screen.shows(new RegExp(`Servers {2}${count} of 5`))
}

test('r asks for a command on the marked servers, says what it reaches, and shows what each answered', async () => {
  await on.start()
  await filtered('group:web', 2)
  await on.screen.press('*', 'r')
  await on.screen.shows(/Servers › Run command {2}2/)
  await on.screen.shows('2 online, will run')
  await on.screen.press('Ctrl+s')
  await on.screen.shows(/✗ 1 field needs attention/)
  await on.screen.press(...'uptime -p')
  await on.screen.shows(/= qd exec .*--ids 1,2 .*-- 'uptime -p'|= qd exec .*uptime -p/)
  await on.screen.press('Tab', 'Backspace', 'Backspace', ...'x')
  await on.screen.press('Ctrl+s')
  await on.screen.shows(/✗ .*(number|duration|second)/i)
  await on.screen.press('Backspace', ...'30', 'Ctrl+s')
  await on.screen.shows(/Runs › .* › run \d+/)
  await on.screen.shows((rows) => rows.filter((row) => /web-\d +✓ success .*done on web-\d/.test(row)).length === 2)
  await on.screen.press('Escape')
  await on.screen.shows(/Servers {2}2 of 5/)
  expect(on.screen.rows()[1]).toContain('2 selected')
})

test('T-24 leaving the arguments asks when something was typed, and nothing runs', async () => {
  await on.start({ columns: 80, rows: 24 })
  await filtered('db-1', 1)
  await on.screen.press('r')
  await on.screen.shows(/Servers › db-1 › Run command/)
  await on.screen.press(...'reboot', 'Escape')
  await on.screen.shows('Leave without saving?')
  await on.screen.press('Tab', 'Enter')
  await on.screen.shows(/Servers {2}1 of 5/)
  await on.screen.press('g', 'r')
  await on.screen.shows((rows) => rows[0]!.includes('Runs') && !rows.join('').includes('reboot'))
})

test('T-25 a paste of 200 lines into the command of an action is one edit', async () => {
  await on.start()
  await filtered('db-1', 1)
  await on.screen.press('r')
  await on.screen.shows(/db-1 › Run command/)
  on.screen.send(`\u001b[200~${Array.from({ length: 200 }, (_, index) => `line ${index}`).join('\r')}\u001b[201~`)
  await on.screen.shows(/200 lines/)
  await on.screen.press('Escape', 'Tab', 'Enter')
})

test('u updates in steps: what waits is shown, p and P hold it and let it go on, S stops it', async () => {
  await on.start()
  await filtered('group:web', 2)
  await on.screen.press('*', 'u')
  await on.screen.shows(/Servers › Force update {2}2/)
  await on.screen.press('Backspace', ...'1', 'Tab', 'Backspace', ...'1', 'Ctrl+s')
  await on.screen.shows(/Runs › .* › run \d+/)
  await on.screen.shows(/· queued/)
  await on.screen.shows(
    /Canary servers first {2}Canary servers 1, Batch size 1, Maximum failures 0 .*p pause {2}S stop/,
  )
  await on.screen.press('p')
  await on.screen.shows(/Paused. Nothing more is being sent. .*P resume {2}S stop/)
  await on.screen.press('P')
  await on.screen.shows(/Canary servers first/)
  await on.screen.press('S')
  await on.screen.shows('┌ Stop')
  await on.screen.press('Tab', 'Enter')
  await on.screen.shows(/Stopped. The remaining servers were skipped./)
  await on.screen.shows(/– no answer .*rollout stopped/)
})

test('the configuration of an agent is loaded, edited and pushed; only what changed is sent', async () => {
  await on.start()
  await filtered('!web !db', 1)
  await on.screen.press(':', ...'server config', 'Enter')
  await on.screen.shows(/› Agent configuration/)
  await on.screen.shows(/Report interval +\d/)
  await on.screen.press('Ctrl+s')
  await on.screen.shows(/✗ No changes/)
  await on.screen.press('Backspace', 'Backspace', ...'2')
  await on.screen.shows(/= qd server config .*--report-delay 2s$/m)
  await on.screen.press('Ctrl+s')
  await on.screen.shows(/Runs › .* › run \d+/)
  await on.screen.shows(/✓ success/)
  expect(agent.settings.current.report_delay).toBe(2)
})

test('the new owner of a server is chosen from the users, and what the server refuses keeps the form', async () => {
  await on.start()
  await filtered('db-1', 1)
  await on.screen.press(':', ...'server move', 'Enter')
  await on.screen.shows(/db-1 › Change owner/)
  await on.screen.press('Enter')
  await on.screen.shows(/─ User ─/)
  await on.screen.press(...'adm', 'Enter')
  await on.screen.shows(/User +admin/)
  // Meanwhile it became theirs.
  const { db, servers } = on.fleet.world.server.container
  const ids = () => servers.all().flatMap(({ id, name }) => (name === 'db-1' ? [id] : []))
  await commit(db, [servers.giving(ids, 1)])
  await on.screen.press('Ctrl+s')
  await on.screen.shows(/✗ \S/)
  expect(on.screen.rows()[0]).toContain('Change owner')
})

test('a new API token: scopes are chosen from those there are, its text is shown once, Escape does not throw it away', async () => {
  await on.start()
  await on.screen.press(':', ...'api-token create', 'Enter')
  await on.screen.shows(/API tokens › new/)
  await on.screen.press(...'for-ci', 'Tab', 'Tab', 'Enter')
  await on.screen.shows(/─ Scopes ─/)
  await on.screen.press('/', ...'server:', 'Space', 'ArrowDown', 'Space', 'Enter')
  await on.screen.shows(/Scopes +nezha:server:read, nezha:server:write/)
  await on.screen.press('Ctrl+s')
  await on.screen.shows('You won’t be able to see it again.')
  const [token] = /nzp_\w+/.exec(on.screen.text())!
  await on.screen.press('Escape')
  expect(on.screen.text()).toContain(token)
  await on.screen.press('y')
  await on.screen.shows(() => on.screen.written().includes(Buffer.from(token).toString('base64')))
  await on.screen.press('Enter')
  await on.screen.shows((rows) => !rows.join('').includes(token))
  await on.screen.press(':', ...'api-token', 'Enter')
  await on.screen.shows(/API tokens {2}1[\s\S]*for-ci/)
  expect(on.screen.text()).not.toContain(token)
})

test('issue 10: a forced update says whom it was sent to and who is offline', async () => {
  await on.fleet.agents.get('db-2')!.close()
  await on.start()
  await filtered('db', 2)
  await on.screen.press('*', 'u')
  await on.screen.shows(/Servers › Force update {2}2/)
  await on.screen.press('Ctrl+s')
  await on.screen.shows('Forced upgrade: Sent to db-1 · Offline: db-2')
})

// Last: it adds a server to the fleet.
test('a command to install an agent: what the server does not take keeps the form, then it is shown whole and copied, and says who has connected', async () => {
  await on.start()
  await on.screen.press(':', ...'server install', 'Enter')
  await on.screen.shows(/Servers › Install agent/)
  await on.screen.press('Ctrl+s')
  await on.screen.shows('✗ The Agent docking address has not been filled in in the settings.')
  expect(on.screen.rows()[0]).toContain('Install agent')
  const browser = await on.fleet.world.login()
  const { config } = (await browser.api('GET', 'setting')) as { config: Record<string, unknown> }
  await browser.api('PATCH', 'setting', { ...config, install_host: '192.0.2.1:8008' })
  await on.screen.press('Ctrl+s')
  await on.screen.shows(/┌ Install agent ─/)
  await on.screen.shows(/curl[\s\S]*192\.0\.2\.1:8008/)
  const copied = /\u001b\]52;c;([\w+/=]+)\u0007/.exec(on.screen.written())![1]!
  expect(Buffer.from(copied, 'base64').toString()).toContain('192.0.2.1:8008')
  await on.screen.shows('Waiting for an agent…')
  await on.fleet.world.agent({ uuid: uuidOf(90), host: { version: '2.2.0' } })
  await on.screen.shows(/[a-z]+-[a-z]+ connected/)
  await on.screen.press('Escape')
  await on.screen.shows((rows) => !rows.join('').includes('┌ Install'))
})
