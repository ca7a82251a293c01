import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { type Berth, createBerthWorld } from '../support/made-up-entity.ts'
import { openSocket } from '../support/peers/live-socket.ts'
import type { World } from '../support/world.ts'

let world: World
let root: Browser
beforeAll(async () => {
  world = await createBerthWorld()
  root = await world.login()
})
afterAll(() => world?.close())

const all = async () => ((await root.api('GET', 'berth')) ?? []) as Berth[]
const task = { name: 'mend', task_type: 1, scheduler: '', command: 'true', cover: 0, servers: [] }

test('the routes list, make, change, act on and delete it; its secret never comes back', async () => {
  const cron = (await root.api('POST', 'cron', task)) as number
  const values = { name: 'pier 1', notification_group_id: 0, tasks: [cron], code: 'open sesame', lit: false }
  const id = (await root.api('POST', 'berth', values)) as number
  const text = (await root.send('GET', '/api/v1/berth')).text
  expect(text).not.toContain('open sesame')
  expect(await all()).toMatchObject([{ id, ...values, code: '', has_code: true, owner: { username: 'admin' } }])
  await root.api('PATCH', `berth/${id}`, { ...values, name: 'pier 2', code: '' })
  expect((await all())[0]).toMatchObject({ name: 'pier 2', has_code: true })
  await root.api('POST', `berth/${id}/light`)
  expect((await all())[0]!.lit).toBe(true)
  await world.restart()
  root = await world.login()
  expect(await all()).toMatchObject([{ name: 'pier 2', lit: true, tasks: [cron], has_code: true }])
  await root.api('POST', 'batch-delete/berth', [id])
  expect(await all()).toEqual([])
})

test('what it names must exist and be its owner’s; who must not write it is told so', async () => {
  const { browser: alice } = await world.member('alice')
  const mine = (await root.api('POST', 'cron', task)) as number
  const body = { name: 'x', notification_group_id: 0, tasks: [mine, 999], lit: false }
  const unknown = await root.send('POST', '/api/v1/berth', { body })
  expect(unknown.body.problems).toEqual([{ field: 'tasks', code: 'unknownReference', params: { ids: [999] } }])
  const foreign = await alice.send('POST', '/api/v1/berth', { body: { ...body, tasks: [mine] } })
  expect(foreign.body.problems).toEqual([{ field: 'tasks', code: 'unknownReference', params: { ids: [mine] } }])
  const group = await root.send('POST', '/api/v1/berth', { body: { ...body, tasks: [], notification_group_id: 77 } })
  expect(group.body.error).toBe('notification group id 77 does not exist')
  const own = (await root.api('POST', 'berth', { ...body, tasks: [] })) as number
  expect((await alice.send('PATCH', `/api/v1/berth/${own}`, { body })).body.success).not.toBe(true)
  expect((await alice.api('GET', 'berth')) ?? []).toEqual([])
})

test('who looks hears of each change, and what it names is forgotten when that is deleted', async () => {
  const cron = (await root.api('POST', 'cron', task)) as number
  const group = (await root.api('POST', 'notification-group', { name: 'night', notifications: [] })) as number
  const feed = await openSocket(world, { browser: root, protocols: ['quarterdeck.live.v1'] })
  await feed.frame()
  const id = (await root.api('POST', 'berth', {
    name: 'pier 3',
    notification_group_id: group,
    tasks: [cron],
    lit: false,
  })) as number
  const notices = async () => ((await feed.frame()).records ?? []) as { resource: string; ids: number[] }[]
  await expect.poll(notices).toContainEqual(expect.objectContaining({ resource: 'berth', ids: [id] }))
  await root.api('POST', 'batch-delete/cron', [cron])
  await root.api('POST', 'batch-delete/notification-group', [group])
  const berthOf = async () => (await all()).find((row) => row.id === id)
  await expect.poll(berthOf).toMatchObject({ tasks: [], notification_group_id: 0 })
  feed.close()
})
