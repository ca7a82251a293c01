import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
let root: Browser
let alice: Browser
let receiver: Receiver
let asked: string[]
let addresses: Record<string, string[]>

beforeAll(async () => {
  receiver = await startReceiver()
  world = await createWorld({
    async resolve(host) {
      asked.push(host)
      return (addresses[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    },
  })
  root = await world.login()
  alice = (await world.member('alice')).browser
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})
beforeEach(async () => {
  asked = []
  addresses = { 'push.example': ['127.0.0.1'], 'other.example': ['127.0.0.1'] }
  receiver.answers = 200
  await allow([`127.0.0.1:${receiver.port}`])
})

async function allow(outbound_allowlist: readonly string[]): Promise<void> {
  const { settings } = world.server.services
  const { put } = settings as unknown as { put(values: object): Promise<void> }
  await put({ ...settings.get(), outbound_allowlist })
}

const hook = (fields: object = {}) => ({
  name: 'hook',
  url: `http://push.example:${receiver.port}/token-in-path`,
  request_method: 2,
  request_type: 1,
  request_header: '{"Authorization":"Bearer header-secret"}',
  request_body: '{"text":"#NEZHA#","key":"body-secret"}',
  verify_tls: true,
  format_metric_units: false,
  ...fields,
})
const errorOf = async (browser: Browser, method: string, path: string, body: unknown) =>
  (await browser.send(method, `/api/v1/${path}`, { body })).body.error
const create = (fields: object = {}) =>
  root.api('POST', 'notification', hook({ skip_check: true, ...fields })) as Promise<number>
const secrets = /header-secret|body-secret|token-in-path/

describe('S-35 what a notifier keeps to itself', () => {
  test('lists, single records and live changes have no address, header or body', async () => {
    const id = await create()
    for (const path of ['notification', `notification?id=${id}`, `notification/${id}`]) {
      const { text } = await root.send('GET', `/api/v1/${path}`)
      expect(text).not.toMatch(secrets)
    }
    const rows = (await root.api('GET', `notification?id=${id}`)) as Record<string, unknown>[]
    expect(rows[0]).toMatchObject({
      url: '',
      request_header: '',
      request_body: '',
      host: `push.example:${receiver.port}`,
      has_header: true,
      has_body: true,
    })
  })

  test('empty keeps, a value replaces, null clears; the address cannot be cleared', async () => {
    const id = await create()
    const edit = (fields: object) =>
      errorOf(root, 'PATCH', `notification/${id}`, hook({ url: '', request_header: '', request_body: '', ...fields }))
    expect(await edit({})).toBeUndefined()
    const kept = await receiver.inbox.next()
    expect(kept).toMatchObject({ url: '/token-in-path', body: '{"text":"a test message","key":"body-secret"}' })
    expect(kept.headers.authorization).toBe('Bearer header-secret')
    expect(await edit({ request_body: 'new #NEZHA#', request_header: null })).toBeUndefined()
    const replaced = await receiver.inbox.next()
    expect(replaced.body).toBe('new a test message')
    expect(replaced.headers.authorization).toBeUndefined()
    expect(await edit({ url: null })).toMatch(/url is required/)
    expect(await errorOf(root, 'POST', 'notification', hook({ url: '' }))).toMatch(/url is required/)
  })

  test('what was kept for one server is not sent to another, neither by a save nor by a trial', async () => {
    const id = await create()
    const elsewhere = `http://other.example:${receiver.port}/`
    const before = receiver.inbox.unread.length
    const moved = { url: elsewhere, request_header: '', request_body: '' }
    const text = 'the stored headers and body belong to another server: type them again or clear them'
    expect(await errorOf(root, 'PATCH', `notification/${id}`, hook(moved))).toBe(text)
    expect(await errorOf(root, 'PATCH', `notification/${id}`, hook({ ...moved, skip_check: true }))).toBe(text)
    expect(await errorOf(root, 'POST', 'notification/try', { id, ...hook(moved) })).toBe(text)
    expect(receiver.inbox.unread).toHaveLength(before)
    const typed = { ...moved, request_header: '{"X-Other":"1"}', request_body: null }
    expect(await errorOf(root, 'POST', 'notification/try', { id, ...hook(typed) })).toBeUndefined()
    const { headers } = await receiver.inbox.next()
    expect(headers).toMatchObject({ 'x-other': '1' })
    expect(headers.authorization).toBeUndefined()
  })

  test('a trial on the same server uses what is kept', async () => {
    const id = await create()
    const body = {
      id,
      ...hook({ url: `http://push.example:${receiver.port}/new`, request_header: '', request_body: '' }),
    }
    const answer = (await root.api('POST', 'notification/try', body)) as object
    expect(answer).toEqual({ status: 200, ms: expect.any(Number), host: `push.example:${receiver.port}` })
    expect(await receiver.inbox.next()).toMatchObject({
      url: '/new',
      headers: { authorization: 'Bearer header-secret' },
    })
  })

  test('somebody else’s notifier can be neither tried nor tested', async () => {
    const id = await create()
    expect(await errorOf(alice, 'POST', 'notification/try', { id, ...hook() })).toBe(
      `notification id ${id} does not exist`,
    )
    expect(await errorOf(alice, 'POST', `notification/${id}/test`, {})).toBe(`notification id ${id} does not exist`)
    expect(receiver.inbox.unread).toEqual([])
  })

  test('why a message was not taken says nothing of the address or of what the receiver said', async () => {
    const id = await create()
    receiver.answers = 500
    expect(await errorOf(root, 'POST', `notification/${id}/test`, {})).toBe('500@500 Internal Server Error')
    await receiver.inbox.next()
    const { text } = await root.send('GET', '/api/v1/notification')
    expect(text).toContain('500@500 Internal Server Error')
    expect(text).not.toMatch(/own words/)
    await allow(['127.0.0.1:1'])
    const refused = await create({ url: 'http://127.0.0.1:1/token-in-path' })
    expect(await errorOf(root, 'POST', `notification/${refused}/test`, {})).toBe('connect ECONNREFUSED 127.0.0.1:1')
  })
})

describe('S-25, S-26, S-27 somebody else’s notifiers and groups', () => {
  const answerOf = async (method: string, path: string, body?: unknown) =>
    (await alice.send(method, `/api/v1/${path}`, { body })).text

  test('are edited, read, tested, put into groups and deleted as if they did not exist', async () => {
    const id = await create()
    const group = (await root.api('POST', 'notification-group', { name: 'root ops', notifications: [id] })) as number
    const calls: [string, (which: number) => string, object | ((which: number) => unknown)][] = [
      ['PATCH', (which) => `notification/${which}`, hook({ skip_check: true })],
      ['GET', (which) => `notification/${which}`, {}],
      ['POST', (which) => `notification/${which}/test`, {}],
      ['POST', () => 'notification/try', (which: number) => ({ id: which, ...hook() })],
      ['POST', () => 'notification-group', (which: number) => ({ name: 'x', notifications: [which] })],
    ]
    for (const [method, path, body] of calls) {
      const [foreign, unknown] = await Promise.all(
        [id, 999_999].map(async (which) =>
          (await answerOf(method, path(which), typeof body === 'function' ? body(which) : body)).replaceAll(
            String(which),
            'N',
          ),
        ),
      )
      expect(foreign).toBe(unknown)
      expect(foreign).not.toContain('"success":true')
    }
    const edit = { name: 'taken', notifications: [] }
    expect(await answerOf('PATCH', `notification-group/${group}`, edit)).toContain('does not exist')
    for (const noun of ['notification', 'notification-group']) {
      expect(await answerOf('GET', noun)).not.toMatch(/hook|root ops/)
      const which = noun === 'notification' ? id : group
      expect(await answerOf('POST', `batch-delete/${noun}`, [which])).toBe('{"success":true}')
      expect((await root.send('GET', `/api/v1/${noun}`)).text).toContain(`"id":${which}`)
    }
    expect(receiver.inbox.unread).toEqual([])
  })
})

describe('S-42 where a message may go', () => {
  test.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://[::1]:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://017700000001:PORT/',
    'http://127.1:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://[2002:7f00:1::]:PORT/',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/',
    'http://100.64.0.1/',
    'http://192.168.1.1/',
    'http://push.example:PORT/',
    'http://mixed.example:PORT/',
    'ftp://push.example/',
  ])('%s is refused, saved unseen or not', async (pattern) => {
    await allow([])
    Object.assign(addresses, { localhost: ['127.0.0.1'], 'mixed.example': ['93.184.216.34', '10.0.0.1'] })
    const url = pattern.replace('PORT', String(receiver.port))
    expect(await errorOf(root, 'POST', 'notification', hook({ url }))).toBe('HTTP URL target is not allowed')
    expect(await errorOf(root, 'POST', 'notification/try', hook({ url }))).toBe('HTTP URL target is not allowed')
    if (pattern.startsWith('ftp')) return
    const id = await create({ url })
    expect(await errorOf(root, 'POST', `notification/${id}/test`, {})).toBe('HTTP URL target is not allowed')
    expect(receiver.inbox.unread).toEqual([])
  })

  test('a name is looked up once, and what was checked is what is reached', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1']]
    Object.defineProperty(addresses, 'push.example', { get: () => answers.shift() })
    expect(await errorOf(root, 'POST', 'notification/try', hook())).toBeUndefined()
    expect(asked).toEqual(['push.example'])
    expect((await receiver.inbox.next()).headers.host).toBe(`push.example:${receiver.port}`)
  })

  test('a redirect is not followed', async () => {
    receiver.answers = { status: 302, location: `${receiver.origin}/inside` }
    expect(await errorOf(root, 'POST', 'notification/try', hook())).toBe('302@302 Found')
    await receiver.inbox.next()
    expect(receiver.inbox.unread).toEqual([])
  })

  test('a name that fails says so, and nothing is saved', async () => {
    const count = async () => ((await root.api('GET', 'notification')) as unknown[]).length
    const before = await count()
    expect(await errorOf(root, 'POST', 'notification', hook({ url: 'http://nowhere.example/' }))).toBe(
      'HTTP URL target is not allowed',
    )
    receiver.answers = 404
    expect(await errorOf(root, 'POST', 'notification', hook())).toBe('404@404 Not Found')
    await receiver.inbox.next()
    expect(await count()).toBe(before)
  })
})

