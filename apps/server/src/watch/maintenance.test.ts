import { selectionInitial } from '@qd/core/resources'
import { WatchCover } from '@qd/core/schemas'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestFeed, type TestFeed } from '../../../../tests/support/server/feed.ts'
import { liveProtocol } from '../api/ws/live-sockets.ts'
import { createMaintenance } from './incidents/windows.ts'

let feed: TestFeed
beforeEach(async () => {
  feed = await createTestFeed()
})
afterEach(() => feed.close())

test('issue 36.31 a server knows its maintenance from its start to its end: of its owner’s windows and of administrators’', async () => {
  const { base, live, clock } = feed
  const { web, own } = await feed.threeServers()
  const engine = createMaintenance(base, live)
  await engine.start()
  const at = (ms: number) => new Date(clock.now() + ms).toISOString()
  const minute = 60_000
  const window = {
    name: 'x',
    starts_at: at(61 * minute),
    ends_at: at(62 * minute),
    cover: WatchCover.onlyListed,
    servers: [web.id, own.id],
    ...selectionInitial,
    services: [],
    note: '',
    owner_id: base.member.id,
  }
  await base.maintenanceWindows.insert(window)
  const next = { from: window.starts_at, until: window.ends_at }
  expect([live.maintenanceOf(own.id), live.maintenanceOf(web.id)]).toEqual([
    { until: null, next },
    { until: null, next: null },
  ])
  await clock.advance(61 * minute)
  // The window of a member is for the member's servers alone.
  expect([live.maintenanceOf(own.id).until, live.maintenanceOf(web.id).until]).toEqual([window.ends_at, null])
  expect(live.maintenanceOf(own.id).next).toBeNull()
  await clock.advance(minute)
  expect(live.maintenanceOf(own.id).until).toBeNull()
  await engine.stop()
})

test('issue 39 maintenance is announced a week before, the first of several, to visitors of what they see, without its name', async () => {
  const { base, live, clock } = feed
  const { web, hidden } = await feed.threeServers()
  const engine = createMaintenance(base, live)
  await engine.start()
  const day = 86_400_000
  const add = (name: string, days: number) => {
    const starts_at = new Date(clock.now() + days * day).toISOString()
    const ends_at = new Date(clock.now() + days * day + 3_600_000).toISOString()
    const window = { name, starts_at, ends_at, cover: WatchCover.onlyListed, servers: [web.id, hidden.id] }
    return base.maintenanceWindows.insert({
      ...window,
      ...selectionInitial,
      services: [],
      note: 'secret note',
      owner_id: base.admin.id,
    })
  }
  const later = await add('later', 8)
  expect(live.maintenanceOf(web.id).next).toBeNull()
  await clock.advance(day)
  const next = { from: later.starts_at, until: later.ends_at }
  expect(live.maintenanceOf(web.id).next).toEqual(next)
  const first = await add('first', 3)
  const guests = [await feed.open(null), await feed.open(null, [liveProtocol])]
  for (const guest of guests) {
    const { servers } = await guest.frame(0)
    expect(servers!.map(({ id }) => id)).not.toContain(hidden.id)
    const shown = { from: first.starts_at, until: first.ends_at }
    expect(servers!.find(({ id }) => id === web.id)).toMatchObject({ next_maintenance: shown })
    expect(JSON.stringify(servers)).not.toMatch(/"first"|secret note/)
  }
  await base.maintenanceWindows.remove([first.id])
  await clock.advance(250)
  expect(await guests[1]!.frame(1)).toMatchObject({ servers: [{ id: web.id, next_maintenance: next }] })
  await engine.stop()
})

test('issue 39 visitors get times alone, and the next window is the first one after those that follow each other now', async () => {
  const { base, live, clock } = feed
  const { web } = await feed.threeServers()
  const engine = createMaintenance(base, live)
  await engine.start()
  const at = (hours: number) => new Date(clock.now() + hours * 3_600_000).toISOString()
  const spans = [
    [at(0), at(4)],
    [at(1), at(2)],
    [at(3), at(6)],
    [`${new Date(at(8)).toUTCString()} (for customer X)`, at(9)],
  ] as const
  const next = { from: at(8), until: at(9) }
  for (const [starts_at, ends_at] of spans)
    await base.maintenanceWindows.insert({
      ...{ name: 'x', starts_at, ends_at, cover: WatchCover.onlyListed, servers: [web.id], services: [], note: '' },
      ...selectionInitial,
      owner_id: base.admin.id,
    })
  expect(live.maintenanceOf(web.id)).toEqual({ until: at(6), next })
  await engine.stop()
})
