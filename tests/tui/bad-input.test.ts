import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { type Screen, type ScreenOptions, startScreen } from './screen.ts'

const home = mkdtempSync(join(tmpdir(), 'qd-bad-input-'))
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let programs: Programs
let fleet: Fleet
let screen: Screen

beforeAll(async () => {
  programs = await buildPrograms()
  fleet = await createFleet(['web-1', 'web-2', 'db-1'])
})
afterEach(async () => {
  await screen.close()
})
afterAll(async () => {
  await fleet?.close()
  programs?.close()
  rmSync(home, { recursive: true, force: true })
})

function start(options: Partial<ScreenOptions> = {}): void {
  screen = startScreen({ qd: programs.qd, url: fleet.world.origin, home, ...options })
}

/** A paste as a terminal with bracketed paste sends it. */
const pasted = (text: string) => `\u001b[200~${text}\u001b[201~`

test('issue 10.2 a damaged condition does not end the terminal UI: it stays as typed, and is refused where it is damaged', async () => {
  start({ columns: 200, rows: 50 })
  await screen.shows('live')
  await screen.press('g', 'a')
  await screen.shows(/Alert rules {2}0/)
  await screen.press('c')
  await screen.shows(/Alert rules › new/)
  await screen.press(...'busy', 'Tab', 'Tab')
  for (const [text, problem] of [
    ['[{"cover":0}]', '✗ 1.type: Required'],
    ['[{"type":"cpu","cover":0,"max":{}}]', '✗ 1.max: Invalid value'],
    ['[{"type":7,"cover":0}]', '✗ 1.type: Enter text'],
    ['[{"type":"heat","duration":3,"cover":0}]', '✗ Condition 1: unknown type “heat”'],
  ] as const) {
    await screen.press('End')
    screen.send('\u0015')
    screen.send(pasted(text))
    await screen.shows(text)
    await screen.press('Ctrl+s')
    await screen.shows(problem)
    expect(screen.text()).toContain(`▌ When                  ${text}`)
    // The line that does the same says the same, and is refused alike.
    expect(screen.text()).toContain(`--rules '${text}'`)
  }
  await screen.press('Escape')
  await screen.shows(/Drop the changes|changes/)
})