describe('S-43 what a message is made of', () => {
  const told = async (fields: object, message: string) => {
    const id = await create(fields)
    const group = await root.api('POST', 'notification-group', { name: 'all', notifications: [id] })
    const { notices } = world.server.services
    notices.send({ groupId: group as number, message, ownerId: 0, serverId: null, mute: null })
    return receiver.inbox.next()
  }
  const nasty = 'say "hi"\\\r\nX-Injected: 1\r\n\t</script>\u2028 ü 😀'

  test('any text is one value of a JSON body, of a form and of an address', async () => {
    const json = await told({ request_body: '{"text":"#NEZHA#"}' }, nasty)
    expect(JSON.parse(json.body)).toEqual({ text: nasty })
    const form = await told({ request_type: 2, request_body: '{"text":"#NEZHA#","z":1}' }, nasty)
    expect([...new URLSearchParams(form.body)]).toEqual([
      ['text', nasty],
      ['z', '1'],
    ])
    const url = `http://push.example:${receiver.port}/?q=#NEZHA#&r=1`
    const query = await told({ request_method: 1, url }, nasty)
    expect([...new URL(query.url, 'http://x').searchParams]).toEqual([
      ['q', nasty],
      ['r', '1'],
    ])
    for (const { headers } of [json, form, query]) expect(headers['x-injected']).toBeUndefined()
  })

  test('a megabyte arrives whole', async () => {
    const message = '"\n'.repeat(524_288)
    const { body } = await told({ request_body: '{"text":"#NEZHA#"}' }, message)
    expect(JSON.parse(body)).toEqual({ text: message })
  })

  test('what would grow without end is refused, and the next message arrives', async () => {
    const id = await create({ request_body: '#NEZHA#'.repeat(100_000) })
    const group = (await root.api('POST', 'notification-group', { name: 'much', notifications: [id] })) as number
    const { notices } = world.server.services
    const results = await new Promise<readonly { error: string }[]>((done) =>
      notices.send({
        groupId: group,
        message: 'x'.repeat(1_000_000),
        ownerId: 0,
        serverId: null,
        mute: null,
        told: done,
      }),
    )
    expect(results[0]!.error).toBe('the request is too large')
    expect((await told({}, 'still here')).body).toContain('still here')
  })

  test.each([
    '{"X-Key":"a\\r\\nX-Injected: 1"}',
    '{"X-Key: a\\r\\nX-Injected":"1"}',
    '{"X-Key":"a\\u0000b"}',
    '["x"]',
    '{',
  ])('the header %s is refused', async (request_header) => {
    expect(await errorOf(root, 'POST', 'notification', hook({ request_header, skip_check: true }))).toBe('wrong type')
  })
})

test('one person has only so many tests under way', async () => {
  receiver.answers = 'nothing'
  const trial = () => errorOf(root, 'POST', 'notification/try', hook())
  const waiting = Array.from({ length: 4 }, trial)
  for (let count = 0; count < 4; count += 1) await receiver.inbox.next()
  expect(await trial()).toMatch(/too many/)
  await receiver.close()
  expect(await Promise.all(waiting)).toEqual(Array(4).fill('socket hang up'))
})
