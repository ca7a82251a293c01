import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestBase, type TestBase } from '../../../../../tests/support/server/base.ts'
import { createTestClock } from '../../../../../tests/support/server/clock.ts'
import { createLiveStore, type LiveStore } from '../../fleet/live/live-store.ts'
import type { OutboundAnswer, OutboundRequest } from '../../kernel/net/outbound.ts'
import { texts } from '../../kernel/texts.ts'
import { createDelivery, type Deliver, type NotifierValues } from './delivery.ts'

let base: TestBase
let live: LiveStore
let deliver: Deliver
let sent: OutboundRequest[]
let answer: OutboundAnswer

beforeEach(async () => {
  base = await createTestBase(createTestClock(Date.parse('2026-11-20T12:00:00Z')))
  live = createLiveStore(base)
  sent = []
  answer = { status: 204, reason: 'No Content' }
  const outbound = async (request: OutboundRequest) => {
    sent.push(request)
    return answer
  }
  deliver = createDelivery({ ...base, outbound, live })
})
afterEach(() => base.close())

const notifier: NotifierValues = {
  url: 'https://push.example/',
  request_method: 2,
  request_type: 1,
  request_header: '{"X-Key":"a"}',
  request_body: '#NEZHA# #SERVER.NAME# #SERVER.MEM# #DATETIME#',
  verify_tls: true,
  format_metric_units: true,
}

describe('a message', () => {
  test('is filled with the server’s newest figures and the site’s time', async () => {
    await base.settings.put({ ...base.settings.get(), time_zone: 'UTC' })
    const { id } = await base.addServer({ name: 'web-1' })
    live.reportHost(id, { mem_total: 1000 })
    live.reportState(id, { mem_used: 250 })
    const result = await deliver(notifier, { notice: 'n1', message: 'hello', serverId: id })
    expect(result).toEqual({ status: 204, ms: expect.any(Number), host: 'push.example' })
    expect(sent).toEqual([
      {
        method: 'POST',
        url: 'https://push.example/',
        headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Key': 'a', 'X-Quarterdeck-Notice': 'n1' },
        body: 'hello web-1 25.00 % 2026-11-20 12:00:00 +0000 UTC',
        verifyTls: true,
        timeoutMs: 30_000,
        readsBytes: 4096,
        mayBeCut: true,
      },
    ])
  })

  test.each([[null], [999]])('has no figures of server %s', async (serverId) => {
    await deliver(notifier, { notice: 'n1', message: 'hello', serverId })
    expect(sent[0]!.body).toContain('hello #SERVER.NAME#')
  })

  test.each([
    [{ status: 404, reason: 'Not Found' }, '404@404 Not Found'],
    [{ status: 302, reason: 'Found' }, '302@302 Found'],
    [{ status: 199, reason: '' }, '199@199 '],
  ])('answered with %j is not taken', async (given, text) => {
    answer = given
    await expect(deliver(notifier, { notice: 'n1', message: 'x', serverId: null })).rejects.toMatchObject({
      params: { text },
    })
  })

  test.each([
    [{ request_method: 9 }, texts.requestMethod],
    [{ request_type: 9 }, texts.requestType],
    [{ request_header: '[]' }, texts.wrongType],
    [{ request_type: 2, request_body: 'x' }, texts.wrongType],
    [{ request_body: '#NEZHA#'.repeat(10) }, texts.tooLarge],
  ])('of a stored notifier with %j is not sent', async (fields, text) => {
    const message = 'x'.repeat(1_000_000)
    const wanted = expect.objectContaining({ params: { text } })
    await expect(deliver({ ...notifier, ...fields }, { notice: 'n1', message, serverId: null })).rejects.toEqual(wanted)
    expect(sent).toEqual([])
  })
})
