import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { type Screen, type ScreenOptions, startScreen } from './screen.ts'

const names = Array.from({ length: 40 }, (_, index) => `host-${String(index + 1).padStart(2, '0')}`)
const runCount = 130
let programs: Programs
let fleet: Fleet
let screen: Screen
const home = mkdtempSync(join(tmpdir(), 'qd-browse-'))

beforeAll(async () => {
  programs = await buildPrograms()
  fleet = await createFleet(names)
  const browser = await fleet.world.login()
  const { id } = (await browser
    .api('GET', 'cron')
    .then((tasks) => (tasks as readonly { id: number; name: string }[]).find(({ name }) => name === 'rotate-logs')))!
  await browser.api('PATCH', `cron/${id}`, {
    task_type: 0,
    name: 'rotate-logs',
    scheduler: '0 0 3 * * *',
    command: 'true',
    cover: 0,
    servers: [fleet.ids.get('host-01')],
    push_successful: false,
    notification_group_id: 0,
  })
  for (let index = 0; index < runCount; index++) await browser.api('POST', `cron/${id}/manual`)
})
afterEach(() => screen?.close())
afterAll(async () => {
  await fleet?.close()
  programs?.close()
  rmSync(home, { recursive: true, force: true })
})

const start = (options: Partial<ScreenOptions> = {}) => {
  screen = startScreen({ qd: programs.qd, url: fleet.world.origin, home, ...options })
  return screen
}
/** The name under the focus bar. */
const focused = (rows: string[]) => /host-\d\d/.exec(rows.find((row) => row.startsWith('▌')) ?? '')?.[0]
const focusIs = (name: string) => screen.shows((rows) => focused(rows) === name)

test('keys pressed before the first rows come wait for them', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'qd-early-'))
  start({ home: empty })
  await screen.shows('qd  Servers')
  screen.send('jjj\r')
  await screen.shows(/Servers › host-04/)
  expect(screen.written()).not.toContain('No rows are selected')
  await screen.close()
  rmSync(empty, { recursive: true, force: true })
})

test.each([
  [80, 24],
  [120, 36],
])('T-21 at %i x %i a record opens once, Escape and the next keys in one piece leave it', async (columns, rows) => {
  start({ columns, rows })
  await screen.shows('live')
  for (let round = 0; round < 5; round++) {
    screen.send('\r\r')
    await screen.shows(/Servers › host-01/)
    screen.send('\u001bgt')
    await screen.shows(/Tasks {2}2/)
    await screen.press('g', 's')
    await screen.shows(/Servers {2}40/)
  }
})

test('T-21 places keep row, position, filter and marks: after Escape, g and -', async () => {
  start()
  await screen.shows('live')
  await screen.press('/', ...'host', 'Enter', 'End', 'Space', 'k', 'k')
  await focusIs('host-38')
  const rowsOf = (rows: string[]) => rows.slice(3, 21).map((row) => /host-\d\d/.exec(row)?.[0])
  const before = rowsOf(screen.rows())
  expect(before[0]).not.toBe('host-01')
  const isBack = (rows: string[]) =>
    rows[0]!.includes('Servers  40') &&
    focused(rows) === 'host-38' &&
    rowsOf(rows).join() === before.join() &&
    rows[1]!.startsWith(' /host') &&
    rows[1]!.includes('1 selected')
  await screen.press('Enter')
  await screen.shows(/Servers › host-38/)
  await screen.press('Escape')
  await screen.shows(isBack)
  await screen.press('g', 't')
  await screen.shows(/Tasks {2}2/)
  await screen.press('-')
  await screen.shows(isBack)
  await screen.press('e')
  await screen.shows(/host-38 › edit/)
  await screen.press('Escape')
  await screen.shows(isBack)
})

