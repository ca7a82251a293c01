import type { AnyDb } from '../columns.ts'

export async function enrollmentTimes(db: AnyDb): Promise<void> {
  await db.schema.alterTable('servers').addColumn('enrolled_at', 'bigint').execute()
}
