import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type NotifierWorld, startNotifierWorld } from '../support/notifier-world.ts'

let stage: NotifierWorld
beforeAll(async () => {
  stage = await startNotifierWorld()
})
afterAll(() => stage.close())
beforeEach(() => stage.reset())

const secrets = /header-secret|body-secret|token-in-path/

describe('S-35 what a notifier keeps to itself', () => {
  test('lists, single records and live changes have no address, header or body', async () => {
    const id = await stage.create()
    for (const path of ['notification', `notification?id=${id}`, `notification/${id}`]) {
      const { text } = await stage.root.send('GET', `/api/v1/${path}`)
      expect(text).not.toMatch(secrets)
    }
    const rows = (await stage.root.api('GET', `notification?id=${id}`)) as Record<string, unknown>[]
    expect(rows[0]).toMatchObject({
      url: '',
      request_header: '',
      request_body: '',
      host: `push.example:${stage.receiver.port}`,
      has_header: true,
      has_body: true,
      // Issue 12.9: they can be read again, without what is secret in them.
      masked_header: '{"Authorization":"••••••"}',
      masked_body: '{"text":"#NEZHA#","key":"••••••"}',
    })
    expect(await stage.alice.api('GET', `notification?id=${id}`)).toBeNull()
  })

  test('empty keeps, a value replaces, null clears; the address cannot be cleared', async () => {
    const id = await stage.create()
    const edit = (fields: object) =>
      stage.errorOf(
        stage.root,
        'PATCH',
        `notification/${id}`,
        stage.hook({ url: '', request_header: '', request_body: '', ...fields }),
      )
    expect(await edit({ name: 'renamed' })).toBeUndefined()
    expect(stage.receiver.inbox.unread).toEqual([])
    const blank = { url: '', request_header: '', request_body: '' }
    expect(await stage.errorOf(stage.root, 'POST', 'notification/try', { id, ...stage.hook(blank) })).toBeUndefined()
    const kept = await stage.receiver.inbox.next()
    expect(kept).toMatchObject({ url: '/token-in-path', body: '{"text":"a test message","key":"body-secret"}' })
    expect(kept.headers.authorization).toBe('Bearer header-secret')
    expect(await edit({ request_body: 'new #NEZHA#', request_header: null })).toBeUndefined()
    const replaced = await stage.receiver.inbox.next()
    expect(replaced.body).toBe('new a test message')
    expect(replaced.headers.authorization).toBeUndefined()
    expect(await edit({ url: null })).toMatch(/url is required/)
    expect(await stage.errorOf(stage.root, 'POST', 'notification', stage.hook({ url: '' }))).toMatch(/url is required/)
  })

  test('what was kept for one server is not sent to another, neither by a save nor by a trial', async () => {
    const id = await stage.create()
    const elsewhere = `http://other.example:${stage.receiver.port}/`
    const before = stage.receiver.inbox.unread.length
    const moved = { url: elsewhere, request_header: '', request_body: '' }
    const text = 'the stored headers and body are for another server; enter them again or clear them'
    expect(await stage.errorOf(stage.root, 'PATCH', `notification/${id}`, stage.hook(moved))).toBe(text)
    expect(
      await stage.errorOf(stage.root, 'PATCH', `notification/${id}`, stage.hook({ ...moved, skip_check: true })),
    ).toBe(text)
    expect(await stage.errorOf(stage.root, 'POST', 'notification/try', { id, ...stage.hook(moved) })).toBe(text)
    expect(stage.receiver.inbox.unread).toHaveLength(before)
    const typed = { ...moved, request_header: '{"X-Other":"1"}', request_body: null }
    expect(await stage.errorOf(stage.root, 'POST', 'notification/try', { id, ...stage.hook(typed) })).toBeUndefined()
    const { headers } = await stage.receiver.inbox.next()
    expect(headers).toMatchObject({ 'x-other': '1' })
    expect(headers.authorization).toBeUndefined()
  })

  test('a trial on the same server uses what is kept', async () => {
    const id = await stage.create()
    const body = {
      id,
      ...stage.hook({ url: `http://push.example:${stage.receiver.port}/new`, request_header: '', request_body: '' }),
    }
    const answer = (await stage.root.api('POST', 'notification/try', body)) as object
    expect(answer).toEqual({ status: 200, ms: expect.any(Number), host: `push.example:${stage.receiver.port}` })
    expect(await stage.receiver.inbox.next()).toMatchObject({
      url: '/new',
      headers: { authorization: 'Bearer header-secret' },
    })
  })

  test('somebody else’s notifier can be neither tried nor tested', async () => {
    const id = await stage.create()
    expect(await stage.errorOf(stage.alice, 'POST', 'notification/try', { id, ...stage.hook() })).toBe(
      `notification id ${id} does not exist`,
    )
    expect(await stage.errorOf(stage.alice, 'POST', `notification/${id}/test`, {})).toBe(
      `notification id ${id} does not exist`,
    )
    expect(stage.receiver.inbox.unread).toEqual([])
  })

  test('why a message was not taken says nothing of the address or of what the receiver said', async () => {
    const id = await stage.create()
    stage.receiver.answers = 500
    expect(await stage.errorOf(stage.root, 'POST', `notification/${id}/test`, {})).toBe('500@500 Internal Server Error')
    await stage.receiver.inbox.next()
    const { text } = await stage.root.send('GET', '/api/v1/notification')
    expect(text).toContain('500@500 Internal Server Error')
    expect(text).not.toMatch(/own words/)
    await stage.allow(['127.0.0.1:1'])
    const refused = await stage.create({ url: 'http://127.0.0.1:1/token-in-path' })
    expect(await stage.errorOf(stage.root, 'POST', `notification/${refused}/test`, {})).toBe(
      'connect ECONNREFUSED 127.0.0.1:1',
    )
  })
})

describe('S-25, S-26, S-27 somebody else’s notifiers and groups', () => {
  const answerOf = async (method: string, path: string, body?: unknown) =>
    (await stage.alice.send(method, `/api/v1/${path}`, { body })).text

  test('are edited, read, tested, put into groups and deleted as if they did not exist', async () => {
    const id = await stage.create()
    const group = (await stage.root.api('POST', 'notification-group', {
      name: 'root ops',
      notifications: [id],
    })) as number
    const calls: [string, (which: number) => string, object | ((which: number) => unknown)][] = [
      ['PATCH', (which) => `notification/${which}`, stage.hook({ skip_check: true })],
      ['GET', (which) => `notification/${which}`, {}],
      ['POST', (which) => `notification/${which}/test`, {}],
      ['POST', () => 'notification/try', (which: number) => ({ id: which, ...stage.hook() })],
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
      expect((await stage.root.send('GET', `/api/v1/${noun}`)).text).toContain(`"id":${which}`)
    }
    expect(stage.receiver.inbox.unread).toEqual([])
  })
})

test('one person has only so many tests under way', async () => {
  stage.receiver.answers = 'nothing'
  const trial = () => stage.errorOf(stage.root, 'POST', 'notification/try', stage.hook())
  const waiting = Array.from({ length: 4 }, trial)
  for (let count = 0; count < 4; count += 1) await stage.receiver.inbox.next()
  expect(await trial()).toMatch(/too many/)
  await stage.receiver.close()
  expect(await Promise.all(waiting)).toEqual(Array(4).fill('socket hang up'))
})
