import { type AnyDb, addColumn } from '../columns.ts'

export async function incidentDeeds(db: AnyDb): Promise<void> {
  await addColumn(db, 'incidents', 'deeds', 'text', '[]')
}
