import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MaintenanceWindowRow } from '../../rows.ts'
import { createTestBase, type TestBase } from '../../testing/test-base.ts'
import { createTestClock, type TestClock } from '../../testing/test-clock.ts'
import type { Notice } from '../notices.ts'
import { createIncidents, type IncidentPipe } from './incidents.ts'
import type { IncidentEvent } from './types.ts'

let clock: TestClock
let base: TestBase
let pipe: IncidentPipe
/** What was done, in order: `told …`, `lifted …`, `ran …`, events by kind. */
let done: string[]

const told = { notification_id: 5, name: 'chat', ok: true, error: '' }
const outside = () => ({
  notices: {
    send(notice: Notice) {
      done.push(`told ${notice.message} ${notice.mute ?? 'unmuted'}`)
      notice.told?.([{ ...told, at: clock.now() }])
    },
    lift: (label: string) => void done.push(`lifted ${label}`),
    settled: async () => {},
  },
  async runTriggered(ids: readonly number[], { serverId }: { serverId: number }) {
    done.push(`ran ${ids} on ${serverId}`)
    return ids.map((id) => id * 10)
  },
  events: { record: ({ kind, serverId }: { kind: string; serverId: number }) => void done.push(`${kind} ${serverId}`) },
})

beforeEach(async () => {
  clock = createTestClock()
  base = await createTestBase(clock)
  done = []
  pipe = createIncidents(base, outside())
  await pipe.engine.start()
})
afterEach(() => base.close())

const event = (fields: Partial<IncidentEvent> = {}): IncidentEvent => ({
  source: 'alert-rule',
  sourceId: 1,
  serverId: 7,
  ownerId: base.admin.id,
  name: 'cpu high',
  groupId: 3,
  notify: true,
  message: '[Incident] web',
  mute: 'alert 1 7',
  tasks: [4],
  reading: { metric: 'cpu', value: 99, limit: 90 },
  withServer: true,
  error: '',
  repeats: true,
  ...fields,
})
const over = (fields: Partial<IncidentEvent> = {}) => event({ message: '[Resolved] web', tasks: [5], ...fields })

async function restart() {
  await pipe.engine.stop()
  done = []
  pipe = createIncidents(base, outside())
  await pipe.engine.start()
}

async function newest() {
  const { rows } = await pipe.list({ owner: null, offset: 0, limit: 1 })
  return rows[0]!
}

/** What was done since the last asking. */
async function doneSince() {
  await pipe.settled()
  return done.splice(0)
}

/** A window around the present, of the admin. */
const addWindow = (fields: Partial<MaintenanceWindowRow> = {}) =>
  base.maintenanceWindows.insert({
    owner_id: base.admin.id,
    name: 'work',
    starts_at: new Date(clock.now() - 1000).toISOString(),
    ends_at: new Date(clock.now() + 60_000).toISOString(),
    cover: 1,
    servers: [7],
    services: [],
    note: '',
    ...fields,
  })

