import { plainText } from '@qd/core/define'
import { type Held, hold, isOnline, isPressed, worstOf } from '@qd/core/resources'
import { isReported, type LiveFrame } from '@qd/core/schemas'

export interface PublicServer {
  id: number
  name: string
  note: string
  isOnline: boolean
  isKnown: boolean
  busy: Held
  /** The metric closest to its limit, in percent; null without data. */
  load: ReturnType<typeof worstOf>
  sample: Pick<LiveFrame['servers'][number], 'host' | 'state'>
  lastActive: string | null
  maintenanceUntil: string | null
  nextMaintenance: LiveFrame['servers'][number]['next_maintenance']
}

/** Maintenance hides problems from visitors. */
export function serverStateOf({ isOnline, isKnown, busy, maintenanceUntil }: PublicServer): ServerState {
  if (maintenanceUntil !== null) return 'maintenance'
  if (isOnline) return busy.is ? 'busy' : 'online'
  return isKnown ? 'offline' : 'never'
}

export type ServerState = 'offline' | 'busy' | 'maintenance' | 'online' | 'never'

export const urgency: Readonly<Record<ServerState, number>> = {
  offline: 0,
  busy: 1,
  maintenance: 2,
  online: 3,
  never: 4,
}

/** Merges a frame into the previous state: fields missing from a frame stay unchanged. */
export function toPublic(row: LiveFrame['servers'][number], now: number, before?: PublicServer): PublicServer {
  const load = isReported(row.host) ? worstOf(row) : null
  const says = load !== null && isPressed(row)
  const lastActive = row.last_active.startsWith('0001') || row.last_active === '' ? null : row.last_active
  const lastHeard = lastActive ?? row.last_seen_at ?? null
  return {
    id: row.id,
    name: plainText(row.name),
    note: row.public_note ?? before?.note ?? '',
    isOnline: isOnline({ last_active: lastActive }, now),
    isKnown: lastHeard !== null || isReported(row.host),
    load,
    sample: { host: row.host, state: row.state },
    busy: before ? hold(before.busy, says) : { is: says, against: 0 },
    lastActive: lastHeard,
    maintenanceUntil: row.maintenance_until,
    nextMaintenance: row.next_maintenance,
  }
}
