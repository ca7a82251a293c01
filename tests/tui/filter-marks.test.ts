import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { type Screen, startScreen } from './screen.ts'

const home = mkdtempSync(join(tmpdir(), 'qd-filter-'))
const runs = 130
let programs: Programs
let fleet: Fleet
let screen: Screen

beforeAll(async () => {
  programs = await buildPrograms()
  fleet = await createFleet(['web-1', 'web-2', 'db-1'])
  const browser = await fleet.world.login()
  const plain = { task_type: 0, push_successful: false, notification_group_id: 0, cover: 0 }
  const one = { ...plain, name: 'one', scheduler: '0 0 3 * * *', command: 'true', servers: [fleet.ids.get('db-1')] }
  const id = await browser.api('POST', 'cron', one)
  for (let round = 0; round < runs; round += 1) await browser.api('POST', `cron/${id}/manual`)
})
afterEach(async () => {
  await screen?.close()
})
afterAll(async () => {
  await fleet?.close()
  programs?.close()
  rmSync(home, { recursive: true, force: true })
})

const start = () => {
  screen = startScreen({ qd: programs.qd, url: fleet.world.origin, home, columns: 120, rows: 30 })
}

test('issue 10.18 with a broken filter nothing is listed, so that * marks nothing; right again, it lists and marks what matches', async () => {
  start()
  await screen.shows('live')
  await screen.shows(/Servers {2}3/)
  for (const wrong of ['stat:online', 'status:onlin', 'cpu>', '(web', 'status:']) {
    await screen.press('/', '\u0015', ...wrong, 'Enter')
    await screen.shows('Fix the filter to see the list.')
    await screen.shows(/Servers {2}0 of 3/)
    expect(screen.text()).not.toMatch(/web-1|db-1/)
    await screen.press('*', 'D')
    await screen.shows(/nothing|No rows/i)
    expect(screen.text()).not.toMatch(/\d selected|Confirm Deletion/)
  }
  await screen.press('/', '\u0015', ...'web', 'Enter')
  await screen.shows(/Servers {2}2 of 3/)
  await screen.press('*')
  await screen.shows('2 selected')
})

test('issue 10.18 * marks what matches on the server, not what is loaded, and says so; the count is the server’s', async () => {
  start()
  await screen.shows('live')
  await screen.press('g', 'r')
  await screen.shows(new RegExp(`Runs {2}${runs}`))
  await screen.press('*')
  await screen.shows(`${runs} selected: everything that matches the filter, not just what’s on screen`)
  await screen.press('*')
  await screen.shows((rows) => !rows.join('').includes(' selected'))
  await screen.press('/', ...'state:success', 'Enter')
  await screen.shows(new RegExp(`Runs {2}${runs}|Runs {2}\\d+ of ${runs}`))
  await screen.press('*')
  await screen.shows(/\d+ selected/)
  await screen.press('End')
  await screen.shows((rows) => rows.some((row) => /▌.*one/.test(row)))
})
