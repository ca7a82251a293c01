import { type AnyDb, addColumn, createTable, type Engine, primary } from '../columns.ts'

export async function firewall(db: AnyDb, engine: Engine): Promise<void> {
  await addColumn(db, 'waf', 'note', 'text', '')
  await db.schema.alterTable('waf').addColumn('blocked_until', 'bigint').execute()
  await createTable(db, engine, 'waf_unblocked').text('ip', primary).create()
}
