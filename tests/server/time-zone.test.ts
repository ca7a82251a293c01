import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnyRow, View } from '@qd/core/define'
import { cron, setting } from '@qd/core/resources'
import { runsOfForm } from '@qd/core/view'
import { afterEach, describe, expect, test } from 'vitest'
import { type Browser, createBrowser } from '../support/browser.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { startProgram } from '../support/program.ts'
import { admin, createWorld, type World } from '../support/world.ts'

let world: World | undefined
afterEach(async () => {
  await world?.close()
  world = undefined
})

/** What a client that has these two lists computes with. */
async function viewOf(browser: Browser, now: number): Promise<View> {
  const site = setting.read.parse(setting.wire.decode((await browser.api('GET', 'setting')) as object)) as AnyRow
  const rows: Partial<Record<string, readonly AnyRow[]>> = { setting: [site] }
  const all: View['all'] = (name) => rows[name] ?? []
  return { now, all, find: () => undefined, title: () => null, referring: () => [], trend: () => [] }
}

const taskOf = async (browser: Browser): Promise<AnyRow> => {
  const [task] = (await browser.api('GET', 'cron')) as readonly object[]
  return cron.read.parse(task) as AnyRow
}

/** When the newest run began, epoch ms. */
async function newestRun(browser: Browser): Promise<number> {
  const { value = [] } = (await browser.api('GET', 'run')) as { value?: readonly { created_at: string }[] }
  return Date.parse(value[0]?.created_at ?? '')
}

describe('issue 10.7: with an empty setting, what is shown is what happens', () => {
  test.each([
    // The night in which 02:30 comes twice, and the one in which it does not come.
    ['Europe/Berlin', '2026-10-24T12:00Z', '0 30 2 * * *', ['2026-10-25T00:30', '2026-10-26T01:30']],
    ['America/New_York', '2027-03-12T12:00Z', '0 30 2 * * *', ['2027-03-13T07:30', '2027-03-15T06:30']],
    ['Asia/Kolkata', '2026-11-20T12:00Z', '0 0 3 * * *', ['2026-11-20T21:30', '2026-11-21T21:30']],
  ])('on a host in %s', async (timeZone, from, scheduler, times) => {
    const clock = createFakeClock(Date.parse(from))
    world = await createWorld({ clock, timeZone })
    const root = await world.login()
    await world.agent()
    await root.api('POST', 'cron', { name: 'nightly', task_type: 0, scheduler, command: 'id', cover: 0, servers: [1] })
    for (const time of times) {
      const at = Date.parse(`${time}Z`)
      const view = await viewOf(root, clock.now())
      const task = await taskOf(root)
      expect(cron.derived.next_run_at!(task, view)).toBe(new Date(at).toISOString())
      expect(runsOfForm(cron, task, { view, row: task })).toMatchObject({ timeZone, problem: null })
      expect(runsOfForm(cron, task, { view, row: task })!.runs[0]).toBe(at)
      clock.set(at - 60_000)
      await clock.advance(61_000)
      await expect.poll(() => newestRun(root)).toBe(at)
    }
  })

  test('the setting beats the host, and its change is told at once', async () => {
    world = await createWorld({ timeZone: 'Asia/Kolkata' })
    const root = await world.login()
    const zones = async (browser: Browser) => {
      const { config } = (await browser.api('GET', 'setting')) as { config: Record<string, unknown> }
      return [config.time_zone, config.effective_time_zone]
    }
    const { browser: member } = await world.member('alice')
    const { config } = (await root.api('GET', 'setting')) as { config: object }
    expect([await zones(root), await zones(member)]).toEqual(Array(2).fill([undefined, 'Asia/Kolkata']))
    await root.api('PATCH', 'setting', { ...config, user_template: 'user-dist', time_zone: 'America/New_York' })
    expect([await zones(root), await zones(member)]).toEqual(Array(2).fill(Array(2).fill('America/New_York')))
    expect(await zones(world.guest())).toEqual([undefined, undefined])
  })
})

// ICU knows Kolkata by its former name.
test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['America/New_York', 'America/New_York'],
  ['Asia/Kolkata', 'Asia/Calcutta'],
])('issue 10.7: the program says the zone of a host in %s', async (TZ, name) => {
  const data = mkdtempSync(join(tmpdir(), 'qd-zone-'))
  const program = startProgram(['--port', '0', '--data', data, '--no-agent'], { TZ, QD_ADMIN_PASSWORD: admin.password })
  const browser = createBrowser(await program.ready())
  await browser.login(admin.username, admin.password)
  const { config } = (await browser.api('GET', 'setting')) as { config: Record<string, unknown> }
  program.child.kill()
  await program.ended
  rmSync(data, { recursive: true, force: true })
  expect(config.effective_time_zone).toBe(name)
})
