import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { admin, createWorld, type World } from '../support/world.ts'
import { type Screen, startScreen } from './screen.ts'

let programs: Programs
let clock: FakeClock
let world: World
let screen: Screen | undefined
let key = ''
const home = mkdtempSync(join(tmpdir(), 'qd-second-factor-'))

beforeAll(async () => {
  programs = await buildPrograms()
  clock = createFakeClock(Date.now())
  world = await createWorld({ clock })
})
afterAll(async () => {
  await screen?.close()
  await world?.close()
  programs?.close()
  rmSync(home, { recursive: true, force: true })
})

const open = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  startScreen({ qd: programs.qd, url: world.origin, home, columns: 80, rows: 24, signedIn: false, args, env })
const nextCode = async () => {
  await clock.advance(30_000)
  return new TOTP({ secret: key }).generate({ timestamp: clock.now() })
}

test('issue 14: the terminal UI shows the QR code at 80x24 and turns the second factor on', async () => {
  screen = open([])
  await screen.shows('Password')
  await screen.press(...admin.username, 'Enter', ...admin.password, 'Enter')
  await screen.shows('live')
  await screen.press('g', 'p')
  await screen.shows(/Profile › admin/)
  expect(screen.text()).toContain('2FA')
  await screen.press('.')
  await screen.shows('Turn on 2FA')
  const bar = (rows: readonly string[]) => rows.findIndex((row) => row.startsWith(' ▌'))
  for (let at = bar(screen.rows()); !screen.rows()[at]?.includes('Turn on 2FA'); at = bar(screen.rows())) {
    await screen.press('ArrowDown')
    await screen.shows((rows) => bar(rows) !== at)
  }
  await screen.shows(/▌[^\n]*Turn on 2FA/)
  await screen.press('Enter')
  await screen.shows(/█ █▀▀▀█ █[^\n]*█ █▀▀▀█ █/)
  await screen.press('Enter')
  const shown = await screen.shows(/([A-Z2-7]{4} ){7}[A-Z2-7]{4}/)
  key = /([A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec(shown)![0].replaceAll(' ', '')
  await screen.press(...(await nextCode()), 'Ctrl+s')
  await screen.shows(/[a-z2-9]{5}-[a-z2-9]{5}/)
  await screen.press('Enter')
  await screen.close()
})

test('issue 14: qd login asks for the code, and takes it as a flag', async () => {
  screen = open(['login', '--user', admin.username])
  await screen.shows('Password:')
  await screen.press(...admin.password, 'Enter')
  await screen.shows('Code:')
  await screen.press(...(await nextCode()), 'Enter')
  await screen.shows(/Signed in to \S+ as admin/)
  expect((await screen.ended).code).toBe(0)

  screen = open(['login', '--user', admin.username, '--code', '000000'], { QD_PASSWORD: admin.password })
  await screen.shows('error: wrong code')
  expect((await screen.ended).code).toBe(4)
})

test('issue 14: the terminal UI asks for the code at the sign-in', async () => {
  await screen?.close()
  screen = startScreen({ qd: programs.qd, url: world.origin, columns: 80, rows: 24, signedIn: false })
  await screen.shows('Password')
  await screen.press(...admin.username, 'Enter', ...admin.password, 'Enter')
  await screen.shows('Enter the 6-digit code from your authenticator app')
  await screen.press(...'000000', 'Enter')
  await screen.shows('✗ Wrong code')
  await screen.press(...(await nextCode()), 'Enter')
  await screen.shows('live')
})
