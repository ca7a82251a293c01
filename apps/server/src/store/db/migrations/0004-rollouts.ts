import type { AnyDb } from '../columns.ts'

/** What runs that send little by little, and updates that outlive the server, need to be remembered by. */
export async function rollouts(db: AnyDb): Promise<void> {
  await db.schema.alterTable('runs').addColumn('rollout', 'text').execute()
  await db.schema.alterTable('runs').addColumn('deadline_ms', 'bigint').execute()
  await db.schema
    .alterTable('run_items')
    .addColumn('version_before', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
}
