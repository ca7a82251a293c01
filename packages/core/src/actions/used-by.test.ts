import { expect, test } from 'vitest'
import { cronRow, serverRow, viewOf } from '../../../../tests/support/core/rows.ts'
import { alertRule, cron, notification, notificationGroup, run, server, setting } from '../resources/index.ts'
import { usedBy, usersOf } from './used-by.ts'

const rule = (id: number, values: object) => alertRule.read.parse({ id, name: `rule ${id}`, rules: [], ...values })
const named = (found: ReturnType<typeof usedBy>) =>
  found.map(({ resource, ids, through }) => [resource.name, ids, through?.name ?? null])

const view = viewOf({
  server: [serverRow({ id: 1 }), serverRow({ id: 2 })],
  cron: [cronRow({ id: 7, cover: 0, servers: [1] }), cronRow({ id: 8, cover: 1, servers: [] })],
  notification: [notification.read.parse({ id: 3, name: 'chat' })],
  'notification-group': [
    notificationGroup.read.parse({ id: 5, name: 'night', notifications: [3] }),
    notificationGroup.read.parse({ id: 6, name: 'day', notifications: [] }),
  ],
  'alert-rule': [
    rule(11, { notification_group_id: 5, fail_trigger_tasks: [7] }),
    rule(12, {
      notification_group_id: 6,
      rules: [{ type: 'cpu', max: 90, duration: 3, cover: 1, ignore: { 1: true } }],
    }),
  ],
})

test('issue 13: what names a record by a field, or among the servers it reaches, uses it', () => {
  expect(named(usedBy(server, [1], view))).toEqual([
    ['cron', [7], null],
    ['alert-rule', [12], null],
  ])
  expect(named(usedBy(cron, [7], view))).toEqual([['alert-rule', [11], null]])
  expect(usedBy(server, [2], view)).toEqual([])
})

test('issue 13: what names a group uses who is in it', () => {
  expect(named(usedBy(notification, [3], view))).toEqual([
    ['notification-group', [5], null],
    ['alert-rule', [11], 'notification-group'],
  ])
  expect(named(usedBy(notificationGroup, [5, 6], view))).toEqual([['alert-rule', [11, 12], null]])
})

test('issue 13: the settings use the group that hears of changed addresses', () => {
  const settings = setting.read.parse({ id: 1, site_name: 'Quarterdeck', ip_change_notification_group_id: 6 })
  const known = viewOf({ setting: [settings], 'notification-group': view.all('notification-group') })
  expect(named(usedBy(notificationGroup, [6], known))).toEqual([['setting', [1], null]])
  expect(usedBy(notificationGroup, [5], known)).toEqual([])
})

test('issue 13: the lists that it looks at are named beforehand', () => {
  expect(usersOf(notification).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['notification-group', 'alert-rule', 'service', 'cron']),
  )
  expect(usersOf(run)).toEqual([])
})
