import * as z from 'zod'
import { defineResource, lazy } from '../define/index.ts'
import { common, commonKinds, ids, owner, ownerKind } from '../schemas/index.ts'

const input = lazy(() => z.strictObject({ name: z.string().min(1).max(128), notifications: ids }))
const added = lazy(() => ({ ...common, owner }))

/** Null for a group without members. Source: contract http-api 3.12. */
interface GroupItem {
  group: Record<string, unknown>
  notifications: number[] | null
  owner?: unknown
}

export const notificationGroup = defineResource({
  name: 'notification-group',
  icon: 'bell',
  family: 'group',
  tab: true,
  go: 'g e',
  input,
  added,
  fields: {
    ...commonKinds,
    updated_at: { kind: 'instant', show: 'wide' },
    name: { kind: 'text', show: 'always' },
    notifications: { kind: 'refs', show: 'always', wide: true, to: 'notification', flag: true },
    owner: ownerKind,
  },
  derived: {
    rules: {
      kind: 'refs',
      short: true,
      to: 'alert-rule',
      from: (row, view) =>
        view
          .all('alert-rule')
          .filter((rule) => rule.notification_group_id === row.id)
          .map(({ id }) => id),
    },
    services: {
      kind: 'refs',
      to: 'service',
      from: (row, view) =>
        view
          .all('service')
          .filter((one) => one.notification_group_id === row.id)
          .map(({ id }) => id),
    },
  },
  columns: ['name', 'notifications', 'rules', 'services', 'updated_at'],
  search: ['notifications'],
  form: { what: ['name', 'notifications'] },
  scopes: {
    read: 'nezha:notification-group:read',
    write: 'nezha:notification-group:write',
    remove: 'nezha:notification-group:delete',
  },
  wire: {
    decode(item) {
      const { group, notifications, owner: whose } = item as GroupItem
      return { ...group, notifications, owner: whose }
    },
    encodeRow({ notifications, owner: whose, ...group }) {
      const members = notifications as readonly number[]
      return { group, notifications: members.length > 0 ? members : null, owner: whose }
    },
  },
})
