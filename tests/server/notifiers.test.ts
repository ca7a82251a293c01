import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { type Receiver, startReceiver } from '../support/peers/receiver.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

let world: World
let root: Browser
let alice: Browser
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
  world = await createWorld()
  root = await world.login()
  alice = (await world.member('alice')).browser
  const { config } = (await root.api('GET', 'setting')) as { config: object }
  await root.api('PATCH', 'setting', { ...config, outbound_allowlist: [`127.0.0.1:${receiver.port}`] })
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

const hook = (fields: object = {}) => ({
  name: 'hook',
  url: `${receiver.origin}/in`,
  request_method: 1,
  request_type: 1,
  skip_check: true,
  ...fields,
})
const create = (browser: Browser, noun: string, body: object) => browser.api('POST', noun, body) as Promise<number>
const groupsOf = async (browser: Browser) =>
  ((await browser.api('GET', 'notification-group')) ?? []) as {
    group: { id: number }
    notifications: number[] | null
  }[]
const errorOf = async (browser: Browser, method: string, path: string, body: unknown) =>
  (await browser.send(method, `/api/v1/${path}`, { body })).body.error

test.each([
  [1, 'GET'],
  [2, 'POST'],
  [3, 'PATCH'],
  [4, 'DELETE'],
  [5, 'PUT'],
])('request method %i sends a test by %s', async (request_method, method) => {
  const id = await create(root, 'notification', hook({ request_method, request_body: '{"text":"#NEZHA#"}' }))
  expect(await root.api('POST', `notification/${id}/test`, {})).toEqual({
    status: 200,
    ms: expect.any(Number),
    host: `127.0.0.1:${receiver.port}`,
  })
  const body = method === 'GET' ? '' : '{"text":"a test message"}'
  expect(await receiver.inbox.next()).toMatchObject({ method, url: '/in', body })
  const rows = (await root.api('GET', `notification?id=${id}`)) as { last_sent_at: string; last_error?: string }[]
  expect(Date.parse(rows[0]!.last_sent_at)).toBeGreaterThan(Date.now() - 60_000)
})

test('a save sends a test first unless it is told not to', async () => {
  const id = await create(root, 'notification', hook({ skip_check: false, url: `${receiver.origin}/?q=#NEZHA#` }))
  expect((await receiver.inbox.next()).url).toBe('/?q=a+test+message')
  await root.api('PATCH', `notification/${id}`, hook({ url: '', skip_check: true }))
  expect(receiver.inbox.unread).toEqual([])
})

test('issue 12.9: a new name needs no test message, another address does', async () => {
  const id = await create(root, 'notification', hook())
  const url = 'http://127.0.0.1:1/nobody'
  await root.api('PATCH', `notification/${id}`, hook({ skip_check: true, url }))
  const renamed = hook({ name: 'another name', url: '', skip_check: false })
  expect(await errorOf(root, 'PATCH', `notification/${id}`, renamed)).toBeUndefined()
  expect(await errorOf(root, 'PATCH', `notification/${id}`, { ...renamed, url: `${url}/2` })).toBeTruthy()
})

test('issue 12.9: a test message is filled with the server of the preview, or with the one that was chosen', async () => {
  const [first, second] = [await world.agent(), await world.agent()]
  const rows = (await root.api('GET', 'server')) as { id: number; name: string }[]
  const body = hook({ request_method: 2, request_body: '{"text":"#SERVER.NAME#"}' })
  const told = async () => (JSON.parse((await receiver.inbox.next()).body) as { text: string }).text
  const id = await create(root, 'notification', body)
  await root.api('POST', `notification/${id}/test`, {})
  expect(rows.map(({ name }) => name)).toContain(await told())
  for (const { id: server_id, name } of rows) {
    await root.api('POST', 'notification/try', { ...body, server_id })
    expect(await told()).toBe(name)
  }
  // Who has no server is not told of those of others.
  await alice.api('POST', 'notification/try', { ...body, server_id: rows[0]!.id })
  expect(await told()).toBe('#SERVER.NAME#')
  await Promise.all([first, second].map((agent) => agent.close()))
})

test('a group may hold, and a task may tell, only what its owner has', async () => {
  const foreign = await create(root, 'notification', hook())
  const own = await create(alice, 'notification', hook())
  const text = 'have invalid notification id'
  expect(await errorOf(alice, 'POST', 'notification-group', { name: 'g', notifications: [foreign] })).toBe(text)
  expect(await errorOf(alice, 'POST', 'notification-group', { name: 'g', notifications: [9999] })).toBe(text)
  const group = await create(alice, 'notification-group', { name: 'g', notifications: [own] })
  const rootGroup = await create(root, 'notification-group', { name: 'ops', notifications: [foreign] })
  expect((await groupsOf(alice)).map((one) => one.group.id)).toEqual([group])
  const task = (id: number) => ({ name: 't', task_type: 1, command: 'id', servers: [], notification_group_id: id })
  expect(await errorOf(alice, 'POST', 'cron', task(rootGroup))).toBe('permission denied')
  expect(await errorOf(alice, 'POST', 'cron', task(9999))).toBe('notification group id 9999 does not exist')
  expect(await errorOf(alice, 'POST', 'cron', task(group))).toBeUndefined()
  expect(await errorOf(root, 'POST', 'cron', task(group))).toBeUndefined()
})

