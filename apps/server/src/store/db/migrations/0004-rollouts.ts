import { type AnyDb, addColumn } from '../columns.ts'

export async function rollouts(db: AnyDb): Promise<void> {
  await db.schema.alterTable('runs').addColumn('rollout', 'text').execute()
  await db.schema.alterTable('runs').addColumn('deadline_ms', 'bigint').execute()
  await addColumn(db, 'run_items', 'version_before', 'text', '')
}
