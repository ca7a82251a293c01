import type { Flag, Millis, Stored } from './schema.ts'

/** Where messages go. */
export interface NotificationsTable extends Stored {
  name: string
  url: string
  request_method: number
  request_type: number
  request_header: string
  request_body: string
  verify_tls: Flag
  format_metric_units: Flag
  last_sent_at: Millis | null
  /** Why the newest message was not taken; empty where it was. */
  last_error: string
}

/** Named sets of notifiers. */
export interface NotificationGroupsTable extends Stored {
  name: string
}

/** Which notifiers are in which group. */
export interface NotificationGroupMembersTable {
  group_id: number
  notification_id: number
}
