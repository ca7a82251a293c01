import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type RealAgent, startRealAgent } from '../support/peers/real-agent.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'
import { type Screen, startScreen } from './screen.ts'

const home = mkdtempSync(join(tmpdir(), 'qd-live-tail-'))
let programs: Programs
let world: World
let agent: RealAgent
let screen: Screen

/** A command goes on once its file is there. */
const waitFor = (name: string) => `until [ -e '${join(home, name)}' ]; do sleep 0.05; done`
const goOn = (name: string) => writeFileSync(join(home, name), '')

beforeAll(async () => {
  programs = await buildPrograms()
  world = await createWorld()
  const place = { program: programs.agent, port: world.port, secret: siteSecret, folder: home }
  agent = startRealAgent({ ...place, uuid: uuidOf(1) })
})
afterEach(() => screen?.close())
afterAll(async () => {
  await agent?.stop()
  await world?.close()
  programs?.close()
  rmSync(home, { recursive: true, force: true })
})

test('issue 18: the output of what runs grows in the viewer; its end is followed, left and found again, and said', async () => {
  const browser = await world.login()
  const exec = async (line: string) =>
    ((await browser.api('POST', 'exec', { servers: [1], command: line, time_limit: 80 })) as { run_id: number }).run_id
  // The agent is there before it takes commands.
  await expect
    .poll(async () => {
      const id = await exec('true')
      const stateOf = async () =>
        ((await browser.api('GET', `run/${id}`)) as { items: { state: string }[] }).items[0]!.state
      await expect.poll(stateOf).not.toMatch(/sent|running/)
      return stateOf()
    })
    .toBe('success')
  const steps = ['echo begun', waitFor('one'), 'seq -f "line %g" 1 80', waitFor('two'), 'seq -f "line %g" 81 90']
  const command = [...steps, waitFor('three'), 'echo the last needle', 'exit 3'].join('; ')
  const id = await exec(command)
  screen = startScreen({ qd: programs.qd, url: world.origin, home, columns: 80, rows: 24 })
  await screen.shows('live')
  await screen.press(':', ...`run ${id}`, 'Enter')
  await screen.shows(/SERVER +STATE/)
  await screen.shows('begun')
  await screen.press('Enter')
  await screen.shows(/^ begun$/m)
  await screen.shows(/running.* Following/)
  goOn('one')
  await screen.shows(/^ line 80$/m)
  await screen.press('PageUp')
  const before = await screen.shows((rows) => rows.includes(' line 50') && !rows.includes(' line 80'))
  goOn('two')
  await screen.shows(/↓ 10 more lines, G to the end/)
  expect(/line \d+/.exec(screen.text())![0]).toBe(/line \d+/.exec(before)![0])
  await screen.press('/', ...'line 9', 'Enter')
  await screen.shows(/\/line 9 +2\/2/)
  await screen.press('Escape', 'F')
  await screen.shows(/^ line 90$/m)
  await screen.shows('Following')
  goOn('three')
  await screen.shows(/^ the last needle$/m)
  await screen.shows(/✗ failure, exit 3/)
  expect(screen.text()).not.toContain('Following')
  await screen.press('/', ...'needle', 'Enter')
  await screen.shows(/\/needle +1\/1/)
  await screen.press('Escape', 'Escape')
  await screen.shows(/SERVER +STATE/)
})
