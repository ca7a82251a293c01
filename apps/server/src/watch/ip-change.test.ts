import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestBase, type TestBase } from '../../../../tests/support/server/base.ts'
import { createTestClock } from '../../../../tests/support/server/clock.ts'
import { createLiveStore } from '../fleet/live/live-store.ts'
import { createIpChange, ipChangeMessage } from './ip-change.ts'
import type { Notice } from './notices/types.ts'

describe('the message', () => {
  const on = {
    enable_ip_change_notification: true,
    enable_plain_ip_in_notification: true,
    cover: 1,
    ignored_ip_notification: [],
  }
  const v4 = { ipv4_addr: '192.0.2.1' }
  const other = { ipv4_addr: '192.0.2.2' }
  const both = { ipv4_addr: '192.0.2.1', ipv6_addr: '2001:db8::1' }
  test.each([
    ['another address', { before: v4, after: other }, {}, '192.0.2.1 => 192.0.2.2'],
    ['one that appears', { before: v4, after: both }, {}, '192.0.2.1 => 192.0.2.1/2001:db8::1'],
    ['one that vanishes', { before: both, after: v4 }, {}, '192.0.2.1/2001:db8::1 => 192.0.2.1'],
    ['masked', { before: v4, after: other }, { enable_plain_ip_in_notification: false }, '192.****.1 => 192.****.2'],
    [
      'only the listed',
      { before: v4, after: other },
      { cover: 2, ignored_ip_notification: [7] },
      '192.0.2.1 => 192.0.2.2',
    ],
    ['all but others', { before: v4, after: other }, { ignored_ip_notification: [8] }, '192.0.2.1 => 192.0.2.2'],
    ['not when it is left out', { before: v4, after: other }, { ignored_ip_notification: [7] }, null],
    ['not when it is not listed', { before: v4, after: other }, { cover: 2 }, null],
    ['not with an unknown cover', { before: v4, after: other }, { cover: 0 }, null],
    ['not when it is off', { before: v4, after: other }, { enable_ip_change_notification: false }, null],
    ['not for the first address', { before: {}, after: v4 }, {}, null],
    ['not when none is known any more', { before: v4, after: {} }, {}, null],
    ['not for the same', { before: both, after: { ...both } }, {}, null],
    ['not for an empty one', { before: v4, after: { ...v4, ipv6_addr: '' } }, {}, null],
  ])('%s', (_name, change, settings, text) => {
    expect(ipChangeMessage({ name: 'web-1', id: 7 }, change, { ...on, ...settings })).toBe(
      text && `[IP Changed] web-1, ${text}`,
    )
  })
})

describe('the watch', () => {
  let base: TestBase
  beforeEach(async () => {
    base = await createTestBase(createTestClock())
  })
  afterEach(() => base.close())

  test('tells of a change, not of the first report nor of figures', async () => {
    await base.settings.put({
      ...base.settings.get(),
      enable_ip_change_notification: true,
      ip_change_notification_group_id: 4,
    })
    const live = createLiveStore(base)
    const sent: Notice[] = []
    const send = (notice: Notice) => void sent.push(notice)
    const watch = createIpChange(base, {
      live,
      notices: { send, lift() {}, onDelivered() {}, settled: async () => {} },
    })
    await watch.start()
    const { id } = await base.addServer({ name: 'web-1' })
    live.reportGeoIp(id, { ip: { ipv4_addr: '192.0.2.1' } })
    live.reportState(id, { cpu: 1 })
    live.reportGeoIp(id, { ip: { ipv4_addr: '192.0.2.1' } })
    expect(sent).toEqual([])
    live.reportGeoIp(id, { ip: { ipv4_addr: '192.0.2.9' } })
    live.reportState(id, { cpu: 2 })
    const message = '[IP Changed] web-1, 192.****.1 => 192.****.9'
    expect(sent).toEqual([{ groupId: 4, ownerId: 0, message, serverId: null, mute: null }])
    await watch.stop()
    live.reportGeoIp(id, { ip: { ipv4_addr: '192.0.2.1' } })
    expect(sent).toHaveLength(1)
  })
})
