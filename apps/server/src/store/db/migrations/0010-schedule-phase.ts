import { type AnyDb, addColumn } from '../columns.ts'

/** The start of a schedule's phase; so far the task's last change. */
export async function schedulePhase(db: AnyDb): Promise<void> {
  await addColumn(db, 'crons', 'schedule_set_at', 'bigint', 0)
  await db
    .updateTable('crons')
    .set((row) => ({ schedule_set_at: row.ref('updated_at') }))
    .execute()
}
