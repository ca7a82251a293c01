import { AppError } from '@qd/core/errors'
import { audit } from '@qd/core/resources'
import type { Caller } from '../../kernel/caller.ts'
import { type AuditRow, createAuditLog } from '../../store/records/audit.ts'
import { answerPage, type RowsWanted } from '../../store/records/pages.ts'
import { demandRight } from '../../store/records/rights.ts'
import { toInstant } from '../../store/records/wire.ts'
import type { Container } from '../container.ts'
import type { Served } from './entity.ts'
import { noRoutes, type ResourceStore, type Surroundings } from './store.ts'

export const auditRoutes: Served<'audit'> = { resource: audit, serve: createAuditStore }

function createAuditStore({ db, settings }: Container, around: Surroundings): ResourceStore {
  const log = createAuditLog(db)
  const recordOf = (row: AuditRow) => ({ ...row, at: toInstant(row.at) })

  const read = ({ viewer }: Caller) => demandRight(settings, viewer, audit, 'read')

  return {
    ...noRoutes,
    resource: audit,
    async list(caller, query) {
      read(caller)
      const source = { read: (wanted: RowsWanted) => log.list(wanted), counts: log.counts, recordOf }
      return answerPage(audit, query, { source, view: around.view(caller.viewer) })
    },
    async get(caller, id) {
      read(caller)
      const row = await log.get(id)
      if (!row) throw new AppError('notFound', { resource: 'audit', id })
      return JSON.stringify(recordOf(row))
    },
  }
}
