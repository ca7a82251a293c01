import { type AnyDb, addColumn } from '../columns.ts'

export async function auditChanges(db: AnyDb): Promise<void> {
  await addColumn(db, 'audit', 'names', 'text', '')
  await addColumn(db, 'audit', 'changes', 'text', '[]')
}
