import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { type Screen, startScreen } from './screen.ts'

let programs: Programs
let fleet: Fleet
let screen: Screen
const home = mkdtempSync(join(tmpdir(), 'qd-command-'))

beforeAll(async () => {
  programs = await buildPrograms()
  fleet = await createFleet(['web-1', 'web-2', 'db-1'])
  const profile = { url: fleet.world.origin, user: 'admin' }
  writeFileSync(
    join(home, 'config.json'),
    JSON.stringify({ current: 'first', profiles: { first: profile, second: profile } }),
    {
      mode: 0o600,
    },
  )
})
afterEach(() => screen?.close())
afterAll(async () => {
  await fleet?.close()
  programs?.close()
  rmSync(home, { recursive: true, force: true })
})

const start = async () => {
  screen = startScreen({ qd: programs.qd, url: fleet.world.origin, home })
  await screen.shows('live')
}

test('the palette finds an action by its words and opens its form', async () => {
  await start()
  await screen.press('Ctrl+k')
  await screen.shows('─ Command palette ─')
  await screen.press(...'new task')
  await screen.shows(/▌ New task/)
  await screen.press('Enter')
  await screen.shows(/Tasks › new/)
})

test('P-12 an action of the palette that needs a record asks for it, Escape goes one page back', async () => {
  await start()
  await screen.press('Ctrl+k', ...'run now')
  await screen.shows(/▌ Run now…/)
  await screen.press('Enter')
  await screen.shows(/Command palette › Run now/)
  await screen.shows(/restart-workers +runs only on alerts/)
  await screen.press('Escape')
  await screen.shows((rows) => rows.some((row) => row.startsWith('─ Command palette ─')))
  await screen.press('Escape')
  await screen.shows((rows) => !rows.some((row) => row.includes('Command palette')))
})

test('T-18 one line filters and switches the connection; what was run is in the history', async () => {
  await start()
  expect(screen.rows()[0]).toContain('admin@first')
  await screen.press(':', ...'server /web @sec')
  await screen.shows(/▌ server \/web @second/)
  await screen.press('Enter')
  await screen.shows((rows) => rows[0]!.includes('admin@second') && /Servers {2}2 of 3/.test(rows[0]!))
  await screen.press(':', ...'server-group', 'Enter')
  await screen.shows(/Server groups {2}1/)
  await screen.press(':', 'ArrowUp')
  await screen.shows(/:server-group▁/)
})

test('P-29 sequences go places, [ and ] go to the list beside, - to the place before', async () => {
  await start()
  await screen.press('g', 'c')
  await screen.shows(/Server groups/)
  await screen.press(']')
  await screen.shows((rows) => !rows[0]!.includes('Server groups'))
  await screen.press('[')
  await screen.shows(/Server groups/)
  await screen.press('g', ',')
  await screen.shows(/Site name +Quarterdeck/)
  await screen.press('Escape')
  await screen.shows((rows) => rows[0]!.includes('Server groups'))
})

test('P-18 the present place is copied as a line of the CLI', async () => {
  await start()
  await screen.press('/', ...'web', 'Enter')
  await screen.shows(/Servers {2}2 of 3/)
  await screen.press('Ctrl+y')
  await screen.shows('Copied qd server ls --select web')
  const copied = /\u001b\]52;c;([\w+/=]+)\u0007/.exec(screen.written())![1]!
  expect(Buffer.from(copied, 'base64').toString()).toBe('qd server ls --select web')
})

test('s orders by another column, and the next start remembers it', async () => {
  await start()
  await screen.press('s')
  await screen.shows('─ Sort by ─')
  await screen.press('j', 'j', 'j', 'j', 'Enter')
  await screen.shows(/CPU % ↓/)
  await screen.press('q')
  await screen.ended
  await start()
  await screen.shows(/CPU % ↓/)
})
