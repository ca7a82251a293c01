import { plainText } from '@qd/core/define'
import { type Held, hold, isOnline, isPressed, worstOf } from '@qd/core/resources'
import { isReported, type LiveFrame } from '@qd/core/schemas'

/** One server as a visitor sees it. */
export interface PublicServer {
  id: number
  name: string
  note: string
  isOnline: boolean
  /** It has reported once. */
  isKnown: boolean
  /** A metric is at its limit, for some frames. */
  busy: Held
  /** The metric that is nearest to its limit, in percent; null without data. */
  load: ReturnType<typeof worstOf>
  lastActive: string | null
  /** When the maintenance that it is in ends; null outside of any. */
  maintenanceUntil: string | null
}

/** How a server looks to visitors. What is planned alarms no visitor. */
export function serverStateOf({ isOnline, isKnown, busy, maintenanceUntil }: PublicServer): ServerState {
  if (maintenanceUntil !== null) return 'maintenance'
  if (isOnline) return busy.is ? 'busy' : 'online'
  return isKnown ? 'offline' : 'never'
}

export type ServerState = 'offline' | 'busy' | 'maintenance' | 'online' | 'never'

/** The order of looks where what is wrong stands first. */
export const urgency: Readonly<Record<ServerState, number>> = {
  offline: 0,
  busy: 1,
  maintenance: 2,
  online: 3,
  never: 4,
}

/** A server of a frame, after what the frame before said of it: what a frame leaves out stays as it was. */
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
    busy: before ? hold(before.busy, says) : { is: says, against: 0 },
    lastActive: lastHeard,
    maintenanceUntil: row.maintenance_until,
  }
}
