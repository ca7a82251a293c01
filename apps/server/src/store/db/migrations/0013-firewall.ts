import { type AnyDb, createTable, type Engine, primary } from '../columns.ts'

/** Blocks by an administrator say why and until when; what `unblock` lifted beside a running server is told to it. */
export async function firewall(db: AnyDb, engine: Engine): Promise<void> {
  await db.schema
    .alterTable('waf')
    .addColumn('note', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema.alterTable('waf').addColumn('blocked_until', 'bigint').execute()
  await createTable(db, engine, 'waf_unblocked').text('ip', primary).create()
}
