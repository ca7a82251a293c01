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
const home = mkdtempSync(join(tmpdir(), 'qd-outside-'))

beforeAll(async () => {
  programs = await buildPrograms()
  fleet = await createFleet(['web-1', 'web-2', 'db-1'])
})
afterEach(() => screen?.close())
afterAll(async () => {
  await fleet?.close()
  programs?.close()
  rmSync(home, { recursive: true, force: true })
})

const start = async (options: Partial<ScreenOptions> = {}) => {
  screen = startScreen({ qd: programs.qd, url: fleet.world.origin, home, ...options })
  await screen.shows('live')
  await screen.shows('web-1')
}

test('issue 36.24 q at the first list asks when rows are selected or a filter is typed, and names them', async () => {
  await start()
  await screen.press('/', ...'web', 'Enter', 'x', 'x')
  await screen.shows('2 selected')
  await screen.press('q')
  await screen.shows('Quit qd?')
  await screen.shows('Filter: web')
  // In the question, q closes it.
  await screen.press('q')
  await screen.shows((rows) => !rows.join('').includes('Quit qd?') && rows[0]!.includes('2 of 3'))
  await screen.press('q')
  await screen.shows('Quit qd?')
  await screen.press('y')
  expect((await screen.ended).code).toBe(0)
})

test('issue 36.24 q at the first list leaves at once where nothing would be lost', async () => {
  await start()
  await screen.press('q')
  expect((await screen.ended).code).toBe(0)
})

test('issue 36.24 q closes menus, sheets, and pickers; ? and pickers take letters as keys until / goes in', async () => {
  await start()
  await screen.press('.')
  await screen.shows(/─ db-1/)
  await screen.press('q')
  await screen.shows((rows) => !rows.join('').includes('─ db-1'))
  await screen.press('?')
  await screen.shows('Undo')
  await screen.press('/', '/', ...'undo')
  await screen.shows((rows) => rows.some((row) => row.endsWith('/ undo▁')) && !rows.join('').includes('Previous tab'))
  await screen.press('Enter', 'q')
  await screen.shows(/^ qd {2}Servers {2}3 /m)

  await screen.press('s')
  await screen.shows('Sort')
  await screen.press('q')
  await screen.press('C')
  await screen.shows(/▌\[.\]/)
  await screen.press('j', 'q')
  await screen.shows((rows) => !rows.some((row) => /▌\[.\]/.test(row)))
  await screen.press('g', 't', 'c')
  await screen.shows(/Tasks › new/)
  await screen.press('Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Enter')
  await screen.shows('0 selected')
  await screen.press('j', 'x')
  await screen.shows('1 selected')
  await screen.press('/', ...'db-1')
  await screen.shows(/\/db-1▁/)
  await screen.press('Space')
  await screen.shows('2 selected')
  await screen.press('Enter')
  await screen.shows(/Only these 2/)
})

test('issue 36.24 Enter in a command of one line runs it', async () => {
  await start()
  await screen.press('r')
  await screen.shows(/db-1 › Run/)
  await screen.press(...'uptime', 'Enter')
  await screen.shows(/Runs › .* run \d+/)
  await screen.shows('✓ success')
})

test('issue 36.24 Settings begin outside their fields: letters are keys, Enter goes in, Escape comes out and then asks', async () => {
  await start()
  await screen.press('g', ',')
  await screen.shows(/▌ Site name +\S+/)
  expect(screen.text()).not.toContain('▁')
  await screen.press('j', 'k', 'Enter', ...'gu')
  await screen.shows(/▌ Site name +\S+gu▁/)
  await screen.press('Escape')
  await screen.shows((rows) => rows.some((row) => /▌ Site name +\S+gu$/.test(row)))
  await screen.press('g', 'u')
  await screen.shows('Leave without saving?')
  await screen.press('y')
  await screen.shows(/^ qd {2}Users/m)
  await screen.press('g', ',')
  await screen.shows(/▌ Site name/)
  await screen.press('?')
  await screen.shows('go to'.toUpperCase())
  await screen.press('q', 'q')
  await screen.shows(/^ qd {2}Users/m)
})

test('issue 36 what a user may not see is said in the command line, not denied to exist', async () => {
  const member = { username: 'kim', password: 'kims own password' }
  await (await fleet.world.login()).api('POST', 'user', { ...member, role: 1 })
  screen = startScreen({
    ...{ qd: programs.qd, url: fleet.world.origin, columns: 120 },
    env: { QD_USER: member.username, QD_PASSWORD: member.password },
  })
  await screen.shows('kim@')
  await screen.press(':', ...'user ls')
  await screen.shows(/user ls .*You don’t have permission to do this/)
})
