import { type AnyDb, addColumn } from '../columns.ts'

export async function hostFacts(db: AnyDb): Promise<void> {
  for (const column of ['host', 'geoip']) await addColumn(db, 'servers', column, 'text', '{}')
}
