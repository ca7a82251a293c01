import { ServiceStatus } from '@qd/core/resources'
import { beforeEach, expect, test } from 'vitest'
import type { ServicePoint } from '../../history/history.ts'
import type { ServiceRow } from '../../rows.ts'
import { createHub, type Hub } from '../../rpc/hub.ts'
import type { AgentTask } from '../../services.ts'
import { createTestBase, type TestBase } from '../../testing/test-base.ts'
import { createTestClock, type TestClock } from '../../testing/test-clock.ts'
import type { IncidentEvent, Incidents } from '../incidents/types.ts'
import type { Notice } from '../notices.ts'
import { createMonitors } from './monitors.ts'
import type { Monitors } from './types.ts'

let clock: TestClock
let base: TestBase
let hub: Hub
let monitors: Monitors
/** Tasks by server. */
let sent: Map<number, AgentTask[]>
let events: (IncidentEvent & { kind: string })[]
let dropped: number[]
let notices: Notice[]
let points: ServicePoint[]
let announced: number[]

const noDay = { up: 0, down: 0, delay: null }

function build(): Monitors {
  hub = createHub(clock)
  sent = new Map()
  const incidents: Incidents = {
    failing: (event) => void events.push({ ...event, kind: 'failing' }),
    recovered: (event) => void events.push({ ...event, kind: 'recovered' }),
    drop: ({ sourceId }) => void dropped.push(sourceId),
    isOpen: () => false,
    settled: async () => undefined,
  }
  return createMonitors(base, {
    hub,
    history: {
      service: (point) => void points.push(point),
      serviceDays: () => Array.from({ length: 30 }, () => noDay),
      serviceTrend: () => [null, 4, null, 6],
    },
    incidents,
    notices: { send: (notice) => void notices.push(notice), lift: () => undefined, settled: async () => undefined },
  })
}

beforeEach(async () => {
  clock = createTestClock()
  base = await createTestBase(clock)
  ;[events, dropped, notices, points, announced] = [[], [], [], [], []]
  base.announcements.onAnnounce(({ id }) => announced.push(id))
  monitors = build()
  await monitors.engine.start()
  return async () => {
    await monitors.engine.stop()
    await base.close()
  }
})

async function server(): Promise<number> {
  const { id } = await base.addServer({ owner_id: base.admin.id })
  connect(id)
  return id
}

function connect(id: number) {
  const tasks: AgentTask[] = []
  sent.set(id, tasks)
  hub.openTasks(id, { send: (task) => void tasks.push(task), fail: () => undefined })
}

function answer(serverId: number, { ok = true, delay = 10, data = '' } = {}) {
  const task = sent.get(serverId)!.at(-1)!
  hub.result(serverId, { id: BigInt(task.id), type: BigInt(task.type), successful: ok, delay, data })
}

const add = (fields: Partial<ServiceRow> = {}) =>
  base.services.insert({
    owner_id: base.admin.id,
    name: 'shop',
    type: 3,
    target: '127.0.0.1:80',
    duration: 30,
    display_index: 0,
    cover: 0,
    skip_servers: [],
    notify: true,
    notification_group_id: 0,
    latency_notify: false,
    min_latency: 0,
    max_latency: 0,
    enable_trigger_task: false,
    fail_trigger_tasks: [],
    recover_trigger_tasks: [],
    hide_for_guest: false,
    ...fields,
  })

const figures = (row: ServiceRow) => monitors.figuresOf(row)

test('a new service is looked at at once, then once in its interval', async () => {
  const id = await server()
  await add()
  await clock.advance(0)
  expect(sent.get(id)).toHaveLength(1)
  expect(sent.get(id)![0]).toMatchObject({ type: 3, data: '127.0.0.1:80' })
  answer(id)
  await clock.advance(29_999)
  expect(sent.get(id)).toHaveLength(1)
  await clock.advance(1)
  expect(sent.get(id)).toHaveLength(2)
  expect(sent.get(id)![1]!.id).not.toBe(sent.get(id)![0]!.id)
})

test('servers without an agent are no data, never down', async () => {
  const id = await server()
  await base.addServer({ owner_id: base.admin.id })
  const row = await add()
  await clock.advance(0)
  answer(id)
  expect(figures(row)).toMatchObject({ status: ServiceStatus.good, delay: 10, error: '' })
})

test('a monitor that covers nobody says so', async () => {
  const row = await add({ cover: 1 })
  await clock.advance(0)
  expect(figures(row)).toMatchObject({ status: ServiceStatus.noData, error: 'this monitor covers no server' })
  expect(events).toEqual([])
})

test('one whose servers all went away says so, and tells nobody', async () => {
  const id = await server()
  const row = await add()
  await clock.advance(0)
  answer(id)
  const link = { send: () => undefined, fail: () => undefined }
  hub.openTasks(id, link)
  hub.closed(id, link)
  await clock.advance(180_000)
  expect(figures(row)).toMatchObject({
    status: ServiceStatus.noData,
    delay: null,
    error: 'no server that this monitor covers reports',
  })
  expect(events).toEqual([])
  connect(id)
  await clock.advance(30_000)
  answer(id)
  expect(figures(row)).toMatchObject({ status: ServiceStatus.good, error: '' })
})

test('one bad reporter among several is seen, with its name', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, server))
  await base.servers.update(ids[0]!, (row) => ({ ...row, name: 'lame-duck' }))
  const row = await add()
  await clock.advance(0)
  for (const id of ids) answer(id, { ok: id !== ids[0], data: id === ids[0] ? 'no route to host' : '' })
  expect(figures(row)).toMatchObject({ status: ServiceStatus.low, error: 'lame-duck: no route to host', delay: 10 })
  expect(monitors.windowOf(row.id)).toEqual({ up: 19, down: 1 })
})

