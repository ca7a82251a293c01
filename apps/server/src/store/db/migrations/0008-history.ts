import { type AnyDb, createTable, type Engine } from '../columns.ts'

/** On PostgreSQL also the history, which has its own file beside SQLite. */
export async function history(db: AnyDb, engine: Engine): Promise<void> {
  await createTable(db, engine, 'events').own().integer('server_id', 'at').text('kind', 'params').create()
  await db.schema.createIndex('events_server').on('events').columns(['server_id', 'id']).execute()
  await db.schema.createIndex('events_at').on('events').column('at').execute()
  await createTable(db, engine, 'event_facts')
    .primary('bigint', 'server_id')
    .integer('online', 'boot_time')
    .text('version', 'address')
    .create()
  if (engine === 'postgres') await historyTables(db, engine)
}

export async function historyTables(db: AnyDb, engine: Engine): Promise<void> {
  await createTable(db, engine, 'history_journal').own().integer('at').text('data').create()
  await createTable(db, engine, 'history_rows')
    .own()
    .integer('tier', 'service_id', 'server_id', 'at')
    .text('data')
    .builder()
    .addUniqueConstraint('history_rows_series', ['tier', 'service_id', 'server_id', 'at'])
    .execute()
  await db.schema.createIndex('history_rows_age').on('history_rows').columns(['tier', 'at']).execute()
  await createTable(db, engine, 'history_sums')
    .integer('service_id', 'span_ms', 'slot', 'up', 'down')
    .real('delay')
    .create('service_id', 'span_ms', 'slot')
}
