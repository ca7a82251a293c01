import { expect, test } from 'vitest'
import { createWorld } from '../../../../tests/support/core/store.ts'
import { createLive$, createRecords$, createRemembered, createView } from './index.ts'

const settled = () => new Promise((resolve) => setTimeout(resolve))

test('a list says why the feed is lost, and all that were asked for are read again when it is back', async () => {
  const { ports, client, sockets, route, calls, pass } = createWorld()
  const records = createRecords$({ client, clock: ports, remembered: createRemembered(ports) })
  const live = createLive$({ ports, baseUrl: 'http://fleet', client, records, view: () => view })
  const view = createView({ records, live, supports: () => true })
  const frame = JSON.stringify({ now: ports.now(), online: 1, servers: [] })
  const closes = async () => {
    sockets.at(-1)!.close(1006, '')
    live.retryNow()
    await settled()
  }
  const afterASecond = async () => {
    pass(1000)
    await settled()
  }
  route('GET server', [])
  route('GET cron', [])
  await Promise.all([records.load('server'), records.load('cron')])
  live.start()
  await settled()
  sockets.at(-1)!.message(frame)
  route('GET server', { error: 'database error' })
  await closes()
  await closes()
  await afterASecond()
  expect(records.list$('server').peek()).toMatchObject({
    status: 'failed',
    error: { params: { text: 'database error' } },
  })
  route('GET server', [])
  const before = calls().length
  sockets.at(-1)!.message(frame)
  await afterASecond()
  expect(calls().slice(before).sort()).toEqual(['GET cron', 'GET server'])
  expect(records.list$('server').peek()).toMatchObject({ status: 'ready', error: null })
  live.stop()
})