test('a server that comes back with another address is told of, its figures masked', async () => {
  const id = await create(root, 'notification', hook({ request_method: 2, request_body: '"#NEZHA# #SERVER.NAME#"' }))
  const group = await create(root, 'notification-group', { name: 'network', notifications: [id] })
  const { config } = (await root.api('GET', 'setting')) as { config: object }
  const on = { enable_ip_change_notification: true, cover: 1, ip_change_notification_group_id: group }
  await root.api('PATCH', 'setting', { ...config, ...on })
  await world.agent({ uuid: uuidOf(5), address: '198.51.100.7' })
  const { id: server } = world.server.container.servers.byUuid(uuidOf(5))!
  await root.api('PATCH', `server/${server}`, { name: 'edge-5' })
  await world.agent({ uuid: uuidOf(5), address: '198.51.100.7' })
  await world.agent({ uuid: uuidOf(5), address: '203.0.113.9' })
  const { body } = await receiver.inbox.next()
  expect(JSON.parse(body)).toBe('[IP Changed] edge-5, 198.****.7 => 203.****.9 #SERVER.NAME#')
  await root.api('PATCH', 'setting', { ...config, ...on, ignored_ip_notification: String(server) })
  await world.agent({ uuid: uuidOf(5), address: '198.51.100.7' })
  await world.server.container.notices.settled()
  expect(receiver.inbox.unread).toEqual([])
})

test('a notifier that is deleted leaves its groups, and saving it again brings it back nowhere', async () => {
  const [kept, gone] = [await create(root, 'notification', hook()), await create(root, 'notification', hook())]
  const group = await create(root, 'notification-group', { name: 'ops', notifications: [kept, gone] })
  await root.api('POST', 'batch-delete/notification', [gone])
  const members = async () => (await groupsOf(root)).find((one) => one.group.id === group)!.notifications
  expect(await members()).toEqual([kept])
  await root.api('PATCH', `notification/${kept}`, hook({ url: '' }))
  await world.restart()
  root = await world.login()
  expect(await members()).toEqual([kept])
})

test('issue 36.38 a template arrives as its receiver wants it, or is refused when it is saved', async () => {
  const send = async (fields: object) => {
    const id = await create(root, 'notification', hook({ request_method: 2, ...fields }))
    await root.api('POST', `notification/${id}/test`, {})
    return receiver.inbox.next()
  }
  const path = await send({ url: `${receiver.origin}/KEY/#NEZHA#?q=#NEZHA#`, request_body: '#NEZHA# "as it is"' })
  expect(path.url).toBe('/KEY/a%20test%20message?q=a+test+message')
  expect([path.headers['content-type'], path.body]).toEqual(['text/plain; charset=utf-8', 'a test message "as it is"'])
  const titled = await send({ request_header: '{"Title":"#NEZHA#"}', request_body: '{"t":"#NEZHA#"}' })
  expect([titled.headers.title, titled.headers['content-type']]).toEqual(['a test message', 'application/json'])

  const broken = hook({ request_method: 2, request_body: '{\n"text":"#NEZHA#\n#DATETIME#"}' })
  expect(await errorOf(root, 'POST', 'notification', broken)).toBe('request_body 2:16 must be JSON')
  const id = await create(root, 'notification', hook({ request_method: 2, request_body: '{"a":"#NEZHA#"}' }))
  expect(await errorOf(root, 'PATCH', `notification/${id}`, broken)).toBe('request_body 2:16 must be JSON')
})

test('issue 36.38 an answer 200 whose body says failure is a failure', async () => {
  const id = await create(root, 'notification', hook({ request_method: 2, request_body: '{"msgtype":"text"}' }))
  receiver.answers = { body: '{"errcode":310000,"errmsg":"keywords not in content"}' }
  try {
    expect(await errorOf(root, 'POST', `notification/${id}/test`, {})).toContain('its body says errcode 310000')
    const rows = (await root.api('GET', `notification?id=${id}`)) as { last_error: string }[]
    expect(rows[0]!.last_error).toContain('errcode 310000')
    receiver.answers = { body: '{"errcode":0}' }
    await root.api('POST', `notification/${id}/test`, {})
  } finally {
    receiver.answers = 200
  }
})
