import type { AnyDb } from '../columns.ts'

/** What each server last said of its machine and its address, so that one that is offline keeps them over a restart. */
export async function hostFacts(db: AnyDb): Promise<void> {
  for (const column of ['host', 'geoip'])
    await db.schema
      .alterTable('servers')
      .addColumn(column, 'text', (definition) => definition.notNull().defaultTo('{}'))
      .execute()
}
