import { AppError } from '@qd/core/errors'
import { service, serviceAccepts } from '@qd/core/resources'
import type { Db } from '../db/schema.ts'
import type { Monitors } from '../jobs/monitors/types.ts'
import type { CronRow, NotificationGroupRow, Records, ServiceRow } from '../rows.ts'
import type { Clock } from '../services.ts'
import { texts } from '../texts.ts'
import { checkTasks } from './check-tasks.ts'
import { checkGroup } from './notification-groups.ts'
import { createRecords, type MutableRecords } from './records.ts'
import { checkServers } from './server-groups.ts'
import { createStore, type ResourceStore, type Surroundings, toInstant } from './store.ts'
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

/** What the store works with besides its surroundings. */
interface ServiceParts {
  services: MutableRecords<ServiceRow>
  crons: Records<CronRow>
  notificationGroups: Records<NotificationGroupRow>
  monitors: Monitors
  /** Rises where the figures of any service would answer otherwise. */
  figuresVersion(): number
}

/** The store behind the routes of monitored services. */
export function createServiceStore(
  { services, crons, notificationGroups, monitors, figuresVersion }: ServiceParts,
  around: Surroundings,
): ResourceStore {
  const { accounts } = around
  return createStore<ServiceRow>(
    {
      resource: service,
      records: services,
      byIds: true,
      accepts: serviceAccepts,
      fieldsOf(row) {
        const { id: _id, owner_id: _owner, created_at: _created, updated_at: _updated, ...fields } = row
        const { status_since, cert_expires_at, ...figures } = monitors.figuresOf(row)
        return {
          ...fields,
          ...figures,
          status_since: status_since === null ? null : toInstant(status_since),
          cert_expires_at: cert_expires_at === null ? null : toInstant(cert_expires_at),
        }
      },
      fieldsVersion: ({ id }) => monitors.versionOf(id),
      otherVersion: () => String(figuresVersion()),
      omit: ['notify', 'latency_notify', 'enable_trigger_task', 'hide_for_guest'],
      texts: {
        'type.notOption': ({ type }) =>
          `invalid service monitor type ${type}: allowed types are 1 (HTTP GET), 2 (ICMP ping), and 3 (TCP ping)`,
        'cover.notOption': () => texts.permission,
      },
      check(input, owner, viewer) {
        checkServers(
          input.skip_servers as readonly number[],
          { owner, ...around, field: 'skip_servers' },
          texts.permission,
        )
        checkTasks(input, { viewer, owner, crons, accounts })
        checkGroup(input.notification_group_id as number, { owner, notificationGroups, accounts })
      },
      alsoRemove: async (db, ids) => {
        await db
          .deleteFrom('service_states')
          .where('service_id', 'in', [...ids])
          .execute()
      },
      actions: {
        async check(_caller, row) {
          const asked = monitors.check(row)
          if (asked === 0) throw new AppError('agentOffline', { text: texts.nobodyReports })
          return { asked }
        },
      },
    },
    around,
  )
}