test('P-30 j k and arrows move, Home and End jump, PgDn and PgUp page, the focus is always in sight', async () => {
  start()
  await screen.shows('live')
  await focusIs('host-01')
  await screen.press('j', 'ArrowDown', 'j')
  await focusIs('host-04')
  await screen.press('k', 'ArrowUp')
  await focusIs('host-02')
  await screen.press('End')
  await focusIs('host-40')
  await screen.press('Home')
  await focusIs('host-01')
  await screen.press('PageDown')
  await focusIs('host-18')
  await screen.press('PageDown')
  await focusIs('host-35')
  await screen.press('PageUp')
  await focusIs('host-18')
})

test('P-31 Space and x mark, X marks a range, * all filtered, Escape clears; the count is always in sight', async () => {
  start()
  await screen.shows('live')
  await screen.press('Space', 'x')
  await screen.shows('2 selected')
  await screen.press('j', 'j', 'X')
  await screen.shows('5 selected')
  expect(screen.rows().filter((row) => /^.✓/.test(row))).toHaveLength(5)
  await screen.press('Shift+ArrowDown')
  await screen.shows('6 selected')
  await screen.press('/', ...'host-4', 'Enter')
  await screen.shows('6 selected, 6 hidden')
  await screen.press('*')
  await screen.shows('7 selected, 6 hidden')
  await screen.press('Escape', 's', 'j', 'Enter')
  await screen.shows((rows) => rows[1]!.includes('7 selected') && !rows[1]!.includes('hidden'))
  await screen.press('R')
  await screen.shows('7 selected')
  await screen.press('Escape')
  await screen.shows((rows) => !rows.join('').includes('7 selected'))
})

test('Tab goes into the pane, where keys scroll it, and out again', async () => {
  start({ columns: 120, rows: 36 })
  await screen.shows(/─ host-01 #\d+ ─/)
  await screen.press('Tab')
  const pane = (rows: string[]) => rows.slice(rows.findIndex((row) => row.startsWith('─ host-')) + 1, -2).join('\n')
  await screen.shows((rows) => /^ j scroll .*tab list/.test(rows.at(-2)!))
  const before = pane(screen.rows())
  await screen.press('j', 'j', 'j')
  await screen.shows((rows) => pane(rows) !== before && focused(rows) === 'host-01')
  await screen.press('Escape')
  await screen.shows((rows) => rows.at(-2)!.startsWith(' ↵ open'))
  await screen.press('Tab', 'Tab', 'j')
  await focusIs('host-02')
})

test('Enter in the menu of actions chooses the line under the bar', async () => {
  start()
  await screen.shows('live')
  await screen.press('.')
  await screen.shows(/^─ host-01 ─/m)
  const items = screen.rows().slice(screen.rows().findIndex((row) => row.startsWith('─ host-01')) + 1)
  const edit = items.findIndex((row) => /^ {5}Edit\b/.test(row))
  expect(edit).toBeGreaterThan(0)
  await screen.press(...Array.from({ length: edit }, () => 'j'))
  await screen.shows(/▌ +Edit/)
  await screen.press('Enter')
  await screen.shows(/host-01 › edit/)
})

test('a list that the server pages goes on where the first page ends', async () => {
  start()
  await screen.shows('live')
  await screen.press('g', 'r')
  // The server counts them; a page of them is here.
  await screen.shows(/Runs {2}130/)
  await screen.shows((rows) => rows.some((row) => /rotate-logs/.test(row)))
  // Further down than that page, and then to the last of all.
  await screen.press(...Array.from({ length: 110 }, () => 'j'), 'End')
  await screen.shows((rows) => rows.some((row) => /▌.*rotate-logs/.test(row)))
  // The next page may come after the key that asked for it.
  const openLast = async () => {
    await screen.press('End', 'Enter')
    const shown = await screen.shows(/Runs › rotate-logs › run \d+ /)
    await screen.press('Escape')
    await screen.shows(/Runs {2}130/)
    return shown
  }
  await expect.poll(openLast).toContain('› run 1 ')
})
