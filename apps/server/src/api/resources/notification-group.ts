import { notificationGroup } from '@qd/core/resources'
import { texts } from '../../kernel/texts.ts'
import type { NotificationGroupRow } from '../../store/records/rows.ts'
import { defineEntity, type Entity } from './entity.ts'

/** Owners of groups are no secret (contract engines 1.9). */
export const notificationGroups: Entity<'notification-group', NotificationGroupRow> = defineEntity(notificationGroup, {
  table: 'notification_groups',
  members: { table: 'notification_group_members', column: 'notification_id', field: 'notifications' },
  named: { forbids: true, text: ([id]) => `notification group id ${id} does not exist` },
  rules: () => ({ texts: { 'notifications.unknownReference': () => texts.notifierIds } }),
})
