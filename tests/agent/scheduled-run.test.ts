import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { openSocket } from '../support/peers/live-socket.ts'
import { createWorld, type World } from '../support/world.ts'

let clock: FakeClock
let world: World
beforeAll(async () => {
  clock = createFakeClock(Date.parse('2026-11-20T12:00:00Z'))
  world = await createWorld({ clock })
})
afterAll(() => world.close())

interface Run {
  id: number
  started_by: string
  created_at: string
  items: { state: string; output: string }[]
}

test('a scheduled task runs at its time, and the console hears of it', async () => {
  const browser = await world.login()
  await world.agent({ onCommand: (command) => ({ data: `ran ${command}`, successful: true }) })
  const fields = {
    name: 'hourly',
    task_type: 0,
    scheduler: 'TZ=UTC 0 5 * * * *',
    command: 'date',
    cover: 1,
    servers: [],
  }
  const id = await browser.api('POST', 'cron', fields)
  const feed = await openSocket(world, { browser, protocols: ['quarterdeck.live.v1'] })
  await feed.frame()
  await clock.advance(5 * 60_000)
  await expect.poll(async () => ((await browser.api('GET', 'run')) as { value: Run[] }).value).toHaveLength(1)
  const [run] = ((await browser.api('GET', 'run')) as { value: Run[] }).value
  expect(run).toMatchObject({ started_by: 'schedule', created_at: '2026-11-20T12:05:00.000Z' })
  await expect
    .poll(async () => ((await browser.api('GET', `run/${run!.id}`)) as Run).items)
    .toMatchObject([{ state: 'success', output: 'ran date' }])
  const told = async () => {
    await clock.advance(250)
    return JSON.stringify(feed.unread)
  }
  await expect.poll(told).toContain('"success":1')
  await expect.poll(told).toContain(`"resource":"cron","ids":[${id}]`)
  const [task] = (await browser.api('GET', 'cron')) as { last_result: boolean; last_run_id: number }[]
  expect(task).toMatchObject({ last_result: true, last_run_id: run!.id })
  feed.close()
})
