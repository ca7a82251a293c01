import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { type Screen, type ScreenOptions, startScreen } from './screen.ts'

const hostile = 'e\u001b]0;x\u0007'
const tamil = 'தமிழ்-1'
let programs: Programs
let fleet: Fleet
let screen: Screen
/** One home for all, so that only the first start signs in. */
const home = mkdtempSync(join(tmpdir(), 'qd-list-'))

beforeAll(async () => {
  programs = await buildPrograms()
  fleet = await createFleet(['web-1', 'web-2', 'web-10', 'db-1', 'db-2', hostile, tamil, '数据库'])
  // A warning is shown from the fifth sample on.
  for (let count = 0; count < 5; count++)
    fleet.sample('db-1', { cpu: 96, mem_used: 6_400_000_000n, disk_used: 40_000_000_000n, uptime: 864_000n })
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
const rowOf = (rows: string[], name: string) => rows.find((row) => row.includes(` ${name} `)) ?? ''

test('the list at 80x24: header, heads, rows with state, meters and sentences, hints, last row free', async () => {
  start()
  await screen.shows('live')
  await screen.shows(/web-2 +web /)
  const rows = screen.rows()
  expect(rows[0]).toMatch(/^ qd {2}Servers {2}8 +● 8 \(▲ 1\) +admin@127\.0\.0\.1:\d+ \d\d:\d\d:\d\d$/)
  expect(rows[2]).toMatch(/^ {4}NAME +GROUP +CPU % +MEM % +DISK % +IN +OUT +UPTIME$/)
  expect(rowOf(rows, 'db-1')).toMatch(/▲ db-1 +none +96 ━━━━━ +80 ━━━━─ +40 ━━─── .* 10d$/)
  expect(rowOf(rows, 'web-2')).toContain(' web ')
  expect(rows.findIndex((row) => row.includes('web-2'))).toBeLessThan(rows.findIndex((row) => row.includes('web-10')))
  expect(rows[22]).toMatch(/^ ↵ open {2}e edit .*\? keys/)
  expect(rows[23]).toBe('')
})

test('the list at 120x36: address, trend, agent version, counts in words, pane of the focused row', async () => {
  start({ columns: 120, rows: 36 })
  await screen.shows(/● 8 online {2}▲ 1 of them warning/)
  await screen.shows(/─ db-1 #\d+ ─+ ▲ CPU 96%, \d+ s ──/)
  const rows = screen.rows()
  expect(rows[2]).toMatch(/ADDRESS +CPU % +.*AGENT/)
  expect(rowOf(rows, 'db-1')).toMatch(/192\.0\.2\.4 .* 2\.3\.3$/)
  expect(screen.text()).toMatch(/System +debian 12\.11/)
  expect(screen.text()).toMatch(/CPU +96% ━━━━━━/)
})

test('T-16 T-17 hostile, Tamil and Chinese names are shown escaped and keep the columns aligned', async () => {
  start({ columns: 120, rows: 36 })
  await screen.shows('live')
  const rows = screen.rows()
  const names = ['web-1', 'db-1', tamil, '数据库', 'e\\x1b]0;']
  const ends = names.map((name) => {
    const row = rows.findIndex((text) => text.includes(name))
    const cells = Array.from({ length: 120 }, (_, column) => screen.cell(row, column).text)
    return cells.lastIndexOf('2')
  })
  expect(new Set(ends).size).toBe(1)
  expect(screen.written()).not.toContain('\u001b]0;')
  expect(screen.written()).not.toContain('\u001b[2J\u001b[2J')
})

test('T-19 P-33 the filter works while typing, Escape leaves the field, then clears it', async () => {
  start()
  await screen.shows('live')
  await screen.press('/', ...'group:we')
  await screen.shows(/Servers {2}3 of 8/)
  await screen.press('b', 'Escape')
  await screen.shows((rows) => rows[1]!.startsWith(' /group:web') && !rows[1]!.includes('▁'))
  await screen.press('Escape')
  await screen.shows(/Servers {2}8 /)
  await screen.press('/', ...'!web')
  await screen.shows(/Servers {2}5 of 8/)
})

test('T-23 marks survive a filter, the header counts those it hides, Escape clears them', async () => {
  start()
  await screen.shows('live')
  await screen.press('Space', 'x')
  await screen.shows('2 selected')
  await screen.press('/', ...'web', 'Enter')
  await screen.shows('2 selected, 2 hidden')
  await screen.press('*')
  await screen.shows('5 selected, 2 hidden')
  await screen.press('Escape')
  await screen.shows((rows) => !rows[1]!.includes('/web'))
  await screen.press('Escape')
  await screen.shows((rows) => !rows[1]!.includes('selected'))
})

test('T-20 what lies over a list has nothing of its rows in it', async () => {
  start()
  await screen.shows('live')
  await screen.press('D')
  const rows = (await screen.shows('[ Cancel ]')).split('\n')
  const box = rows.filter((row) => /^ {12}[┌│└]/.test(row))
  expect(box).toHaveLength(7)
  expect(box.slice(1, -1).every((row) => /^ {12}│.{52,}│$/.test(row))).toBe(true)
  const above = rows.indexOf(box[0]!)
  expect(rows.slice(above + box.length, above + box.length + 4)).toEqual(['', '', '', ''])
  await screen.press('Escape', '?')
  const sheet = (await screen.shows('THIS LIST')).split('\n')
  expect(sheet[sheet.findIndex((row) => row.startsWith('─ Shortcuts')) + 1]).toBe('')
})

test('T-20 T-18 keys sheet, command line with completion, going places and back', async () => {
  start()
  await screen.shows('live')
  await screen.press('?')
  await screen.shows('THIS LIST')
  await screen.press('PageDown')
  await screen.shows((lines) => !lines.join('').includes('THIS LIST') && lines.join('').includes('Sort by Name'))
  await screen.press('Escape')
  await screen.shows((lines) => !lines.join('').includes('Sort by Name'))
  await screen.press(':', ...'cron run')
  await screen.shows(/cron run/)
  await screen.press('Space')
  const rows = (await screen.shows('runs only on alerts, not by hand')).split('\n')
  expect(rows.some((row) => /cron run rotate-logs +All servers \(8\)/.test(row))).toBe(true)
  expect(rows.some((row) => row.includes('= qd cron run'))).toBe(true)
  await screen.press('Escape')
  await screen.shows((lines) => !lines.join('').includes('= qd'))
  await screen.press('g')
  await screen.shows('t Tasks')
  await screen.press('t')
  await screen.shows(/Tasks {2}2/)
  await screen.press('-')
  await screen.shows(/Servers {2}8/)
  await screen.press(':', ...'server /db', 'Enter')
  await screen.shows(/Servers {2}2 of 8/)
})

test('T-21 a record opens on Enter and Escape goes back to the same row', async () => {
  start()
  await screen.shows('live')
  await screen.press('j', 'j', 'Enter')
  await screen.shows(/Servers › e\\x1b/)
  await screen.press('Escape')
  await screen.shows((rows) => rows.some((row) => row.startsWith('▌') && row.includes('e\\x1b')))
})

test('T-26 read-only says so and refuses every change with the reason', async () => {
  start({ args: ['--read-only'] })
  await screen.shows('live')
  expect(screen.rows()[0]).toContain('read-only')
  await screen.press('D')
  await screen.shows('Delete: qd was started with --read-only')
  await screen.press('g', 't')
  await screen.shows(/Tasks {2}2/)
  await screen.press('c')
  await screen.shows('New task: qd was started with --read-only')
})

test('T-13 T-15 without colour and without UTF-8 there is neither, and states keep their shape', async () => {
  start({ env: { NO_COLOR: '1', LANG: 'C' } })
  await screen.shows('live')
  expect(screen.text()).toMatch(/! db-1 warning +none +96!#####/)
  expect(screen.text()).toMatch(/\[e\] edit/)
  expect(screen.text()).toMatch(/^[\x20-\x7e\n]*$/)
  expect(screen.written()).not.toMatch(/\u001b\[\d+(;\d+)*m/)
})

test('T-04 60x15 is compact, below 40x10 one line says so', async () => {
  start({ columns: 60, rows: 15 })
  await screen.shows(/db-1 +CPU 96 +mem 80 +disk 40/)
  screen.resize(38, 9)
  await screen.shows('Too small: 38x9. Needs 40x10.')
  screen.resize(80, 24)
  await screen.shows(/▲ db-1 +none +96 ━━━━━/)
})

test('T-14 the colours suit the ground that the terminal says it has', async () => {
  start({ env: { COLORTERM: 'truecolor' } })
  await screen.shows('live')
  expect(screen.written()).toContain('\u001b]11;?')
  expect(screen.written()).not.toContain('38;2;')
  screen.send('\u001b]11;rgb:ffff/ffff/ffff\u0007')
  await screen.shows(() => screen.written().includes('38;2;85;89;96'))
  expect(screen.text()).toContain('Servers  8')
})

test('issue 10: at 80 columns a name of 24 cells is whole, a longer one is cut in the middle; bars give way to names', async () => {
  const browser = await fleet.world.login()
  const rename = (id: number, name: string) => browser.api('PATCH', `server/${id}`, { name })
  await rename(fleet.ids.get('web-1')!, 'web-production-eu-west-1')
  await rename(fleet.ids.get('web-2')!, 'database-replica-production-eu-west-2')
  start()
  await screen.shows('live')
  await screen.shows('web-production-eu-west-1 ')
  await screen.shows(/database-repl…on-eu-west-2/)
  await screen.shows(/▲ db-1 +none +96 +80 +40 /)
  expect(screen.text()).not.toContain('━')
})

test('issue 14: columns are chosen by key, filters are saved and taken again, and both are there the next time', async () => {
  const own = mkdtempSync(join(tmpdir(), 'qd-saved-'))
  start({ columns: 120, rows: 36, home: own })
  await screen.shows('live')
  await screen.shows(/NAME +GROUP/)
  await screen.press('C')
  await screen.shows(/Choose columns[\s\S]*\[x\] Group/)
  await screen.press('/', ...'uuid', 'Space', 'Enter')
  await screen.shows(/NAME +GROUP.*UUID/)
  await screen.press('C', '/', ...'group', 'Space', 'Enter')
  await screen.shows((rows) => /NAME.*UUID/.test(rows[2]!) && !rows[2]!.includes('GROUP'))
  await screen.press('F')
  await screen.shows(/Saved filters[\s\S]*Save filter +\S/)
  await screen.press('Escape', '/', ...'name:web', 'Enter')
  await screen.shows((rows) => !rows.join('').includes('db-1'))
  await screen.press('F', 'Enter', 'Escape')
  await screen.shows((rows) => rows.join('').includes(' db-1 '))
  await screen.press('q')
  await screen.ended
  await screen.close()
  start({ columns: 120, rows: 36, home: own })
  await screen.shows((rows) => /NAME.*UUID/.test(rows[2]!) && !rows[2]!.includes('GROUP'))
  await screen.press('F', 'Enter')
  await screen.shows((rows) => !rows.join('').includes('db-1') && rows.join('').includes(' web-10 '))
  await screen.press('F')
  await screen.shows(/✓ name:web[\s\S]*Delete filter/)
  await screen.press('ArrowDown', 'Enter', 'F')
  await screen.shows((rows) => !rows.join('\n').includes('✓ name:web') && rows.join('\n').includes('Save filter'))
  await screen.press('Escape', 'C', ...'default', 'Space', 'Enter')
  await screen.shows(/NAME +GROUP/)
  // The palette has both.
  await screen.press('Ctrl+k', ...'>choose columns', 'Enter')
  await screen.shows(/Choose columns[\s\S]*\[x\] Group/)
  rmSync(own, { recursive: true, force: true })
})
