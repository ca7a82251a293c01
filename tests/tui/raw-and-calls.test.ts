import { beforeAll, expect, test } from 'vitest'
import { onFleet } from './on-fleet.ts'

const on = onFleet(['web-1', 'web-2', 'db-1'], { shows: 'web-1', columns: 120, rows: 36 })
const secretUrl = 'http://127.0.0.1:9/hook-of-mine'

beforeAll(async () => {
  const browser = await on.fleet.world.login()
  const servers = [on.fleet.ids.get('web-1'), on.fleet.ids.get('db-1')]
  for (const name of ['backup', 'cleanup'])
    await browser.api('POST', 'cron', { name, task_type: 1, command: `do ${name}`, cover: 0, servers })
  await browser.api('POST', 'notification', {
    ...{ name: 'chat', url: secretUrl, request_method: 1, request_type: 1, request_header: '', request_body: '' },
    ...{ verify_tls: true, skip_check: true },
  })
})

test('issue 36.26 r on several selected tasks runs them all, after one question about all of them', async () => {
  await on.start()
  await on.screen.press('g', 't')
  await on.screen.shows(/▌ +backup/)
  await on.screen.press('x', 'x')
  await on.screen.shows('2 selected')
  await on.screen.press('r')
  await on.screen.shows(/┌ Run now/)
  const asked = on.screen.text()
  expect(asked).toContain('backup')
  expect(asked).toContain('cleanup')
  expect(asked).toMatch(/Only these 2/)
  await on.screen.press('y')
  await on.screen.shows(/^ qd {2}Runs {2}2/m)
  await on.screen.shows((rows) => rows.filter((row) => /(backup|cleanup)/.test(row)).length >= 2)

  expect(new Set(on.screen.text().match(/backup|cleanup/g))).toEqual(new Set(['backup', 'cleanup']))
})

test('issue 36.27 y shows the record as YAML, the selected ones as documents; secrets stay masked', async () => {
  await on.start()
  await on.screen.shows(/▌ [●▲] db-1/)
  await on.screen.press('y')
  await on.screen.shows(/Servers › db-1 › YAML/)
  await on.screen.shows(/^ name: db-1$/m)
  await on.screen.press('Escape', 'x', 'x', 'y')
  await on.screen.shows(/Servers › 2 › YAML/)
  await on.screen.press('/', ...'---', 'Enter')
  await on.screen.shows('1/1')
  await on.screen.press('Escape', 'Escape', 'Y')
  // The names stand beside each other, without the line end that is copied.
  await on.screen.shows('db-1, web-1')
  await on.screen.press('q', 'Escape', 'Enter')
  await on.screen.shows(/Servers › web-2/)
  await on.screen.press('Y')
  await on.screen.shows('─ Copy ─')
  await on.screen.press('q', 'y')
  await on.screen.shows(/Servers › web-2 › YAML/)
  await on.screen.press('g', 'n')
  await on.screen.shows(/▌.*chat/)
  await on.screen.press('y')
  await on.screen.shows(/^ name: chat$/m)
  expect(on.screen.text()).not.toContain('hook-of-mine')
})

test('issue 36.27 @ shows the calls of this session, and both keys stand in ?', async () => {
  await on.start()
  await on.screen.press('@')
  await on.screen.shows(/API calls › /)
  await on.screen.shows(/^ \d\d:\d\d:\d\d GET +200 +\d+ ms \/api\/v1\/server/m)
  expect(on.screen.text()).not.toContain('correct horse')
  await on.screen.press('Escape', '?')
  await on.screen.shows(/y +View as YAML/)
  await on.screen.shows(/@ +API calls/)
})
