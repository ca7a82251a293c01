import { type AnyDb, addColumn } from '../columns.ts'

export async function following(db: AnyDb): Promise<void> {
  for (const table of ['crons', 'services', 'alert_rules', 'maintenance_windows']) {
    await addColumn(db, table, 'chosen_by', 'text', '')
    await addColumn(db, table, 'follows', 'bigint', 0)
  }
}
