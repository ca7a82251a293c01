import { AppError } from '@qd/core/errors'
import { maintenanceWindow } from '@qd/core/resources'
import type { Db } from '../db/schema.ts'
import type { MaintenanceWindowRow, Records, ServiceRow } from '../rows.ts'
import type { Clock } from '../services.ts'
import { texts } from '../texts.ts'
import { byId, createRecords, type MutableRecords } from './records.ts'
import { checkServers } from './server-groups.ts'
import { createStore, type ResourceStore, type Surroundings } from './store.ts'
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

/** The store behind the routes of maintenance windows. */
export function createMaintenanceWindowStore(
  parts: { windows: MutableRecords<MaintenanceWindowRow>; services: Records<ServiceRow> },
  around: Surroundings,
): ResourceStore {
  const { windows, services } = parts
  const { accounts } = around
  return createStore<MaintenanceWindowRow>(
    {
      resource: maintenanceWindow,
      records: windows,
      fieldsOf: ({ id: _id, owner_id: _owner, created_at: _created, updated_at: _updated, ...fields }) => fields,
      omit: ['note'],
      check(input, owner) {
        checkServers(input.servers as readonly number[], { owner, ...around }, texts.serverIds)
        const ids = (input.services as readonly number[]).filter((id) => {
          const row = services.find(id)
          return row === undefined || !(accounts.isAdmin(owner) || row.owner_id === owner)
        })
        if (ids.length === 0) return
        const problems = [{ field: 'services', code: 'unknownReference', params: { ids } } as const]
        throw new AppError('invalid', { text: texts.permission }, { problems })
      },
    },
    around,
  )
}
