import { AppError } from '@qd/core/errors'
import { service, serviceAccepts } from '@qd/core/resources'
import { texts } from '../../kernel/texts.ts'
import type { ServiceRow } from '../../store/records/rows.ts'
import { toInstant } from '../../store/records/wire.ts'
import { byWeight, defineEntity, type Entity, storedFields } from './entity.ts'

export const services: Entity<'service', ServiceRow> = defineEntity(service, {
  table: 'services',
  compare: byWeight,
  rules: ({ monitors, announcements }) => ({
    byIds: true,
    accepts: serviceAccepts(),
    fieldsOf(row) {
      const { status_since, cert_expires_at, ...figures } = monitors.figuresOf(row)
      return {
        ...storedFields(service, row),
        ...figures,
        status_since: status_since === null ? null : toInstant(status_since),
        cert_expires_at: cert_expires_at === null ? null : toInstant(cert_expires_at),
      }
    },
    fieldsVersion: ({ id }) => monitors.versionOf(id),
    otherVersion: () => String(announcements.versionOf('service')),
    omit: ['notify', 'latency_notify', 'enable_trigger_task', 'hide_for_guest'],
    texts: {
      'type.notOption': ({ type }) =>
        `invalid service monitor type ${type}: allowed types are 1 (HTTP GET), 2 (ICMP ping), and 3 (TCP ping)`,
      'cover.notOption': () => texts.permission,
    },
    alsoRemove: async (db, rows) => {
      const ids = rows.map(({ id }) => id)
      await db.deleteFrom('service_states').where('service_id', 'in', ids).execute()
    },
    actions: {
      async check(_caller, row) {
        const asked = monitors.check(row)
        if (asked === 0) throw new AppError('agentOffline', { text: texts.nobodyReports })
        return { asked }
      },
    },
  }),
})
