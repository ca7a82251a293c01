import type { Db } from '../db/schema.ts'
import type { MaintenanceWindowRow } from '../rows.ts'
import type { Clock } from '../services.ts'
import { byId, createRecords, type MutableRecords } from './records.ts'
import { tableOf } from './table.ts'

/** Loads all maintenance windows. */
export function createMaintenanceWindows(parts: {
  db: Db
  clock: Clock
}): Promise<MutableRecords<MaintenanceWindowRow>> {
  const persist = tableOf<MaintenanceWindowRow>('maintenance_windows', {
    flags: [],
    json: { servers: [], services: [] },
  })
  return createRecords<MaintenanceWindowRow>({ ...parts, persist, compare: byId })
}
