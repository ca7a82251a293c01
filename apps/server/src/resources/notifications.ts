import type { Db } from '../db/schema.ts'
import type { NotificationRecords, NotificationRow } from '../rows.ts'
import type { Clock } from '../services.ts'
import { byId, createRecords, type MutableRecords } from './records.ts'
import { tableOf } from './table.ts'

/** Notifiers as stores and engines see them. */
export type MutableNotifications = MutableRecords<NotificationRow> & NotificationRecords

/** Loads all notifiers. */
export async function createNotifications(parts: { db: Db; clock: Clock }): Promise<MutableNotifications> {
  const persist = tableOf<NotificationRow>('notifications', { flags: ['verify_tls', 'format_metric_units'], json: {} })
  const records = await createRecords<NotificationRow>({ ...parts, persist, compare: byId })
  return {
    ...records,
    sent: (id, { at, error }) => records.patch(id, { last_sent_at: at, last_error: error }),
  }
}
