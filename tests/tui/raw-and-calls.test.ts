import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { type Screen, type ScreenOptions, startScreen } from './screen.ts'

let programs: Programs
let fleet: Fleet
let screen: Screen
const home = mkdtempSync(join(tmpdir(), 'qd-raw-'))
const secretUrl = 'http://127.0.0.1:9/hook-of-mine'

beforeAll(async () => {
  programs = await buildPrograms()
  fleet = await createFleet(['web-1', 'web-2', 'db-1'])
  const browser = await fleet.world.login()
  const servers = [fleet.ids.get('web-1'), fleet.ids.get('db-1')]
  for (const name of ['backup', 'cleanup'])
    await browser.api('POST', 'cron', { name, task_type: 1, command: `do ${name}`, cover: 0, servers })
  await browser.api('POST', 'notification', {
    ...{ name: 'chat', url: secretUrl, request_method: 1, request_type: 1, request_header: '', request_body: '' },
    ...{ verify_tls: true, skip_check: true },
  })
})
afterEach(() => screen?.close())
afterAll(async () => {
  await fleet?.close()
  programs?.close()
  rmSync(home, { recursive: true, force: true })
})

const start = async (options: Partial<ScreenOptions> = {}) => {
  screen = startScreen({ qd: programs.qd, url: fleet.world.origin, home, columns: 120, rows: 36, ...options })
  await screen.shows('live')
  await screen.shows('web-1')
}

test('issue 36.26 r on several selected tasks runs them all, after one question about all of them', async () => {
  await start()
  await screen.press('g', 't')
  await screen.shows(/▌ +backup/)
  await screen.press('x', 'x')
  await screen.shows('2 selected')
  await screen.press('r')
  await screen.shows(/┌ Run now/)
  const asked = screen.text()
  expect(asked).toContain('backup')
  expect(asked).toContain('cleanup')
  expect(asked).toMatch(/Only these 2/)
  await screen.press('y')
  await screen.shows(/^ qd {2}Runs {2}2/m)
  await screen.shows((rows) => rows.filter((row) => /(backup|cleanup)/.test(row)).length >= 2)

  expect(new Set(screen.text().match(/backup|cleanup/g))).toEqual(new Set(['backup', 'cleanup']))
})

test('issue 36.27 y shows the record as YAML, the selected ones as documents; secrets stay masked', async () => {
  await start()
  await screen.shows(/▌ [●▲] db-1/)
  await screen.press('y')
  await screen.shows(/Servers › db-1 › YAML/)
  await screen.shows(/^ name: db-1$/m)
  await screen.press('Escape', 'x', 'x', 'y')
  await screen.shows(/Servers › 2 › YAML/)
  await screen.press('/', ...'---', 'Enter')
  await screen.shows('1/1')
  await screen.press('Escape', 'Escape', 'Y')
  // The names stand beside each other, without the line end that is copied.
  await screen.shows('db-1, web-1')
  await screen.press('q', 'Escape', 'Enter')
  await screen.shows(/Servers › web-2/)
  await screen.press('Y')
  await screen.shows('─ Copy ─')
  await screen.press('q', 'y')
  await screen.shows(/Servers › web-2 › YAML/)
  await screen.press('g', 'n')
  await screen.shows(/▌.*chat/)
  await screen.press('y')
  await screen.shows(/^ name: chat$/m)
  expect(screen.text()).not.toContain('hook-of-mine')
})

test('issue 36.27 @ shows the calls of this session, and both keys stand in ?', async () => {
  await start()
  await screen.press('@')
  await screen.shows(/API calls › /)
  await screen.shows(/^ \d\d:\d\d:\d\d GET +200 +\d+ ms \/api\/v1\/server/m)
  expect(screen.text()).not.toContain('correct horse')
  await screen.press('Escape', '?')
  await screen.shows(/y +View as YAML/)
  await screen.shows(/@ +API calls/)
})
