import type { AnyDb } from '../columns.ts'

/** What was changed, and the names that the records had then. */
export async function auditChanges(db: AnyDb): Promise<void> {
  for (const [column, empty] of [
    ['names', ''],
    ['changes', '[]'],
  ] as const)
    await db.schema
      .alterTable('audit')
      .addColumn(column, 'text', (definition) => definition.notNull().defaultTo(empty))
      .execute()
}
