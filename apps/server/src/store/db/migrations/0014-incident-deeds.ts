import type { AnyDb } from '../columns.ts'

/** What people did with an incident, their notes, and when its tasks were started. */
export async function incidentDeeds(db: AnyDb): Promise<void> {
  await db.schema
    .alterTable('incidents')
    .addColumn('deeds', 'text', (definition) => definition.notNull().defaultTo('[]'))
    .execute()
}
