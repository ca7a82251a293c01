import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestPipe, type TestPipe, told } from '../../../../../tests/support/server/incidents.ts'

let world: TestPipe
beforeEach(async () => {
  world = await createTestPipe()
})
afterEach(() => world.base.close())

describe('an incident', () => {
  test('is opened, told, runs its tasks once, repeats its notice, and is closed with the recovery', async () => {
    world.pipe.failing(world.event())
    expect(await world.doneSince()).toEqual(['incident-opened 7', 'told [Incident] web alert 1 7', 'ran 4 on 7'])
    expect(await world.newest()).toMatchObject({
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
    world.pipe.failing(world.event())
    expect(await world.doneSince()).toEqual(['told [Incident] web alert 1 7'])
    world.pipe.failing(world.event({ repeats: false }))
    expect(await world.doneSince()).toEqual([])
    await world.clock.advance(60_000)
    world.pipe.recovered(world.over())
    expect(await world.doneSince()).toEqual([
      'incident-closed 7',
      'lifted alert 1 7',
      'told [Resolved] web unmuted',
      'ran 5 on 7',
    ])
    expect(await world.newest()).toMatchObject({ state: 'closed', closed_at: world.clock.now(), runs: [40, 50] })
    expect(world.pipe.isOpen(world.event())).toBe(false)
    world.pipe.recovered(world.over())
    expect(await world.doneSince()).toEqual([])
  })

  test('without notices is recorded and runs its tasks', async () => {
    world.pipe.failing(world.event({ notify: false }))
    world.pipe.recovered(world.over({ notify: false }))
    expect(await world.doneSince()).toEqual([
      'incident-opened 7',
      'incident-closed 7',
      'lifted alert 1 7',
      'ran 4 on 7',
      'ran 5 on 7',
    ])
  })

  test('of a monitor is one, whichever server reports', async () => {
    const of = (serverId: number) => world.event({ source: 'service', serverId, mute: null, tasks: [] })
    world.pipe.failing(of(7))
    world.pipe.failing(of(8))
    expect(world.pipe.all()).toHaveLength(1)
    expect(world.pipe.isOpen({ source: 'service', sourceId: 1 })).toBe(true)
    world.pipe.recovered(of(9))
    expect(world.pipe.all()).toHaveLength(0)
  })

  test('that somebody has taken is told of no more until it is over', async () => {
    world.pipe.failing(world.event())
    world.pipe.ack(1, 'alice')
    await world.doneSince()
    world.pipe.failing(world.event())
    expect(await world.doneSince()).toEqual([])
    expect(await world.newest()).toMatchObject({
      state: 'acknowledged',
      acked_by: 'alice',
      acked_at: world.clock.now(),
    })
    world.pipe.recovered(world.over())
    expect(await world.doneSince()).toContain('told [Resolved] web unmuted')
  })

  test('that is silenced is told of again when the silence ends', async () => {
    world.pipe.failing(world.event())
    world.pipe.silence(1, world.clock.now() + 60_000, 'alice')
    await world.doneSince()
    world.pipe.failing(world.event())
    await world.clock.advance(59_000)
    expect(await world.doneSince()).toEqual([])
    expect(await world.newest()).toMatchObject({ state: 'silenced', silenced_until: world.clock.now() + 1000 })
    await world.clock.advance(1000)
    expect(await world.doneSince()).toEqual(['lifted alert 1 7', 'told [Incident] web alert 1 7'])
    expect(await world.newest()).toMatchObject({ state: 'open', silenced_until: null })
  })

  test('that ends while it is silenced ends silently; a silence that is taken back tells nothing', async () => {
    world.pipe.failing(world.event())
    await world.doneSince()
    world.pipe.silence(1, world.clock.now() + 60_000, 'alice')
    world.pipe.unsilence(1, 'alice')
    await world.doneSince()
    await world.clock.advance(120_000)
    expect(await world.doneSince()).toEqual([])
    world.pipe.silence(1, world.clock.now() + 60_000, 'alice')
    world.pipe.recovered(world.over())
    expect(await world.doneSince()).toEqual(['incident-closed 7', 'lifted alert 1 7', 'ran 5 on 7'])
  })

  test('issue 12, beyond: keeps what people did with it and what it started, notes also when it is over, over a restart', async () => {
    world.pipe.failing(world.event())
    await world.doneSince()
    await world.pipe.note(1, 'alice', 'looks like the disk')
    world.pipe.ack(1, 'alice')
    world.pipe.silence(1, world.clock.now() + 60_000, 'bob')
    world.pipe.unsilence(1, 'bob')
    world.pipe.recovered(world.over())
    await world.doneSince()
    await world.restart()
    await Promise.all([world.pipe.note(1, 'alice', 'replaced it'), world.pipe.note(1, 'bob', 'closed the ticket')])
    const { state, responses } = await world.newest()
    expect(state).toBe('closed')
    expect(responses.map(({ kind, by, text, run }) => [kind, by, text, run])).toEqual([
      ['run', '', '', 40],
      ['note', 'alice', 'looks like the disk', 0],
      ['acknowledged', 'alice', '', 0],
      ['silenced', 'bob', '', 0],
      ['unsilenced', 'bob', '', 0],
      ['run', '', '', 50],
      ['note', 'alice', 'replaced it', 0],
      ['note', 'bob', 'closed the ticket', 0],
    ])
    await expect(world.pipe.note(99, 'alice', 'nothing')).rejects.toMatchObject({ code: 'notFound' })
  })

  test('is closed without a word when its rule, or its server, is gone', async () => {
    const server = await world.base.addServer()
    world.pipe.failing(world.event())
    world.pipe.failing(world.event({ serverId: 8 }))
    world.pipe.failing(world.event({ sourceId: 2, serverId: server.id, mute: 'other' }))
    await world.doneSince()
    world.pipe.drop({ source: 'alert-rule', sourceId: 1, serverId: 8 })
    expect(world.pipe.all().map((row) => row.server_id)).toEqual([7, server.id])
    world.pipe.drop({ source: 'alert-rule', sourceId: 1 })
    await world.base.servers.remove([server.id])
    expect(world.pipe.all()).toEqual([])
    expect(await world.doneSince()).toEqual([
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
    world.base.announcements.onAnnounce(({ resource, id, ownerId }) => heard.push(`${resource} ${id} ${ownerId}`))
    world.pipe.failing(world.event())
    expect(heard).toContain(`incident 1 ${world.base.admin.id}`)
    expect(heard).toContain(`alert-rule 1 ${world.base.admin.id}`)
    expect(world.pipe.failingServers(1)).toEqual([7])
  })
})

describe('after a restart', () => {
  test('an open incident is not told of again, and ends', async () => {
    world.pipe.failing(world.event())
    await world.restart()
    expect(world.pipe.isOpen(world.event())).toBe(true)
    world.pipe.failing(world.event())
    expect(await world.doneSince()).toEqual([])
    world.pipe.recovered(world.over())
    expect(await world.doneSince()).toContain('told [Resolved] web unmuted')
    expect(await world.newest()).toMatchObject({ id: 1, state: 'closed' })
    world.pipe.failing(world.event())
    expect((await world.newest()).id).toBe(2)
  })

  test('one that lasts is told of again after a day', async () => {
    world.pipe.failing(world.event())
    await world.pipe.settled()
    await world.clock.advance(24 * 3_600_000)
    await world.restart()
    world.pipe.failing(world.event())
    expect(await world.doneSince()).toEqual(['told [Incident] web alert 1 7'])
  })

  test('one that fails in another way is told of', async () => {
    world.pipe.failing(world.event())
    await world.restart()
    world.pipe.failing(world.event({ isNew: true, message: '[Down] shop', error: 'refused' }))
    expect(await world.doneSince()).toEqual(['told [Down] shop alert 1 7'])
    expect(await world.newest()).toMatchObject({ error: 'refused' })
  })

  test('what a window or a silence owes is still owed', async () => {
    await world.addWindow()
    world.pipe.failing(world.event())
    await world.restart()
    await world.clock.advance(61_000)
    expect(await world.doneSince()).toEqual([])
    world.pipe.failing(world.event())
    expect(await world.doneSince()).toEqual(['told [Incident] web alert 1 7', 'ran 4 on 7'])
  })
})

test('a thousand at once are all stored, and others have their turn meanwhile', async () => {
  let turns = 0
  const turn = () => {
    turns += 1
    setImmediate(turn)
  }
  for (let serverId = 1; serverId <= 1000; serverId += 1) world.pipe.failing(world.event({ serverId, tasks: [] }))
  const before = turns
  turn()
  expect(await world.pipe.counts({ owner: null })).toEqual({ open: 1000 })
  expect(turns - before).toBeGreaterThan(10)
})

test('what cannot be stored is said, and stored when it can', async () => {
  await world.base.db.schema.alterTable('incidents').renameTo('gone').execute()
  world.pipe.failing(world.event())
  await world.pipe.settled()
  expect(world.base.writes.problem()).toBe('cannot write incidents')
  await world.base.db.schema.alterTable('gone').renameTo('incidents').execute()
  await world.clock.advance(1000)
  await world.pipe.settled()
  expect(world.base.writes.problem()).toBeNull()
  expect((await world.newest()).id).toBe(1)
})

test('closed incidents are kept for 90 days', async () => {
  world.pipe.failing(world.event())
  world.pipe.recovered(world.over())
  world.pipe.failing(world.event({ serverId: 8 }))
  await world.pipe.settled()
  await world.restart()
  world.clock.jump(91 * 86_400_000)
  await world.restart()
  const rows = () => world.pipe.list({ owner: null }, { options: null, limit: 10 })
  await expect.poll(async () => (await rows()).map(({ server_id }) => server_id)).toEqual([8])
})
