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
const home = mkdtempSync(join(tmpdir(), 'qd-compare-'))
const names = ['c-1', 'c-2', 'c-3', 'c-4', 'c-5', 'c-6', 'c-7']

beforeAll(async () => {
  programs = await buildPrograms()
  fleet = await createFleet(names)
  for (const [at, name] of names.entries()) fleet.sample(name, { cpu: 10 + 10 * at })
})
afterEach(() => screen?.close())
afterAll(async () => {
  await fleet?.close()
  programs?.close()
  rmSync(home, { recursive: true, force: true })
})

const start = async (options: Partial<ScreenOptions> = {}) => {
  screen = startScreen({ qd: programs.qd, url: fleet.world.origin, home, columns: 120, rows: 36, ...options })
  await screen.shows('live')
  await screen.shows('c-7')
}

test('issue 18: marked servers over each other: a sign and a colour for each, metric and range by key, Escape goes back', async () => {
  await start()
  await screen.press('x', 'x', 'x', 'h')
  await screen.shows(/^▌● c-1 +\d/m)
  await screen.shows(/^ ▲ c-2 +\d/m)
  const text = await screen.shows(/^ ■ c-3 +\d+(\.\d)?% +mean \d/m)
  expect(text).toMatch(/Servers › 3 compared/)
  expect(text).toMatch(/│.*[●▲■]/)
  const row = screen.rows().findIndex((line) => line.startsWith('▌● c-1'))
  const colours = [0, 1, 2].map((by) => screen.cell(row + by, 1).foreground)
  expect(new Set(colours).size).toBe(3)
  await screen.press('v')
  await screen.shows(/^─ Memory ─/m)
  await screen.press(']')
  await screen.shows('‹24 h›')
  await screen.press('V', 'j')
  await screen.shows(/^▌▲ c-2/m)
  await screen.press('?')
  await screen.shows(/v → +Next metric/)
  await screen.press('Escape')
  await screen.shows(/^▌▲ c-2/m)
  await screen.press('Enter')
  await screen.shows(/Servers › c-2/)
  await screen.press('Escape')
  await screen.shows(/3 compared/)
  await screen.press('Escape')
  await screen.shows(/3 selected/)
})

test('issue 18: a comparison by palette and by `:`, of a selection too large for one chart, at any size', async () => {
  await start()
  await screen.press('*', ':', ...'server history', 'Enter')
  await screen.shows(/1–5 of 7/)
  await screen.press('G')
  await screen.shows(/6–7 of 7/)
  await screen.shows(/^▌▲ c-7 +\d/m)
  for (const [columns, rows] of [
    [40, 10],
    [200, 50],
    [60, 20],
    [80, 24],
  ] as const) {
    screen.resize(columns, rows)
    await screen.shows(
      (lines) => lines.some((line) => /▌▲ c-7/.test(line)) && lines.some((line) => /│.*[●▲]/.test(line)),
    )
  }
  await screen.press('Escape')
  await screen.shows(/7 selected/)
  await screen.press('Escape', 'Ctrl+k', ...'compare over')
  await screen.shows('Compare over time')
  await screen.press('Enter')
  await screen.shows(/1 compared/)
})

test('without colour and in ASCII the signs alone tell the lines apart', async () => {
  await start({ args: ['--ascii'], env: { NO_COLOR: '1' } })
  await screen.press('x', 'x', 'h')
  await screen.shows(/^>o c-1 +\d/m)
  await screen.shows(/^ ! c-2 +\d/m)
})
