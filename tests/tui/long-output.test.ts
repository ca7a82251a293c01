import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'
import { type Screen, startScreen } from './screen.ts'

const home = mkdtempSync(join(tmpdir(), 'qd-long-output-'))
const lines = 40_000
const output = Array.from({ length: lines }, (_, at) => `line ${at + 1} of it`).join('\n')
let programs: Programs
let world: World
let screen: Screen

beforeAll(async () => {
  programs = await buildPrograms()
  world = await createWorld()
  await world.agent({ uuid: uuidOf(1), onCommand: () => ({ data: output, successful: true, delay: 0.1 }) })
  const browser = await world.login()
  await browser.api('POST', 'exec', { servers: [1], command: 'cat big.log', time_limit: 60 })
  await vi.waitFor(async () => {
    const run = (await browser.api('GET', 'run/1')) as { items: { state: string }[] }
    expect(run.items[0]!.state).toBe('success')
  }, 30_000)
})
afterEach(() => screen?.close())
afterAll(async () => {
  await world?.close()
  programs?.close()
  rmSync(home, { recursive: true, force: true })
})

test('issue 10.20 y in an output of 40,000 lines: keys go on at once, and the whole text is kept', async () => {
  screen = startScreen({ qd: programs.qd, url: world.origin, home, columns: 120, rows: 36 })
  await screen.shows('live')
  await screen.press('g', 'r')
  await screen.shows(/Runs {2}1/)
  await screen.press('Enter')
  await screen.shows(`line ${lines} of it`)
  await screen.press('y')
  // A hang takes minutes; what else the machine does takes a moment.
  await screen.shows(/Saved to \S+copied\.txt:/, 5000)
  await screen.press('Enter')
  await screen.shows(/40,000 lines/, 5000)
  for (const [key, seen] of [
    ['Home', 'line 1 of it'],
    ['End', `line ${lines} of it`],
    ['PageUp', `line ${lines - 40} of it`],
    ['y', /Saved to \S+copied\.txt:/],
    ['Home', 'line 2 of it'],
  ] as const) {
    await screen.press(key)
    await screen.shows(seen, 5000)
  }
  // Its place comes first: a narrow terminal cuts the reason, never the path.
  expect(readFileSync(join(home, 'copied.txt'), 'utf8')).toBe(output)
  await screen.press('Escape')
  await screen.shows(/Runs › .* › run 1/, 5000)
  await screen.press('/', ...'nowhere', 'Enter')
  await screen.shows(/\/nowhere\s+0/, 5000)
  await screen.press('Escape', '/', ...'line 39999 of', 'Enter')
  await screen.shows(/\/line 39999 of\s+1/, 5000)
})
