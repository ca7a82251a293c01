import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type NotifierWorld, startNotifierWorld } from '../support/notifier-world.ts'

let stage: NotifierWorld
beforeAll(async () => {
  stage = await startNotifierWorld()
})
afterAll(() => stage.close())
beforeEach(() => stage.reset())

describe('S-43 what a message is made of', () => {
  const told = async (fields: object, message: string) => {
    const id = await stage.create(fields)
    const group = await stage.root.api('POST', 'notification-group', { name: 'all', notifications: [id] })
    const { notices } = stage.world.server.container
    notices.send({ groupId: group as number, message, ownerId: 0, serverId: null, mute: null })
    return stage.receiver.inbox.next()
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
    const url = `http://push.example:${stage.receiver.port}/?q=#NEZHA#&r=1`
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
    const id = await stage.create({ request_body: '#NEZHA#'.repeat(9000) })
    const group = (await stage.root.api('POST', 'notification-group', { name: 'much', notifications: [id] })) as number
    const { notices } = stage.world.server.container
    const results = await new Promise<readonly { error: string }[]>((done) =>
      notices.send({
        groupId: group,
        message: 'x'.repeat(1_000_000),
        ownerId: 0,
        serverId: null,
        mute: null,
        onDelivered: done,
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
    expect(
      await stage.errorOf(stage.root, 'POST', 'notification', stage.hook({ request_header, skip_check: true })),
    ).toBe('wrong type')
  })
})
