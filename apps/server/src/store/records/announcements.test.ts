import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestFeed, type TestFeed } from '../../../../../tests/support/server/feed.ts'
import { liveProtocol } from '../../api/ws/live-sockets.ts'

let feed: TestFeed
beforeEach(async () => {
  feed = await createTestFeed()
})
afterEach(() => feed.close())

test('what an engine announces is heard by its owner and by admins, with a version that rises', async () => {
  const { base, clock } = feed
  const [admin, member] = [await feed.open('admin', [liveProtocol]), await feed.open('alice', [liveProtocol])]
  const first = (await admin.frame(0)).versions!.incident!
  await member.frame(0)
  base.announcements.announce({ resource: 'incident', id: 5, ownerId: base.admin.id })
  base.announcements.announce({ resource: 'incident', id: 6, ownerId: base.member.id })
  await clock.advance(1000)
  expect((await admin.frame(1)).records).toEqual([{ resource: 'incident', ids: [5, 6], version: first + 2 }])
  expect((await member.frame(1)).records).toEqual([{ resource: 'incident', ids: [6], version: first + 2 }])
})
