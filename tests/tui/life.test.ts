import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { type Screen, type ScreenOptions, startScreen } from './screen.ts'

let programs: Programs
let fleet: Fleet
let screen: Screen
const home = mkdtempSync(join(tmpdir(), 'qd-life-'))

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

const start = (options: Partial<ScreenOptions> = {}) => {
  screen = startScreen({ qd: programs.qd, url: fleet.world.origin, home, ...options })
  return screen
}
/** What puts a terminal back as it was: main screen, cursor, no bracketed paste, no mouse. */
const isGivenBack = (written: string) => {
  const end = written.slice(written.lastIndexOf('\u001b[?1049h'))
  return ['\u001b[?1049l', '\u001b[?25h', '\u001b[?2004l', '\u001b[?1000l'].every((code) => end.includes(code))
}

test.each([
  ['q', 0],
  ['Ctrl+c', 130],
])('T-06 %s leaves with %i and gives the screen back', async (key, code) => {
  start()
  await screen.shows('live')
  expect(screen.isAlternate()).toBe(true)
  await screen.press(key)
  expect((await screen.ended).code).toBe(code)
  expect(isGivenBack(screen.written())).toBe(true)
  await screen.shows(() => !screen.isAlternate())
})

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])('T-06 T-09 %s ends it within 2 s and gives the screen back', async (signal, code) => {
  // The quickest of some tries: what else the machine does is no part of it.
  let bestMs = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 4 && bestMs >= 2000; tries++) {
    start()
    await screen.shows('live')
    const at = Date.now()
    screen.kill(signal)
    expect((await screen.ended).code).toBe(code)
    bestMs = Date.now() - at
    expect(isGivenBack(screen.written())).toBe(true)
  }
  expect(bestMs).toBeLessThan(2000)
})

test('T-05 after a storm of 50 sizes the frame is right and the focus where it was', async () => {
  // Another size than the last: a program that is told only of the end sees no change otherwise.
  start({ columns: 100, rows: 30 })
  await screen.shows('live')
  await screen.press('j')
  await screen.shows(/▌ ● web-1/)
  for (let index = 0; index < 50; index++) screen.resize(60 + ((index * 17) % 80), 15 + ((index * 7) % 30))
  screen.resize(80, 24)
  await screen.shows(
    (rows) =>
      /▌ ● web-1 +web +\d+ [━─]{6}/.test(rows[4] ?? '') &&
      rows[22]!.includes('? keys') &&
      rows[23] === '' &&
      rows.filter((row) => row.includes('NAME  ')).length === 1,
  )
})

test('DEV=true in the environment is nothing to the terminal UI', async () => {
  start({ env: { DEV: 'true' } })
  await screen.shows('live')
  expect(screen.written()).not.toContain('react-devtools')
})

test('T-05 a smaller screen shows the same as one that began so', async () => {
  start({ columns: 120, rows: 36 })
  await screen.shows(/─ db-1 #/)
  screen.resize(80, 24)
  const isWhole = (rows: string[]) => {
    const text = rows.map((row) => row.slice(0, 80).trimEnd())
    return ['db-1 +none', 'web-1 +web', 'web-2 +web'].every((name, index) =>
      new RegExp(`${name} +\\d+ [━─]{6} .* \\w+$`).test(text[3 + index]!),
    )
  }
  await screen.shows(isWhole)
})

test('T-08 Ctrl+Z stops it with the screen given back, and it draws again when it goes on; Ctrl+L draws anew', async () => {
  start({ inShell: true })
  await screen.shows('live')
  await screen.press('Ctrl+z')
  await screen.shows('stopped')
  expect(screen.isAlternate()).toBe(false)
  await screen.press('Enter')
  await screen.shows((rows) => screen.isAlternate() && rows[0]!.includes('Servers'))
  const before = screen.written().length
  await screen.press('Ctrl+l')
  await screen.shows(() => screen.written().slice(before).includes('NAME'))
})

test('T-10 a lost connection is said with a countdown, the data stays, keys work, and it comes back by itself', async () => {
  const own = await createFleet(['web-1', 'web-2'])
  try {
    start({ url: own.world.origin, home: mkdtempSync(join(tmpdir(), 'qd-lost-')) })
    await screen.shows('live')
    // The groups come after the servers.
    await screen.shows(/web-1 +web +4 /)
    await own.world.server.stop()
    await screen.shows(/▲ Connection lost\. Data from \d\d:\d\d:\d\d, \d+ s old\. Retrying in \d+ s, R now/)
    expect(screen.text()).toMatch(/web-1 +web +4 /)
    await screen.press('j')
    await screen.shows(/▌ ● web-2/)
  } finally {
    await own.close().catch(() => undefined)
    rmSync(screen.home, { recursive: true, force: true })
  }
})

test('T-01 the next start shows the last known rows although nobody answers', async () => {
  const own = await createFleet(['web-1', 'web-2'])
  const alone = mkdtempSync(join(tmpdir(), 'qd-remembered-'))
  const url = own.world.origin
  try {
    start({ url, home: alone })
    await screen.shows('live')
    await screen.shows(/web-2 +web /)
    await screen.press('q')
    await screen.ended
    await own.world.server.stop()
    start({ url, home: alone })
    await screen.shows(/● web-2 +web +\d/)
    await screen.shows('Connection lost')
  } finally {
    await own.close().catch(() => undefined)
    await screen.close()
    rmSync(alone, { recursive: true, force: true })
  }
})

test('a server that cannot be reached at the first start is said, with the next try', async () => {
  const alone = mkdtempSync(join(tmpdir(), 'qd-alone-'))
  start({ url: 'http://127.0.0.1:9', home: alone })
  await screen.shows(/▲ Connection lost\. Retrying in \d+ s, R now/)
  rmSync(alone, { recursive: true, force: true })
})

test('a guest is asked to sign in, a wrong password is said, a right one shows the list', async () => {
  const alone = mkdtempSync(join(tmpdir(), 'qd-guest-'))
  start({ signedIn: false, home: alone })
  await screen.shows(/Sign in to 127\.0\.0\.1/)
  await screen.press(...'admin', 'Tab', ...'wrong password', 'Enter')
  await screen.shows('✗ Wrong username or password')
  await screen.press(...'correct horse battery', 'Enter')
  await screen.shows(/Servers {2}3/)
  await screen.press('q')
  await screen.ended
  start({ signedIn: false, home: alone })
  await screen.shows('live')
  await screen.close()
  rmSync(alone, { recursive: true, force: true })
})

test('T-07 a crash gives the screen back, says where it is described, and does not end with 0', async () => {
  const bomb = join(home, 'bomb.mjs')
  writeFileSync(bomb, "process.on('SIGUSR2', () => { throw new Error('boom') })")
  start({ env: { NODE_OPTIONS: `--import=${bomb}` } })
  await screen.shows('live')
  screen.kill('SIGUSR2')
  expect((await screen.ended).code).toBe(1)
  expect(isGivenBack(screen.written())).toBe(true)
  const path = /qd crashed; details are in (\S+)/.exec(screen.written())![1]!
  expect(readFileSync(path, 'utf8')).toContain('boom')
})
