import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

let world: World
let root: Browser

beforeAll(async () => {
  world = await createWorld()
  root = await world.login()
})
afterAll(() => world.close())

const condition = { type: 'cpu', max: 90, duration: 3, cover: 0, ignore: {} }
const task = { name: 'mend', task_type: 1, scheduler: '', command: 'true', cover: 0 }

async function rowOf(noun: string, id: number) {
  const rows = ((await root.api('GET', noun)) ?? []) as { id: number }[]
  return rows.find((row) => row.id === id) as Record<string, unknown> & { id: number }
}

test('a rule whose task was deleted can still be switched', async () => {
  const cron = (await root.api('POST', 'cron', { ...task, servers: [] })) as number
  const rule = {
    name: 'hot',
    rules: [condition],
    fail_trigger_tasks: [cron],
    recover_trigger_tasks: [cron],
    enable: true,
  }
  const id = (await root.api('POST', 'alert-rule', rule)) as number
  await root.api('POST', 'batch-delete/cron', [cron])
  await expect.poll(async () => (await rowOf('alert-rule', id)).fail_trigger_tasks).toEqual([])
  await root.api('PATCH', `alert-rule/${id}`, { ...(await rowOf('alert-rule', id)), enable: false })
  expect(await rowOf('alert-rule', id)).toMatchObject({ enable: false, recover_trigger_tasks: [] })
})

test('a task and a maintenance window whose server was deleted can still be saved', async () => {
  const row = await world.server.container.servers.enrol({ uuid: uuidOf(7), ownerId: 0 })
  const cron = (await root.api('POST', 'cron', { ...task, servers: [row.id] })) as number
  const times = { starts_at: '2030-01-01T00:00:00Z', ends_at: '2030-01-02T00:00:00Z' }
  const window = { name: 'move', ...times, cover: 1, servers: [row.id], services: [], note: '' }
  const id = (await root.api('POST', 'maintenance-window', window)) as number
  await root.api('POST', 'batch-delete/server', [row.id])
  await expect.poll(async () => (await rowOf('cron', cron)).servers).toEqual([])
  await expect.poll(async () => (await rowOf('maintenance-window', id)).servers).toEqual([])
  await root.api('PATCH', `cron/${cron}`, { ...(await rowOf('cron', cron)), command: 'false' })
  expect(await rowOf('cron', cron)).toMatchObject({ command: 'false' })
})

test('issue 13: the settings forget a deleted group and a deleted server', async () => {
  const { settings, servers } = world.server.container
  const row = await servers.enrol({ uuid: uuidOf(8), ownerId: 0 })
  const group = (await root.api('POST', 'notification-group', { name: 'night', notifications: [] })) as number
  const { config } = (await root.api('GET', 'setting')) as { config: Record<string, unknown> }
  await root.api('PATCH', 'setting', {
    ...config,
    user_template: 'user-dist',
    ip_change_notification_group_id: group,
    ignored_ip_notification: String(row.id),
  })
  expect(settings.get()).toMatchObject({ ip_change_notification_group_id: group, ignored_ip_notification: [row.id] })
  await Promise.all([
    root.api('POST', 'batch-delete/server', [row.id]),
    root.api('POST', 'batch-delete/notification-group', [group]),
  ])
  await expect
    .poll(() => settings.get())
    .toMatchObject({ ip_change_notification_group_id: 0, ignored_ip_notification: [] })
})

test('issue 10.12: a task of every 24 hours runs although its servers are deleted one after the other', async () => {
  const hourMs = 3_600_000
  const began = Date.parse('2026-11-20T12:00:00Z')
  const clock = createFakeClock(began)
  const other = await createWorld({ clock })
  const browser = await other.login()
  const servers = await Promise.all(
    [1, 2].map((n) => other.server.container.servers.enrol({ uuid: uuidOf(n), ownerId: 0 })),
  )
  const ids = servers.map(({ id }) => id)
  await browser.api('POST', 'cron', { ...task, task_type: 0, scheduler: '@every 24h', servers: ids })
  clock.set(began + 20 * hourMs)
  await browser.api('POST', 'batch-delete/server', [ids[0]])
  const left = async () => ((await browser.api('GET', 'cron')) as { servers: number[] }[])[0]!.servers
  await expect.poll(left).toEqual([ids[1]])
  clock.set(began + 24 * hourMs - 60_000)
  await clock.advance(61_000)
  const runs = async () => ((await browser.api('GET', 'run')) as { value?: { created_at: string }[] }).value ?? []
  await expect
    .poll(async () => (await runs()).map(({ created_at }) => Date.parse(created_at)))
    .toEqual([began + 24 * hourMs])
  await other.close()
})
