import { AppError } from '@qd/core/errors'
import { type IncidentRow, keyOf, keyText } from './incident.ts'
import type { IncidentEvent, IncidentKey, Incidents } from './types.ts'

/** An incident that is not over. */
export interface Open {
  row: IncidentRow
  /** The newest of its events; null until its engine has spoken after a start. */
  event: IncidentEvent | null
  readonly restored: boolean
  /** Its tasks run one lot after the other. */
  tasks: Promise<void>
}

/** The incidents that are not over, one for each thing that fails. */
export interface OpenIncidents {
  add(known: Pick<Open, 'row' | 'event' | 'restored'>): Open
  find(key: IncidentKey): Open | undefined
  /** Errors: `notFound` for one that is over or never was. */
  byId(id: number): Open
  all(): readonly Open[]
  remove(known: Open): void
}

/** None yet. */
export function createOpenIncidents(): OpenIncidents {
  const open = new Map<string, Open>()
  const keyTextOf = ({ row }: Pick<Open, 'row'>) => keyText(keyOf(row))
  return {
    add(known) {
      const added: Open = { ...known, tasks: Promise.resolve() }
      open.set(keyTextOf(added), added)
      return added
    },
    find: (key) => open.get(keyText(key)),
    byId(id) {
      const found = [...open.values()].find(({ row }) => row.id === id)
      if (!found) throw new AppError('notFound', { resource: 'incident', id })
      return found
    },
    all: () => [...open.values()],
    remove: (known) => void open.delete(keyTextOf(known)),
  }
}

/** True for an incident that goes with its rule, its monitor or its server. Pure. */
export function isGone(
  row: Pick<IncidentRow, 'source' | 'rule_id' | 'service_id' | 'server_id'>,
  { source, sourceId, serverId }: Parameters<Incidents['drop']>[0],
): boolean {
  return (
    row.source === source &&
    (source === 'service' ? row.service_id : row.rule_id) === sourceId &&
    (serverId === undefined || row.server_id === serverId)
  )
}
