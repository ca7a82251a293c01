import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type NotifierWorld, startNotifierWorld } from '../support/notifier-world.ts'

let stage: NotifierWorld
beforeAll(async () => {
  stage = await startNotifierWorld()
})
afterAll(() => stage.close())
beforeEach(() => stage.reset())

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
    await stage.allow([])
    Object.assign(stage.addresses, { localhost: ['127.0.0.1'], 'mixed.example': ['93.184.216.34', '10.0.0.1'] })
    const url = pattern.replace('PORT', String(stage.receiver.port))
    expect(await stage.errorOf(stage.root, 'POST', 'notification', stage.hook({ url }))).toBe(
      'HTTP URL target is not allowed',
    )
    expect(await stage.errorOf(stage.root, 'POST', 'notification/try', stage.hook({ url }))).toBe(
      'HTTP URL target is not allowed',
    )
    if (pattern.startsWith('ftp')) return
    const id = await stage.create({ url })
    expect(await stage.errorOf(stage.root, 'POST', `notification/${id}/test`, {})).toBe(
      'HTTP URL target is not allowed',
    )
    expect(stage.receiver.inbox.unread).toEqual([])
  })

  test('a name is looked up once, and what was checked is what is reached', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1']]
    Object.defineProperty(stage.addresses, 'push.example', { get: () => answers.shift() })
    expect(await stage.errorOf(stage.root, 'POST', 'notification/try', stage.hook())).toBeUndefined()
    expect(stage.asked).toEqual(['push.example'])
    expect((await stage.receiver.inbox.next()).headers.host).toBe(`push.example:${stage.receiver.port}`)
  })

  test('a redirect is not followed', async () => {
    stage.receiver.answers = { status: 302, location: `${stage.receiver.origin}/inside` }
    expect(await stage.errorOf(stage.root, 'POST', 'notification/try', stage.hook())).toBe('302@302 Found')
    await stage.receiver.inbox.next()
    expect(stage.receiver.inbox.unread).toEqual([])
  })

  test('a name that fails says so, and nothing is saved', async () => {
    const count = async () => ((await stage.root.api('GET', 'notification')) as unknown[]).length
    const before = await count()
    expect(
      await stage.errorOf(stage.root, 'POST', 'notification', stage.hook({ url: 'http://nowhere.example/' })),
    ).toBe('HTTP URL target is not allowed')
    stage.receiver.answers = 404
    expect(await stage.errorOf(stage.root, 'POST', 'notification', stage.hook())).toBe('404@404 Not Found')
    await stage.receiver.inbox.next()
    expect(await count()).toBe(before)
  })
})
