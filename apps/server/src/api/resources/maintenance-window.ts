import { maintenanceWindow } from '@qd/core/resources'
import { texts } from '../../kernel/texts.ts'
import type { MaintenanceWindowRow } from '../../store/records/rows.ts'
import { defineEntity, type Entity } from './entity.ts'

export const maintenanceWindows: Entity<'maintenance-window', MaintenanceWindowRow> = defineEntity(maintenanceWindow, {
  table: 'maintenance_windows',
  rules: () => ({ omit: ['note'], texts: { 'servers.unknownReference': () => texts.serverIds } }),
})
