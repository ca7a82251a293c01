import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { startReplay } from '../support/replay/dashboard.ts'
import { type Screen, startScreen } from './screen.ts'

let programs: Programs
let screen: Screen
beforeAll(async () => {
  programs = await buildPrograms()
})
afterEach(() => screen?.close())
afterAll(() => programs?.close())

test.each([1, 2] as const)(
  'the terminal UI at a dashboard of %i.x: live figures, a task, a shell',
  async (generation) => {
    const dash = await startReplay({ generation })
    const env = { QD_USER: 'admin', QD_PASSWORD: 'admin' }
    screen = startScreen({ qd: programs.qd, url: dash.url, columns: 120, rows: 36, env })
    await screen.shows(/● web-1 /)
    await expect.poll(() => dash.calls()).toContain('ws/server')
    dash.expects('crons', 'run: ok')
    await screen.press('g', 't')
    await screen.shows(/hourly +0 0 \* \* \* \*/)
    await screen.press('/', 'h', 'o', 'u', 'r', 'l', 'y', 'Enter')
    await screen.shows((rows) => !rows.some((row) => row.includes('alice all')))
    await screen.press('r')
    await screen.shows(/At most web-1[\s\S]*Cancel/)
    await screen.press('Tab', 'Enter')
    await expect
      .poll(() =>
        dash
          .calls()
          .filter((call) => call.endsWith('cron/1/manual'))
          .at(-1),
      )
      .toBe(generation === 1 ? 'GET cron/1/manual' : 'POST cron/1/manual')
    dash.expects('terminal-file', 'terminal: ok')
    await screen.press('Escape', 'g', 's')
    await screen.shows(/● web-1 /)
    await screen.press('/', 'w', 'e', 'b', 'Enter', 't')
    await screen.shows(/Shell on web-1/)
    await screen.shows(/^\$$/m)
    screen.send('echo hi\r')
    await screen.shows(/echo hi\s+hi\s/)
    screen.send('~.')
    await screen.shows(/● web-1 /)
  },
)
