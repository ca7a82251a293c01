import type { AnyDb } from '../columns.ts'

export async function targetNames(db: AnyDb) {
  for (const table of ['crons', 'services', 'alert_rules', 'maintenance_windows'])
    await db.schema.alterTable(table).renameColumn('chosen_by', 'server_query').execute()
  await db.schema.alterTable('incidents').renameColumn('deeds', 'responses').execute()
}
