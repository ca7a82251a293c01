import { type Action, Role, type Viewer } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { incident } from '@qd/core/resources'
import { readArgs } from '../../store/records/input.ts'
import { answerPage, type RowsWanted, sourceOf } from '../../store/records/pages.ts'
import { demandFor, demandRight, owns } from '../../store/records/rights.ts'
import { ownerItem, toInstant } from '../../store/records/wire.ts'
import type { IncidentRow } from '../../watch/incidents/incident.ts'
import type { Container } from '../container.ts'
import type { Served } from './entity.ts'
import { noRoutes, type ResourceStore, refuseBlocked, type Surroundings } from './store.ts'

export const incidentRoutes: Served<'incident'> = { resource: incident, serve: createIncidentStore }

function createIncidentStore({ incidents, services }: Container, around: Surroundings): ResourceStore {
  const { accounts, settings, servers, clock, view } = around
  function publicOf(row: IncidentRow) {
    const { id, source, rule_id, service_id, server_id, name, state, reading, quiet } = row
    return {
      ...{ id, source, rule_id, service_id, server_id, name, state, reading, quiet },
      created_at: toInstant(row.created_at),
      updated_at: toInstant(row.updated_at),
      opened_at: toInstant(row.created_at),
      closed_at: toInstant(row.closed_at),
      silenced_until: toInstant(row.silenced_until),
    }
  }

  function recordOf(row: IncidentRow) {
    return {
      ...publicOf(row),
      error: row.error,
      acked_by: row.acked_by,
      acked_at: toInstant(row.acked_at),
      told: row.told.map((part) => ({ ...part, at: toInstant(part.at) })),
      runs: row.runs,
      responses: row.responses.map((response) => ({
        ...response,
        at: toInstant(response.at),
        until: response.until && toInstant(response.until),
      })),
      owner: ownerItem(accounts, row.owner_id),
    }
  }

  /** Guests don't learn which server reported a monitor. */
  function isPublic({ source, service_id, server_id }: IncidentRow): boolean {
    if (source === 'service') return services.find(service_id)?.hide_for_guest === false
    return servers.find(server_id)?.hide_for_guest === false
  }

  function publicText(row: IncidentRow) {
    const shown = publicOf(row)
    return row.source === 'service'
      ? { ...shown, server_id: 0 }
      : { ...shown, name: servers.find(row.server_id)?.name ?? '' }
  }

  const read = (viewer: Viewer) => demandRight(settings, viewer, incident, 'read')

  function isOwn(viewer: Viewer, row: IncidentRow): boolean {
    return owns(viewer, row) && (viewer.servers?.includes(row.server_id) ?? true)
  }

  async function rowFor(viewer: Viewer, id: number): Promise<IncidentRow> {
    const row = await incidents.get(id)
    if (row && isOwn(viewer, row)) return row
    throw new AppError('notFound', { resource: 'incident', id })
  }

  return {
    ...noRoutes,
    resource: incident,
    async list({ viewer }, query) {
      read(viewer)
      const seen = view(viewer)
      if (viewer.id === null) {
        const open = incidents.all().filter(isPublic)
        return answerPage(incident, query, {
          source: sourceOf(incident, open, { recordOf: publicText, view: seen }),
          view: seen,
        })
      }
      const scope = {
        owner: viewer.role === Role.admin ? null : viewer.id,
        ...(viewer.servers && { servers: viewer.servers }),
      }
      const source = {
        read: (wanted: RowsWanted) => incidents.list(scope, wanted),
        counts: () => incidents.counts(scope),
        recordOf,
      }
      return answerPage(incident, query, { source, view: seen })
    },
    async get({ viewer }, id) {
      read(viewer)
      if (viewer.id !== null) return JSON.stringify(recordOf(await rowFor(viewer, id)))
      const found = incidents.all().find((row) => row.id === id && isPublic(row))
      if (!found) throw new AppError('notFound', { resource: 'incident', id })
      return JSON.stringify(publicText(found))
    },
    async act({ viewer }, action: Action, id, body) {
      demandFor(settings, viewer, incident, action)
      const row = await rowFor(viewer, id)
      refuseBlocked(action, { resource: incident, record: recordOf(row), now: clock.now() })
      const { duration, text } = readArgs(action, body)
      const by = viewer.username
      if (action.name === 'ack') incidents.ack(id, by)
      else if (action.name === 'silence') incidents.silence(id, clock.now() + (duration as number) * 1000, by)
      else if (action.name === 'note') await incidents.note(id, by, text as string)
      else incidents.unsilence(id, by)
      return null
    },
  }
}
