import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { type Screen, type ScreenOptions, startScreen } from './screen.ts'

const names = Array.from({ length: 40 }, (_, index) => `host-${String(index + 1).padStart(2, '0')}`)
const mouseOn = '\u001b[?1000h'
const mouseOff = '\u001b[?1000l'
let programs: Programs
let fleet: Fleet
let screen: Screen
const home = mkdtempSync(join(tmpdir(), 'qd-mouse-'))

beforeAll(async () => {
  programs = await buildPrograms()
  fleet = await createFleet(names)
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
const focusIs = (name: string) => screen.shows((rows) => rows.some((row) => row.startsWith('▌') && row.includes(name)))
/** Row and column count from 1, as terminals count. */
const click = (row: number, column = 10) => screen.send(`\u001b[<0;${column};${row}M\u001b[<0;${column};${row}m`)
const wheel = (button: 64 | 65) => screen.send(`\u001b[<${button};10;10M`)

test('T-28 without being asked for the mouse stays with the terminal', async () => {
  start()
  await screen.shows('live')
  expect(screen.written()).not.toContain(mouseOn)
})

test.each([
  ['a flag', { args: ['--mouse'] }],
  ['the environment', { env: { QD_MOUSE: '1' } }],
  ['the file', { env: { QD_CONFIG: join(home, 'mouse.json') } }],
])('T-28 the mouse is asked for by %s', async (_name, options) => {
  writeFileSync(join(home, 'mouse.json'), JSON.stringify({ mouse: true, profiles: {} }), { mode: 0o600 })
  start(options)
  await screen.shows('live')
  expect(screen.written()).toContain(mouseOn)
})

test('T-28 a click gives the focus, a double click opens, the wheel scrolls', async () => {
  start({ args: ['--mouse'] })
  await screen.shows('live')
  click(6)
  await focusIs('host-03')
  wheel(65)
  await screen.shows((rows) => rows[3]!.includes('host-04'))
  await focusIs('host-04')
  wheel(64)
  await screen.shows((rows) => rows[3]!.includes('host-01'))
  await focusIs('host-04')
  click(8)
  click(8)
  await screen.shows(/Servers › host-05/)
  await screen.press('Escape')
  await screen.shows(/Servers {2}40/)
  await screen.press('.')
  await screen.shows(/^─ host-05 ─/m)
  const rows = screen.rows()
  const edit = rows.findIndex((row) => /^ {5}Edit\b/.test(row))
  click(edit + 1)
  await screen.shows((now) => now[edit]!.startsWith(' ▌   Edit'))
  click(edit + 1)
  click(edit + 1)
  await screen.shows(/host-05 › edit/)
  await screen.press('Escape')
  await screen.shows(/Servers {2}40/)
  await screen.press('D')
  const question = (await screen.shows('[ Cancel ]')).split('\n')
  const buttons = question.findIndex((row) => row.includes('[ Cancel ]'))
  click(buttons + 1, question[buttons]!.indexOf('[ Cancel ]') + 20)
  await screen.shows((now) => now[buttons]!.includes('▌[') && !now[buttons]!.includes('[ Cancel ]'))
})

test.each([
  ['q', 'key'],
  ['Ctrl+c', 'key'],
  ['SIGTERM', 'signal'],
  ['SIGHUP', 'signal'],
])('T-06 T-28 the mouse is given back on %s', async (how, kind) => {
  start({ args: ['--mouse'] })
  await screen.shows('live')
  if (kind === 'key') await screen.press(how)
  else screen.kill(how)
  await screen.ended
  expect(screen.written().lastIndexOf(mouseOff)).toBeGreaterThan(screen.written().lastIndexOf(mouseOn))
})

test('T-06 T-28 the mouse is given back after a crash', async () => {
  const bomb = join(home, 'bomb.mjs')
  writeFileSync(bomb, "process.on('SIGUSR2', () => { throw new Error('boom') })")
  start({ args: ['--mouse'], env: { NODE_OPTIONS: `--import=${bomb}` } })
  await screen.shows('live')
  screen.kill('SIGUSR2')
  expect((await screen.ended).code).toBe(1)
  expect(screen.written().lastIndexOf(mouseOff)).toBeGreaterThan(screen.written().lastIndexOf(mouseOn))
})

/** What was written, without the one code that asks for marked pastes. */
const spoken = () => screen.written().replaceAll('\u001b[?2004h', '').replaceAll('\r', '')

test('T-29 in screen-reader mode lines of text say where one is, with roles, and nothing is drawn', async () => {
  start({ args: ['--screen-reader'] })
  await screen.shows(/Screen: Servers, 40/)
  await screen.shows(/Row 1 of 40: host-01, online, .*CPU 4/)
  expect(spoken()).toMatch(/Keys: ↵ open, e edit/)
  await screen.press('j', 'Space', 'k')
  await screen.shows(/Row 2 of 40: host-02, selected, online/)
  await screen.shows(/1 selected/)
  await screen.press('/', ...'host-1', 'Enter')
  await screen.shows(/Screen: Servers, 10 of 40/)
  await screen.press('.')
  await screen.shows(/Menu: host-02[\s\S]*Choice 1 of \d+: /)
  await screen.press('Escape', 'D')
  await screen.shows(/Question: [\s\S]*Button 1 of 2: Cancel/)
  await screen.press('Escape', 'g', 't', 'j', 'e')
  await screen.shows(/Screen: Tasks, rotate-logs, edit[\s\S]*Field Name: rotate-logs/)
  await screen.press('Tab', 'Tab', 'Tab', ...'x')
  await screen.shows(/Field Schedule: 0 0 3 \* \* \*x/)
  expect(spoken()).not.toContain('\u001b')
  expect(spoken()).not.toMatch(/[━─▌◐◓◑◒]/)
})

test('T-29 what changes by itself is not said: no clock, no figures, no spinner', async () => {
  start({ args: ['--screen-reader'] })
  await screen.shows(/Row 1 of 40: host-01/)
  const before = screen.written().length
  const at = Date.now()
  for (const name of names) fleet.sample(name, { cpu: 50 })
  await screen.shows(() => Date.now() - at > 5000)
  expect(screen.written().slice(before)).toBe('')
})
