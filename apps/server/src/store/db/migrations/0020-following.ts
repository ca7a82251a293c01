import type { AnyDb } from '../columns.ts'

/** Records whose servers were chosen by a selection, and whether they follow it. */
export async function following(db: AnyDb): Promise<void> {
  for (const table of ['crons', 'services', 'alert_rules', 'maintenance_windows'])
    await db.schema
      .alterTable(table)
      .addColumn('chosen_by', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
      .then(() =>
        db.schema
          .alterTable(table)
          .addColumn('follows', 'bigint', (column) => column.notNull().defaultTo(0))
          .execute(),
      )
}
