import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { onFleet } from './on-fleet.ts'

const on = onFleet(['web-1', 'web-2', 'db-1'])

beforeAll(async () => {
  const profile = { url: on.fleet.world.origin, user: 'admin' }
  writeFileSync(
    join(on.home, 'config.json'),
    JSON.stringify({ current: 'first', profiles: { first: profile, second: profile } }),
    {
      mode: 0o600,
    },
  )
})

test('the palette finds an action by its words and opens its form', async () => {
  await on.start()
  await on.screen.press('Ctrl+k')
  await on.screen.shows('─ Command palette ─')
  await on.screen.press(...'new task')
  await on.screen.shows(/▌ New task/)
  await on.screen.press('Enter')
  await on.screen.shows(/Tasks › new/)
})

test('P-12 an action of the palette that needs a record asks for it, Escape goes one page back', async () => {
  await on.start()
  await on.screen.press('Ctrl+k', ...'run now')
  await on.screen.shows(/▌ Run now…/)
  await on.screen.press('Enter')
  await on.screen.shows(/Command palette › Run now/)
  await on.screen.shows(/restart-workers +runs only on alerts/)
  await on.screen.press('Escape')
  await on.screen.shows((rows) => rows.some((row) => row.startsWith('─ Command palette ─')))
  await on.screen.press('Escape')
  await on.screen.shows((rows) => !rows.some((row) => row.includes('Command palette')))
})

test('T-18 one line filters and switches the connection; what was run is in the history', async () => {
  await on.start()
  expect(on.screen.rows()[0]).toContain('admin@first')
  await on.screen.press(':', ...'server /web @sec')
  await on.screen.shows(/▌ server \/web @second/)
  await on.screen.press('Enter')
  await on.screen.shows((rows) => rows[0]!.includes('admin@second') && /Servers {2}2 of 3/.test(rows[0]!))
  await on.screen.press(':', ...'server-group', 'Enter')
  await on.screen.shows(/Server groups {2}1/)
  await on.screen.press(':', 'ArrowUp')
  await on.screen.shows(/:server-group▁/)
})

test('P-29 sequences go places, [ and ] go to the list beside, - to the place before', async () => {
  await on.start()
  await on.screen.press('g', 'c')
  await on.screen.shows(/Server groups/)
  await on.screen.press(']')
  await on.screen.shows((rows) => !rows[0]!.includes('Server groups'))
  await on.screen.press('[')
  await on.screen.shows(/Server groups/)
  await on.screen.press('g', ',')
  await on.screen.shows(/Site name +Quarterdeck/)
  await on.screen.press('Escape')
  await on.screen.shows((rows) => rows[0]!.includes('Server groups'))
})

test('P-18 the present place is copied as a line of the CLI', async () => {
  await on.start()
  await on.screen.press('/', ...'web', 'Enter')
  await on.screen.shows(/Servers {2}2 of 3/)
  await on.screen.press('Ctrl+y')
  await on.screen.shows('Copied qd server ls --select web')
  const copied = /\u001b\]52;c;([\w+/=]+)\u0007/.exec(on.screen.written())![1]!
  expect(Buffer.from(copied, 'base64').toString()).toBe('qd server ls --select web')
})

test('s orders by another column, and the next start remembers it', async () => {
  await on.start()
  await on.screen.press('s')
  await on.screen.shows('─ Sort by ─')
  await on.screen.press('j', 'j', 'j', 'j', 'j', 'Enter')
  await on.screen.shows(/CPU % ↓/)
  await on.screen.press('q')
  await on.screen.ended
  await on.start()
  await on.screen.shows(/CPU % ↓/)
})
