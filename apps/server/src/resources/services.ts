import type { Db } from '../db/schema.ts'
import type { ServiceRow } from '../rows.ts'
import type { Clock } from '../services.ts'
import { createRecords, type MutableRecords } from './records.ts'
import { tableOf } from './table.ts'

/** Loads all monitored services, in the order of the contract: greater weight first, then by id. */
export function createServices(parts: { db: Db; clock: Clock }): Promise<MutableRecords<ServiceRow>> {
  const persist = tableOf<ServiceRow>('services', {
    flags: ['notify', 'latency_notify', 'enable_trigger_task', 'hide_for_guest'],
    json: { skip_servers: [], fail_trigger_tasks: [], recover_trigger_tasks: [] },
  })
  return createRecords<ServiceRow>({
    ...parts,
    persist,
    compare: (a, b) => b.display_index - a.display_index || a.id - b.id,
  })
}