test('a failure has no delay, and every accepted result is history', async () => {
  const id = await server()
  const row = await add()
  await clock.advance(0)
  answer(id, { ok: false, delay: 12, data: '\n应用错误: 404 Not Found' })
  expect(points).toEqual([{ serviceId: row.id, serverId: id, at: clock.now(), ok: false, delay: null }])
  expect(figures(row)).toMatchObject({ status: ServiceStatus.down, delay: null, error: 'web-1: HTTP 404 Not Found' })
})

test('the status is announced at once, other figures every 30 s at most', async () => {
  const id = await server()
  const row = await add({ duration: 1 })
  await clock.advance(0)
  answer(id)
  expect(announced).toEqual([row.id])
  for (let second = 0; second < 60; second += 1) {
    await clock.advance(1000)
    answer(id)
  }
  expect(announced).toHaveLength(3)
})

test('a check asks at once and its answer is announced at once', async () => {
  const id = await server()
  const row = await add({ duration: 3600 })
  await clock.advance(0)
  answer(id)
  await clock.advance(5_000)
  announced.length = 0
  expect(monitors.check(row)).toBe(1)
  answer(id, { delay: 99 })
  expect(announced).toEqual([row.id])
  expect(figures(row).delay).toBe(99)
})

test('an edit of the target looks again at once and forgets what the old one answered', async () => {
  const id = await server()
  const row = await add()
  await clock.advance(0)
  answer(id, { ok: false })
  expect(events.map(({ kind }) => kind)).toEqual(['failing'])
  const edited = (await base.services.update(row.id, (before) => ({ ...before, target: '127.0.0.1:81' })))!
  await clock.advance(0)
  expect(sent.get(id)!.at(-1)!.data).toBe('127.0.0.1:81')
  answer(id)
  expect(figures(edited).status).toBe(ServiceStatus.good)
  expect(events.map(({ kind }) => kind)).toEqual(['failing', 'recovered'])
})

test('an edit of the name does not disturb the rhythm', async () => {
  const id = await server()
  const row = await add()
  await clock.advance(10_000)
  answer(id)
  await base.services.update(row.id, (before) => ({ ...before, name: 'other' }))
  await clock.advance(19_999)
  expect(sent.get(id)).toHaveLength(1)
  await clock.advance(1)
  expect(sent.get(id)).toHaveLength(2)
})

test('a deleted service is dropped: no probe, no incident', async () => {
  const id = await server()
  const row = await add()
  await clock.advance(0)
  await base.services.remove([row.id])
  expect(dropped).toEqual([row.id])
  answer(id)
  await clock.advance(60_000)
  expect(points).toEqual([])
  expect(sent.get(id)).toHaveLength(1)
})

test('a server that is deleted or given away is not heard any more', async () => {
  const id = await server()
  await base.services.remove(base.services.all().map((row) => row.id))
  const row = await add({ owner_id: base.member.id })
  await base.servers.giveTo(id, base.member.id)
  await clock.advance(0)
  await base.servers.giveTo(id, base.admin.id)
  answer(id)
  expect(points).toEqual([])
  await clock.advance(30_000)
  expect(figures(row).error).toBe('this monitor covers no server')
})

test('an answer over a new connection to what was asked over the old one is dropped', async () => {
  const id = await server()
  await add()
  await clock.advance(0)
  const old = sent.get(id)!
  connect(id)
  sent.set(id, old)
  answer(id)
  expect(points).toEqual([])
})

test('a server that owes an answer is asked again when it must have given up', async () => {
  const id = await server()
  await add({ duration: 10 })
  await clock.advance(30_000)
  expect(sent.get(id)).toHaveLength(1)
  await clock.advance(10_000)
  expect(sent.get(id)).toHaveLength(2)
})

test('Q12 status, window and certificate outlive a restart, and an unchanged status says nothing', async () => {
  const id = await server()
  const row = await add()
  await clock.advance(0)
  answer(id, { data: 'R11|2027-03-01 12:00:00 +0000 UTC' })
  await clock.advance(30_000)
  answer(id)
  const since = figures(row).status_since
  await monitors.engine.stop()

  monitors = build()
  connect(id)
  await monitors.engine.start()
  expect(figures(row)).toMatchObject({ status: ServiceStatus.good, status_since: since, cert_issuer: 'R11' })
  expect(monitors.windowOf(row.id)).toEqual({ up: 2, down: 0 })
  await clock.advance(30_000)
  answer(id)
  expect(events).toEqual([])
  await clock.advance(30_000)
  answer(id, { ok: false, data: 'refused' })
  expect(events).toMatchObject([{ kind: 'failing', message: '[Down] shop Reporter: web-1, Error: refused' }])
})

test('a clock that was set, forward or back, does not stop probes', async () => {
  const id = await server()
  await add()
  await clock.advance(0)
  answer(id)
  for (const ms of [86_400_000, -2 * 86_400_000]) {
    clock.jump(ms)
    const before = sent.get(id)!.length
    await clock.advance(60_000)
    answer(id)
    expect(sent.get(id)!.length).toBeGreaterThan(before)
  }
  expect(base.lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
})

test('a thousand servers are asked in slices', async () => {
  const ids: number[] = []
  for (let count = 0; count < 500; count += 1) ids.push(await server())
  await add()
  await clock.advance(0)
  const asked = () => ids.filter((id) => sent.get(id)!.length > 0).length
  expect(asked()).toBe(200)
  await clock.advance(40)
  expect(asked()).toBe(500)
})

test('trend and days: what is not known is not there', async () => {
  const row = await add({ cover: 1 })
  expect(figures(row)).toMatchObject({ trend: [4, 6], up_percent: null, days: Array(30).fill(-1) })
})
