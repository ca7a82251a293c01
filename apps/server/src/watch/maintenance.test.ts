import { selectionInitial } from '@qd/core/resources'
import { WatchCover } from '@qd/core/schemas'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestFeed, type TestFeed } from '../../../../tests/support/server/feed.ts'
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
  expect(live.maintenanceOf(own.id)).toBeNull()
  await clock.advance(61 * minute)
  // The window of a member is for the member's servers alone.
  expect([live.maintenanceOf(own.id), live.maintenanceOf(web.id)]).toEqual([window.ends_at, null])
  await clock.advance(minute)
  expect(live.maintenanceOf(own.id)).toBeNull()
  await engine.stop()
})
