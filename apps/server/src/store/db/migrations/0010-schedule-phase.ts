import type { AnyDb } from '../columns.ts'

/** Since when the schedule of a task counts; until now that was its last change of any kind. */
export async function schedulePhase(db: AnyDb): Promise<void> {
  await db.schema
    .alterTable('crons')
    .addColumn('schedule_set_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db
    .updateTable('crons')
    .set((row) => ({ schedule_set_at: row.ref('updated_at') }))
    .execute()
}
