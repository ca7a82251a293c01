import { AppError } from '@qd/core/errors'
import { notificationGroup } from '@qd/core/resources'
import type { Db } from '../db/schema.ts'
import type { Accounts, NotificationGroupRow, NotificationRow, Records } from '../rows.ts'
import type { Clock } from '../services.ts'
import { texts } from '../texts.ts'
import { groupTable } from './group-table.ts'
import { byId, createRecords, type MutableRecords } from './records.ts'
import { createStore, type ResourceStore, type Surroundings } from './store.ts'

const persist = groupTable<NotificationGroupRow>('notification_groups', {
  table: 'notification_group_members',
  column: 'notification_id',
  field: 'notifications',
})

/** Loads all groups with their members. */
export function createNotificationGroups(parts: {
  db: Db
  clock: Clock
}): Promise<MutableRecords<NotificationGroupRow>> {
  return createRecords<NotificationGroupRow>({ ...parts, persist, compare: byId })
}

/** The store behind the group routes. */
export function createNotificationGroupStore(
  parts: { groups: MutableRecords<NotificationGroupRow>; notifications: Records<NotificationRow> },
  around: Surroundings,
): ResourceStore {
  const { groups, notifications } = parts
  return createStore<NotificationGroupRow>(
    {
      resource: notificationGroup,
      records: groups,
      fieldsOf: ({ name, notifications: members }) => ({ name, notifications: members }),
      omit: [],
      check(input, owner) {
        const all = around.accounts.isAdmin(owner)
        const bad = (input.notifications as readonly number[]).filter((id) => {
          const row = notifications.find(id)
          return row === undefined || !(all || row.owner_id === owner)
        })
        if (bad.length === 0) return
        const problem = { field: 'notifications', code: 'unknownReference', params: { ids: bad } } as const
        throw new AppError('invalid', { text: texts.notifierIds }, { problems: [problem] })
      },
    },
    around,
  )
}

/** A record may only tell a group that exists and that its owner may use; 0 is none (contract engines 1.9). Errors: `invalid`, `forbidden`. */
export function checkGroup(
  id: number,
  {
    owner,
    notificationGroups,
    accounts,
    field = 'notification_group_id',
  }: { owner: number; notificationGroups: Records<NotificationGroupRow>; accounts: Accounts; field?: string },
): void {
  if (id === 0) return
  const group = notificationGroups.find(id)
  if (!group) {
    throw new AppError(
      'invalid',
      { text: `notification group id ${id} does not exist` },
      { problems: [{ field, code: 'unknownReference', params: { ids: [id] } }] },
    )
  }
  if (!accounts.isAdmin(owner) && group.owner_id !== owner) throw new AppError('forbidden', { text: texts.permission })
}
