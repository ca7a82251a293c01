import { expect, test } from 'vitest'
import { onFleet } from './on-fleet.ts'
import { startScreen } from './screen.ts'

const on = onFleet(['web-1', 'web-2', 'db-1'], { shows: 'web-1' })

test('issue 36.24 q at the first list asks when rows are selected or a filter is typed, and names them', async () => {
  await on.start()
  await on.screen.press('/', ...'web', 'Enter', 'x', 'x')
  await on.screen.shows('2 selected')
  await on.screen.press('q')
  await on.screen.shows('Quit qd?')
  await on.screen.shows('Filter: web')
  // In the question, q closes it.
  await on.screen.press('q')
  await on.screen.shows((rows) => !rows.join('').includes('Quit qd?') && rows[0]!.includes('2 of 3'))
  await on.screen.press('q')
  await on.screen.shows('Quit qd?')
  await on.screen.press('y')
  expect((await on.screen.ended).code).toBe(0)
})

test('issue 36.24 q at the first list leaves at once where nothing would be lost', async () => {
  await on.start()
  await on.screen.press('q')
  expect((await on.screen.ended).code).toBe(0)
})

test('issue 36.24 q closes menus, sheets, and pickers; ? and pickers take letters as keys until / goes in', async () => {
  await on.start()
  await on.screen.press('.')
  await on.screen.shows(/─ db-1/)
  await on.screen.press('q')
  await on.screen.shows((rows) => !rows.join('').includes('─ db-1'))
  await on.screen.press('?')
  await on.screen.shows('Shortcuts')
  await on.screen.press('/', '/', ...'undo')
  await on.screen.shows(
    (rows) => rows.some((row) => row.endsWith('/ undo▁')) && !rows.join('').includes('Previous tab'),
  )
  await on.screen.press('Enter', 'q')
  await on.screen.shows(/^ qd {2}Servers {2}3 /m)

  await on.screen.press('s')
  await on.screen.shows('Sort')
  await on.screen.press('q')
  await on.screen.press('C')
  await on.screen.shows(/▌ \[.\]/)
  await on.screen.press('j', 'q')
  await on.screen.shows((rows) => !rows.some((row) => /▌ \[.\]/.test(row)))
  await on.screen.press('g', 't', 'c')
  await on.screen.shows(/Tasks › new/)
  await on.screen.press('Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Enter')
  await on.screen.shows('0 selected')
  await on.screen.press('j', 'x')
  await on.screen.shows('1 selected')
  await on.screen.press('/', ...'db-1')
  await on.screen.shows(/\/db-1▁/)
  await on.screen.press('Space')
  await on.screen.shows('2 selected')
  await on.screen.press('Enter')
  await on.screen.shows(/Only these 2/)
})

test('issue 36.24 Enter in a command of one line runs it', async () => {
  await on.start()
  await on.screen.press('r')
  await on.screen.shows(/db-1 › Run/)
  await on.screen.press(...'uptime', 'Enter')
  await on.screen.shows(/Runs › .* run \d+/)
  await on.screen.shows('✓ success')
})

test('issue 36.24 Settings begin outside their fields: letters are keys, Enter goes in, Escape comes out and then asks', async () => {
  await on.start()
  await on.screen.press('g', ',')
  await on.screen.shows(/▌ Site name +\S+/)
  expect(on.screen.text()).not.toContain('▁')
  await on.screen.press('j', 'k', 'Enter', ...'gu')
  await on.screen.shows(/▌ Site name +\S+gu▁/)
  await on.screen.press('Escape')
  await on.screen.shows((rows) => rows.some((row) => /▌ Site name +\S+gu$/.test(row)))
  await on.screen.press('g', 'u')
  await on.screen.shows('Leave without saving?')
  await on.screen.press('y')
  await on.screen.shows(/^ qd {2}Users/m)
  await on.screen.press('g', ',')
  await on.screen.shows(/▌ Site name/)
  await on.screen.press('?')
  await on.screen.shows('go to'.toUpperCase())
  await on.screen.press('q', 'q')
  await on.screen.shows(/^ qd {2}Users/m)
})

test('issue 36 what a user may not see is said in the command line, not denied to exist', async () => {
  const member = { username: 'kim', password: 'kims own password' }
  await (await on.fleet.world.login()).api('POST', 'user', { ...member, role: 1 })
  on.screen = startScreen({
    ...{ qd: on.programs.qd, url: on.fleet.world.origin, columns: 120 },
    env: { QD_USER: member.username, QD_PASSWORD: member.password },
  })
  await on.screen.shows('kim@')
  await on.screen.press(':', ...'user ls')
  await on.screen.shows(/user ls .*You don’t have permission to do this/)
})