describe('an incident', () => {
  test('is opened, told, runs its tasks once, repeats its notice, and is closed with the recovery', async () => {
    pipe.failing(event())
    expect(await doneSince()).toEqual(['incident-opened 7', 'told [Incident] web alert 1 7', 'ran 4 on 7'])
    expect(await newest()).toMatchObject({
      id: 1,
      source: 'alert-rule',
      rule_id: 1,
      server_id: 7,
      state: 'open',
      reading: { metric: 'cpu', value: 99, limit: 90 },
      told: [told],
      runs: [40],
      quiet: false,
      closed_at: null,
    })
    pipe.failing(event())
    expect(await doneSince()).toEqual(['told [Incident] web alert 1 7'])
    pipe.failing(event({ repeats: false }))
    expect(await doneSince()).toEqual([])
    await clock.advance(60_000)
    pipe.recovered(over())
    expect(await doneSince()).toEqual([
      'incident-closed 7',
      'lifted alert 1 7',
      'told [Resolved] web unmuted',
      'ran 5 on 7',
    ])
    expect(await newest()).toMatchObject({ state: 'closed', closed_at: clock.now(), runs: [40, 50] })
    expect(pipe.isOpen(event())).toBe(false)
    pipe.recovered(over())
    expect(await doneSince()).toEqual([])
  })

  test('without notices is recorded and runs its tasks', async () => {
    pipe.failing(event({ notify: false }))
    pipe.recovered(over({ notify: false }))
    expect(await doneSince()).toEqual([
      'incident-opened 7',
      'incident-closed 7',
      'lifted alert 1 7',
      'ran 4 on 7',
      'ran 5 on 7',
    ])
  })

  test('of a monitor is one, whichever server reports', async () => {
    const of = (serverId: number) => event({ source: 'service', serverId, mute: null, tasks: [] })
    pipe.failing(of(7))
    pipe.failing(of(8))
    expect(pipe.all()).toHaveLength(1)
    expect(pipe.isOpen({ source: 'service', sourceId: 1 })).toBe(true)
    pipe.recovered(of(9))
    expect(pipe.all()).toHaveLength(0)
  })

  test('that somebody has taken is told of no more until it is over', async () => {
    pipe.failing(event())
    pipe.ack(1, 'alice')
    await doneSince()
    pipe.failing(event())
    expect(await doneSince()).toEqual([])
    expect(await newest()).toMatchObject({ state: 'acknowledged', acked_by: 'alice', acked_at: clock.now() })
    pipe.recovered(over())
    expect(await doneSince()).toContain('told [Resolved] web unmuted')
  })

  test('that is silenced is told of again when the silence ends', async () => {
    pipe.failing(event())
    pipe.silence(1, clock.now() + 60_000)
    await doneSince()
    pipe.failing(event())
    await clock.advance(59_000)
    expect(await doneSince()).toEqual([])
    expect(await newest()).toMatchObject({ state: 'silenced', silenced_until: clock.now() + 1000 })
    await clock.advance(1000)
    expect(await doneSince()).toEqual(['lifted alert 1 7', 'told [Incident] web alert 1 7'])
    expect(await newest()).toMatchObject({ state: 'open', silenced_until: null })
  })

  test('that ends while it is silenced ends silently; a silence that is taken back tells nothing', async () => {
    pipe.failing(event())
    pipe.silence(1, clock.now() + 60_000)
    pipe.unsilence(1)
    await doneSince()
    await clock.advance(120_000)
    expect(await doneSince()).toEqual([])
    pipe.silence(1, clock.now() + 60_000)
    pipe.recovered(over())
    expect(await doneSince()).toEqual(['incident-closed 7', 'lifted alert 1 7', 'ran 5 on 7'])
  })

  test('is closed without a word when its rule, or its server, is gone', async () => {
    const server = await base.addServer()
    pipe.failing(event())
    pipe.failing(event({ serverId: 8 }))
    pipe.failing(event({ sourceId: 2, serverId: server.id, mute: 'other' }))
    await doneSince()
    pipe.drop({ source: 'alert-rule', sourceId: 1, serverId: 8 })
    expect(pipe.all().map((row) => row.server_id)).toEqual([7, server.id])
    pipe.drop({ source: 'alert-rule', sourceId: 1 })
    await base.servers.remove([server.id])
    expect(pipe.all()).toEqual([])
    expect(await doneSince()).toEqual([
      'lifted alert 1 7',
      'incident-closed 8',
      'lifted alert 1 7',
      'incident-closed 7',
      'lifted other',
      `incident-closed ${server.id}`,
    ])
  })

  test('says of itself that it has changed, to who looks at it and at its rule', async () => {
    const heard: string[] = []
    base.announcements.onAnnounce(({ resource, id, ownerId }) => heard.push(`${resource} ${id} ${ownerId}`))
    pipe.failing(event())
    expect(heard).toContain(`incident 1 ${base.admin.id}`)
    expect(heard).toContain(`alert-rule 1 ${base.admin.id}`)
    expect(pipe.failingServers(1)).toEqual([7])
  })
})

