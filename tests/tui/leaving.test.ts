import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { type Screen, startScreen } from './screen.ts'

let programs: Programs
let fleet: Fleet
let browser: Browser
let screen: Screen

const cpu = { type: 'cpu', max: 90, duration: 10, cover: 0, ignore: {} }
const rule = {
  rules: [cpu],
  trigger_mode: 1,
  notification_group_id: 0,
  fail_trigger_tasks: [],
  recover_trigger_tasks: [],
}

beforeAll(async () => {
  programs = await buildPrograms()
  fleet = await createFleet(['web-1'])
  browser = await fleet.world.login()
  await browser.api('POST', 'alert-rule', { ...rule, name: 'hot', enable: true })
})
beforeEach(async () => {
  await browser.api('PATCH', 'alert-rule/1', { ...rule, name: 'hot', enable: true })
})
afterEach(() => screen?.close())
afterAll(async () => {
  await fleet?.close()
  programs?.close()
})

const enabled = async () => ((await browser.api('GET', 'alert-rule')) as { enable: boolean }[])[0]!.enable

async function start(): Promise<void> {
  screen = startScreen({ qd: programs.qd, url: fleet.world.origin, columns: 120, rows: 36 })
  await screen.shows('live')
  await screen.press('g', 'a')
  await screen.shows((rows) => rows.some((row) => /hot .*\[x\]/.test(row)))
}

/** How a terminal or a system ends a program. */
const ways: Readonly<Record<string, () => void>> = {
  'its window closed': () => screen.hangUp(),
  'SIGHUP, twice as a shell sends it': () => {
    process.kill(screen.pid, 'SIGHUP')
    process.kill(screen.pid, 'SIGHUP')
  },
  SIGTERM: () => process.kill(screen.pid, 'SIGTERM'),
  'the window closed after SIGTERM': () => {
    process.kill(screen.pid, 'SIGTERM')
    screen.hangUp()
  },
  'Ctrl+C': () => screen.send('\u0003'),
}

test.each(Object.keys(ways))('issue 10.24 what waits is sent when the terminal UI ends by %s', async (way) => {
  await start()
  await screen.press('_')
  await screen.shows(/Disable: hot · Undo z · \d s/)
  expect(await enabled()).toBe(true)
  ways[way]!()
  await vi.waitFor(async () => expect(await enabled()).toBe(false), 30_000)
  // T-09: nothing of it stays.
  await vi.waitFor(() => expect(() => process.kill(screen.pid, 0)).toThrow(), 30_000)
})

test('issue 10.24 Ctrl+C in a changed form asks; a second one quits, a no goes on where it was', async () => {
  await start()
  await screen.press('e')
  await screen.shows(/hot › edit/)
  await screen.press('Ctrl+c')
  expect((await screen.ended).code).toBe(130)
  await screen.close()

  await start()
  await screen.press('e')
  await screen.shows(/hot › edit/)
  await screen.press(...'ter', 'Ctrl+c')
  await screen.shows(/1 change/)
  await screen.shows('[ Cancel ]')
  await screen.press('Enter')
  await screen.shows((rows) => rows.some((row) => /Name +hotter/.test(row)))
  await screen.press('Ctrl+c')
  await screen.shows('[ Cancel ]')
  await screen.press('Ctrl+c')
  expect((await screen.ended).code).toBe(130)
})

test('issue 10.24 what cannot be read was typed too: leaving asks', async () => {
  await start()
  await screen.press('c')
  await screen.shows(/Alert rules › new/)
  await screen.press('Tab', 'Tab')
  screen.send('\u0015')
  await screen.press(...'heat > 3', 'Escape')
  await screen.shows('[ Cancel ]')
})
