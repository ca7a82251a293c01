import { maintenanceWindow } from '@qd/core/resources'
import type { MaintenanceWindowRow } from '../records/rows.ts'
import { texts } from '../texts.ts'
import { defineEntity, type Entity } from './entity.ts'

/** Times in which nobody is told. */
export const maintenanceWindows: Entity<'maintenance-window', MaintenanceWindowRow> = defineEntity(maintenanceWindow, {
  table: 'maintenance_windows',
  rules: () => ({ omit: ['note'], texts: { 'servers.unknownReference': () => texts.serverIds } }),
})
