import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { type Screen, startScreen } from './screen.ts'

const sizes = [
  [200, 50],
  [40, 10],
  [80, 24],
] as const

let programs: Programs
let fleet: Fleet
let screen: Screen

beforeAll(async () => {
  programs = await buildPrograms()
  fleet = await createFleet(['web-1', 'db-1'])
})
afterEach(() => screen?.close())
afterAll(async () => {
  await fleet?.close()
  programs?.close()
})

/** The list of tasks: nothing in it moves by itself but the clock. */
async function openTasks() {
  screen = startScreen({ qd: programs.qd, url: fleet.world.origin })
  await screen.shows('live')
  await screen.press('g', 't')
  await screen.shows(/▌.*restart-workers/)
}

/** Thirty sizes in 3 s; the last one is that of the start. */
async function storm() {
  for (let turn = 0; turn < 30; turn++) {
    const [columns, rows] = sizes[turn % sizes.length]!
    screen.resize(columns, rows)
    await sleep(100)
  }
}

/** Waits until the screen shows it again in the last size and rests, then until a whole new drawing says the same. */
async function isWhole(what: RegExp) {
  const withoutClock = (rows: string) => rows.replaceAll(/\d\d:\d\d:\d\d/g, '')
  let looks: string[] = []
  const text = await screen.shows((rows) => {
    const now = withoutClock(rows.join('\n'))
    looks = looks[0] === now ? [...looks, now] : [now]
    return what.test(now) && rows[22]!.includes('esc') && rows[23] === '' && looks.length >= 10
  })
  const from = screen.written().length
  await screen.press('Ctrl+l')
  await screen.writes((written) => written.includes('Tasks'), from)
  await screen.shows((rows) => withoutClock(rows.join('\n')) === withoutClock(text))
}

test('T-05 a storm of sizes leaves the palette open, with what was typed in it', async () => {
  await openTasks()
  await screen.press('Ctrl+k', ...'rota')
  await screen.shows(/rota▁?/)
  await storm()
  await isWhole(/rotate-logs/)
  await screen.press(...'te-l')
  await screen.shows(/rotate-l/)
  await screen.press('Escape')
  await screen.shows((rows) => /▌.*restart-workers/.test(rows.join('\n')) && !rows.join('\n').includes('rotate-l▁'))
})

test('T-05 a storm of sizes leaves a question open, unanswered', async () => {
  await openTasks()
  await screen.press('D')
  await screen.shows('Confirm Deletion?')
  await storm()
  await isWhole(/Confirm Deletion\?/)
  await screen.press('Escape')
  await screen.shows(
    (rows) => !rows.join('\n').includes('Confirm Deletion?') && rows.join('\n').includes('restart-workers'),
  )
})

test('T-05 a storm of sizes leaves a form open, with what was typed and where', async () => {
  await openTasks()
  await screen.press('c')
  await screen.shows(/Name/)
  await screen.press(...'half a name')
  await screen.shows('half a name')
  await storm()
  await isWhole(/half a name/)
  await screen.press(...' more', 'Tab', ...'uptime')
  await screen.shows((rows) => rows.join('\n').includes('half a name more') && rows.join('\n').includes('uptime'))
})
