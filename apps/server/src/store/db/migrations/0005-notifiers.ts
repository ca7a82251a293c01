import { type AnyDb, createTable, type Engine, optional } from '../columns.ts'

export async function notifiers(db: AnyDb, engine: Engine): Promise<void> {
  await createTable(db, engine, 'notifications')
    .record()
    .text('name')
    .text('url')
    .integer('request_method')
    .integer('request_type')
    .text('request_header')
    .text('request_body')
    .integer('verify_tls')
    .integer('format_metric_units')
    .integer('last_sent_at', optional)
    .text('last_error')
    .create()
  await createTable(db, engine, 'notification_groups').record().text('name').create()
  await createTable(db, engine, 'notification_group_members')
    .integer('group_id')
    .integer('notification_id')
    .builder()
    .addPrimaryKeyConstraint('notification_group_members_key', ['group_id', 'notification_id'])
    .execute()
}
