import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestPipe, type TestPipe } from '../../../../../tests/support/server/incidents.ts'
import type { MaintenanceWindowRow } from '../../store/records/rows.ts'
import type { IncidentEvent } from './incident.ts'

let world: TestPipe
beforeEach(async () => {
  world = await createTestPipe()
})
afterEach(() => world.base.close())

describe('a maintenance window', () => {
  test('keeps quiet; what still fails after it is told and its tasks run', async () => {
    await world.addWindow()
    world.pipe.failing(world.event())
    world.pipe.failing(world.event())
    await world.clock.advance(59_000)
    expect(await world.doneSince()).toEqual(['incident-opened 7'])
    expect(await world.newest()).toMatchObject({ quiet: true, state: 'open', told: [], runs: [] })
    await world.clock.advance(2000)
    expect(await world.doneSince()).toEqual(['told [Incident] web alert 1 7', 'ran 4 on 7'])
    await world.clock.advance(10_000)
    expect(await world.doneSince()).toEqual([])
  })

  test('in which it was over again: nobody hears of it', async () => {
    await world.addWindow()
    world.pipe.failing(world.event())
    world.pipe.recovered(world.over())
    await world.clock.advance(120_000)
    expect(await world.doneSince()).toEqual(['incident-opened 7', 'incident-closed 7', 'lifted alert 1 7'])
  })

  test('silences repeats of what had failed before; its end is told', async () => {
    world.pipe.failing(world.event())
    await world.addWindow()
    await world.doneSince()
    world.pipe.failing(world.event())
    expect(await world.doneSince()).toEqual([])
    world.pipe.recovered(world.over())
    expect(await world.doneSince()).toContain('told [Resolved] web unmuted')
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
    await world.addWindow(window)
    world.pipe.failing(world.event(what))
    expect((await world.newest()).quiet).toBe(quiet)
  })

  test('of a member does not hush the rule of somebody else, one of an admin hushes all', async () => {
    await world.addWindow({ owner_id: world.base.member.id })
    world.pipe.failing(world.event())
    expect((await world.newest()).quiet).toBe(false)
    await world.addWindow()
    world.pipe.failing(world.event({ sourceId: 2, ownerId: world.base.member.id }))
    expect((await world.newest()).quiet).toBe(true)
  })
})
