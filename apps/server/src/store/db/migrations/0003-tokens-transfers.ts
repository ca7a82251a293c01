import { type AnyDb, createTable, type Engine, optional, unique } from '../columns.ts'

/** API tokens, transfers of ownership, and when a sign-in last proved itself by its password. */
export async function tokensAndTransfers(db: AnyDb, engine: Engine): Promise<void> {
  await createTable(db, engine, 'api_tokens')
    .record()
    .text('name')
    .text('scopes')
    .text('server_ids')
    .text('token_hash', unique)
    .integer('expires_at', optional)
    .integer('last_used_at', optional)
    .text('last_used_ip')
    .create()
  await createTable(db, engine, 'transfers')
    .record()
    .integer('server_id')
    .integer('from_user_id')
    .integer('to_user_id')
    .integer('status')
    .text('last_error')
    .integer('acked_at', optional)
    .integer('recovered_at', optional)
    .create()
  await db.schema
    .alterTable('sessions')
    .addColumn('proved_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
}