describe('a maintenance window', () => {
  test('keeps quiet; what still fails after it is told and its tasks run', async () => {
    await addWindow()
    pipe.failing(event())
    pipe.failing(event())
    await clock.advance(59_000)
    expect(await doneSince()).toEqual(['incident-opened 7'])
    expect(await newest()).toMatchObject({ quiet: true, state: 'open', told: [], runs: [] })
    await clock.advance(2000)
    expect(await doneSince()).toEqual(['told [Incident] web alert 1 7', 'ran 4 on 7'])
    await clock.advance(10_000)
    expect(await doneSince()).toEqual([])
  })

  test('in which it was over again: nobody hears of it', async () => {
    await addWindow()
    pipe.failing(event())
    pipe.recovered(over())
    await clock.advance(120_000)
    expect(await doneSince()).toEqual(['incident-opened 7', 'incident-closed 7', 'lifted alert 1 7'])
  })

  test('silences repeats of what had failed before; its end is told', async () => {
    pipe.failing(event())
    await addWindow()
    await doneSince()
    pipe.failing(event())
    expect(await doneSince()).toEqual([])
    pipe.recovered(over())
    expect(await doneSince()).toContain('told [Resolved] web unmuted')
  })

  test.each<[string, Partial<MaintenanceWindowRow>, Partial<IncidentEvent>, boolean]>([
    ['a server that is not named', { servers: [8] }, {}, false],
    ['all but others', { cover: 0, servers: [8] }, {}, true],
    ['all but this', { cover: 0, servers: [7] }, {}, false],
    ['a monitor that is named', { servers: [], services: [1] }, { source: 'service' }, true],
    ['a monitor of its server', {}, { source: 'service' }, false],
    ['one that is over', { ends_at: '2026-11-20T11:59:59.500Z' }, {}, false],
    ['one that is to come', { starts_at: '2026-11-20T12:00:01Z' }, {}, false],
  ])('%s', async (_name, window, what, quiet) => {
    await addWindow(window)
    pipe.failing(event(what))
    expect((await newest()).quiet).toBe(quiet)
  })

  test('of a member does not hush the rule of somebody else, one of an admin hushes all', async () => {
    await addWindow({ owner_id: base.member.id })
    pipe.failing(event())
    expect((await newest()).quiet).toBe(false)
    await addWindow()
    pipe.failing(event({ sourceId: 2, ownerId: base.member.id }))
    expect((await newest()).quiet).toBe(true)
  })
})

describe('after a restart', () => {
  test('an open incident is not told of again, and ends', async () => {
    pipe.failing(event())
    await restart()
    expect(pipe.isOpen(event())).toBe(true)
    pipe.failing(event())
    expect(await doneSince()).toEqual([])
    pipe.recovered(over())
    expect(await doneSince()).toContain('told [Resolved] web unmuted')
    expect(await newest()).toMatchObject({ id: 1, state: 'closed' })
    pipe.failing(event())
    expect((await newest()).id).toBe(2)
  })

  test('one that lasts is told of again after a day', async () => {
    pipe.failing(event())
    await pipe.settled()
    await clock.advance(24 * 3_600_000)
    await restart()
    pipe.failing(event())
    expect(await doneSince()).toEqual(['told [Incident] web alert 1 7'])
  })

  test('one that fails in another way is told of', async () => {
    pipe.failing(event())
    await restart()
    pipe.failing(event({ isNew: true, message: '[Down] shop' }))
    expect(await doneSince()).toEqual(['told [Down] shop alert 1 7'])
  })

  test('what a window or a silence owes is still owed', async () => {
    await addWindow()
    pipe.failing(event())
    await restart()
    await clock.advance(61_000)
    expect(await doneSince()).toEqual([])
    pipe.failing(event())
    expect(await doneSince()).toEqual(['told [Incident] web alert 1 7', 'ran 4 on 7'])
  })
})

test('a thousand at once are all stored, and others have their turn meanwhile', async () => {
  let turns = 0
  const turn = () => {
    turns += 1
    setImmediate(turn)
  }
  for (let serverId = 1; serverId <= 1000; serverId += 1) pipe.failing(event({ serverId, tasks: [] }))
  const before = turns
  turn()
  expect((await pipe.list({ owner: null, offset: 0, limit: 5 })).total).toBe(1000)
  expect(turns - before).toBeGreaterThan(10)
})

test('what cannot be stored is said, and stored when it can', async () => {
  await base.db.schema.alterTable('incidents').renameTo('gone').execute()
  pipe.failing(event())
  await pipe.settled()
  expect(pipe.engine.trouble()).toBe('incidents cannot be stored')
  await base.db.schema.alterTable('gone').renameTo('incidents').execute()
  await clock.advance(1000)
  await pipe.settled()
  expect(pipe.engine.trouble()).toBeNull()
  expect((await newest()).id).toBe(1)
})

test('closed incidents are kept for 90 days', async () => {
  pipe.failing(event())
  pipe.recovered(over())
  pipe.failing(event({ serverId: 8 }))
  await pipe.settled()
  await restart()
  clock.jump(91 * 86_400_000)
  await restart()
  const { rows } = await pipe.list({ owner: null, offset: 0, limit: 10 })
  expect(rows.map(({ server_id }) => server_id)).toEqual([8])
})
