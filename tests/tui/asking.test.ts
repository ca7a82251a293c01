import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { type Screen, startScreen } from './screen.ts'

const home = mkdtempSync(join(tmpdir(), 'qd-asking-'))
const names = Array.from({ length: 12 }, (_, index) => `node-${String(index + 1).padStart(2, '0')}`)
let programs: Programs
let fleet: Fleet
let screen: Screen

beforeAll(async () => {
  programs = await buildPrograms()
  fleet = await createFleet(names)
})
afterEach(async () => {
  await screen?.close()
})
afterAll(async () => {
  await fleet?.close()
  programs?.close()
  rmSync(home, { recursive: true, force: true })
})

const runs = async () => ((await (await fleet.world.login()).api('GET', 'run')) as { value?: unknown[] }).value ?? []

test('issue 10.19 a command on more than ten servers is asked about in a step of its own; a no leads back to what was typed', async () => {
  screen = startScreen({ qd: programs.qd, url: fleet.world.origin, home, columns: 120, rows: 36 })
  await screen.shows('live')
  await screen.shows(/Servers {2}12/)
  await screen.press('*', 'r')
  await screen.shows(/Servers › Run command {2}12/)
  await screen.press(...'uptime', 'Ctrl+s')
  await screen.shows(/All servers \(12\)|Only these 12/)
  await screen.shows('[ Cancel ]')
  expect(await runs()).toEqual([])
  await screen.press('Enter')
  await screen.shows((rows) => !rows.some((row) => row.includes('[ Cancel ]')))
  await screen.shows((rows) => rows.some((row) => /▌ Command +uptime/.test(row)))
  expect(await runs()).toEqual([])
  await screen.press('Ctrl+s')
  await screen.shows('[ Cancel ]')
  await screen.press('Tab', 'Enter')
  await screen.shows(/Runs › .* › run \d+/)
  expect(await runs()).toHaveLength(1)
})
