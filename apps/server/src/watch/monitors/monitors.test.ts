import { ServiceStatus } from '@qd/core/resources'
import { beforeEach, expect, test } from 'vitest'
import { createTestMonitors, type TestMonitors } from '../../../../../tests/support/server/monitors.ts'
import type { ServiceRow } from '../../store/records/rows.ts'

let stage: TestMonitors

beforeEach(async () => {
  stage = await createTestMonitors()
  return stage.close
})

const figures = (row: ServiceRow) => stage.monitors.figuresOf(row)

test('servers without an agent are no data, never down', async () => {
  const id = await stage.server()
  await stage.base.addServer({ owner_id: stage.base.admin.id })
  const row = await stage.add()
  await stage.clock.advance(0)
  stage.answer(id)
  expect(figures(row)).toMatchObject({ status: ServiceStatus.good, delay: 10, error: '' })
})

test('a monitor that covers nobody says so', async () => {
  const row = await stage.add({ cover: 1 })
  await stage.clock.advance(0)
  expect(figures(row)).toMatchObject({ status: ServiceStatus.noData, error: 'this service covers no servers' })
  expect(stage.events).toEqual([])
})

test('one whose servers all went away says so, and tells nobody', async () => {
  const id = await stage.server()
  const row = await stage.add()
  await stage.clock.advance(0)
  stage.answer(id)
  const link = { send: () => undefined, fail: () => undefined }
  stage.hub.openTasks(id, link)
  stage.hub.closed(id, link)
  await stage.clock.advance(180_000)
  expect(figures(row)).toMatchObject({
    status: ServiceStatus.noData,
    delay: null,
    error: 'none of the servers that this service covers is online',
  })
  expect(stage.events).toEqual([])
  stage.connect(id)
  await stage.clock.advance(30_000)
  stage.answer(id)
  expect(figures(row)).toMatchObject({ status: ServiceStatus.good, error: '' })
})

test('one bad reporter among several is seen, with its name', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, stage.server))
  await stage.base.servers.update(ids[0]!, (row) => ({ ...row, name: 'lame-duck' }))
  const row = await stage.add()
  await stage.clock.advance(0)
  for (const id of ids) stage.answer(id, { ok: id !== ids[0], data: id === ids[0] ? 'no route to host' : '' })
  expect(figures(row)).toMatchObject({ status: ServiceStatus.low, error: 'lame-duck: no route to host', delay: 10 })
  expect(stage.monitors.windowOf(row.id)).toEqual({ up: 19, down: 1 })
})

test('a failure has no delay, and every accepted result is history', async () => {
  const id = await stage.server()
  const row = await stage.add()
  await stage.clock.advance(0)
  stage.answer(id, { ok: false, delay: 12, data: '\n应用错误: 404 Not Found' })
  expect(stage.points).toEqual([{ serviceId: row.id, serverId: id, at: stage.clock.now(), ok: false, delay: null }])
  expect(figures(row)).toMatchObject({ status: ServiceStatus.down, delay: null, error: 'web-1: HTTP 404 Not Found' })
})

test('the status is announced at once, other figures every 30 s at most', async () => {
  const id = await stage.server()
  const row = await stage.add({ duration: 1 })
  await stage.clock.advance(0)
  stage.answer(id)
  expect(stage.announced).toEqual([row.id])
  for (let second = 0; second < 60; second += 1) {
    await stage.clock.advance(1000)
    stage.answer(id)
  }
  expect(stage.announced).toHaveLength(3)
})

test('a check asks at once and its answer is announced at once', async () => {
  const id = await stage.server()
  const row = await stage.add({ duration: 3600 })
  await stage.clock.advance(0)
  stage.answer(id)
  await stage.clock.advance(5_000)
  stage.announced.length = 0
  expect(stage.monitors.check(row)).toBe(1)
  stage.answer(id, { delay: 99 })
  expect(stage.announced).toEqual([row.id])
  expect(figures(row).delay).toBe(99)
})

test('Q12 status, window and certificate outlive a restart, and an unchanged status says nothing', async () => {
  const id = await stage.server()
  const row = await stage.add()
  await stage.clock.advance(0)
  stage.answer(id, { data: 'R11|2027-03-01 12:00:00 +0000 UTC' })
  await stage.clock.advance(30_000)
  stage.answer(id)
  const since = figures(row).status_since
  await stage.restart()
  stage.connect(id)
  expect(figures(row)).toMatchObject({ status: ServiceStatus.good, status_since: since, cert_issuer: 'R11' })
  expect(stage.monitors.windowOf(row.id)).toEqual({ up: 2, down: 0 })
  await stage.clock.advance(30_000)
  stage.answer(id)
  expect(stage.events).toEqual([])
  await stage.clock.advance(30_000)
  stage.answer(id, { ok: false, data: 'refused' })
  expect(stage.events).toMatchObject([{ kind: 'failing', message: '[Down] shop Reporter: web-1, Error: refused' }])
})

test('trend and days: what is not known is not there', async () => {
  const row = await stage.add({ cover: 1 })
  expect(figures(row)).toMatchObject({ trend: [4, 6], up_percent: null, days: Array(30).fill(-1) })
})

test('issue 12.10: an agent that cannot ping is no result, and the service says so', async () => {
  const ids = await Promise.all([1, 2].map(stage.server))
  await stage.base.servers.update(ids[0]!, (row) => ({ ...row, name: 'lame-duck' }))
  const row = await stage.add({ type: 2, target: '192.0.2.1' })
  const missing = { ok: false, data: 'ping is not installed on this server' }
  const round = async (second: { ok?: boolean; data?: string }) => {
    await stage.clock.advance(30_000)
    stage.answer(ids[0]!, missing)
    stage.answer(ids[1]!, second)
  }
  await round({})
  await round({})
  expect(figures(row)).toMatchObject({
    status: ServiceStatus.good,
    error: 'lame-duck: ping is not installed on this server',
  })
  expect([stage.events, stage.points.map(({ serverId }) => serverId)]).toEqual([[], [ids[1], ids[1]]])
})

test.each([
  ['This server has disabled query sending', true],
  ['listen ip4:icmp 0.0.0.0: socket: operation not permitted', true],
  ['dial tcp 192.0.2.1:80: connect: connection refused', false],
])('issue 12.10: "%s" says nothing of the service: %s', async (data, isNothing) => {
  const id = await stage.server()
  const row = await stage.add()
  await stage.clock.advance(0)
  stage.answer(id, { ok: false, data })
  expect(figures(row).status).toBe(isNothing ? ServiceStatus.noData : ServiceStatus.down)
})

test('issue 12.10: a notice names the reporter that fails and its error, also where the result of another decides', async () => {
  const ids = await Promise.all([1, 2].map(stage.server))
  await stage.base.servers.update(ids[0]!, (row) => ({ ...row, name: 'lame-duck' }))
  await stage.add({ notify: true })
  await stage.clock.advance(0)
  // The failure comes first, and the success of the other closes the first round.
  stage.answer(ids[0]!, { ok: false, data: 'no route to host' })
  stage.answer(ids[1]!, {})
  expect(stage.events.at(-1)).toMatchObject({
    kind: 'failing',
    serverId: ids[0],
    error: 'no route to host',
    message: '[Down] shop Reporter: lame-duck, Error: no route to host',
  })
})
