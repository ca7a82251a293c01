import type { AnyDb } from '../columns.ts'

export async function incidentNames(db: AnyDb) {
  await db.schema.alterTable('incidents').renameColumn('owes_notice', 'notice_pending').execute()
  await db.schema.alterTable('incidents').renameColumn('owes_tasks', 'tasks_pending').execute()
}
