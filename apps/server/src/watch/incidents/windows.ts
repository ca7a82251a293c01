import { WatchCover } from '@qd/core/schemas'
import type { Base } from '../../base.ts'
import type { LiveStore } from '../../fleet/live/live-store.ts'
import type { Engine } from '../../kernel/engine.ts'
import type { MaintenanceWindowRow, ServerRow } from '../../store/records/rows.ts'
import type { IncidentRow } from './incident.ts'

/** Windows are looked at again after this, however far the next start or end is. */
const longestMs = 3_600_000

/** Keeps in the live state which servers are in maintenance, when a window starts or ends and when windows or servers change. */
export function createMaintenance(
  base: Pick<Base, 'clock' | 'servers' | 'maintenanceWindows' | 'accounts'>,
  live: Pick<LiveStore, 'maintain'>,
): Engine {
  const { clock, servers, maintenanceWindows } = base
  const windows = createWindowTimes(base)
  let cancel = () => {}
  const check = () => {
    cancel()
    const now = clock.now()
    for (const row of servers.all()) live.maintain(row.id, windows.untilOf(row, now))
    const next = windows.nextTurn(now)
    if (next !== null) cancel = clock.after(Math.min(longestMs, next - now), check)
  }
  const stops: (() => void)[] = []
  return {
    name: 'maintenance',
    async start() {
      check()
      stops.push(
        maintenanceWindows.onChange(check),
        servers.onChange(({ after }) => after && live.maintain(after.id, windows.untilOf(after, clock.now()))),
      )
    },
    async stop() {
      cancel()
      for (const stop of stops) stop()
    },
  }
}

/** What of an incident decides whether a window covers it. */
type Subject = Pick<IncidentRow, 'source' | 'service_id' | 'server_id' | 'owner_id'>

/** True while a maintenance window covers what an incident is about: of the same owner, or of an administrator. */
export type InWindow = (subject: Subject, now: number) => boolean

/** Looks at the windows as they are stored now. */
export function createInWindow({
  maintenanceWindows,
  accounts,
}: Pick<Base, 'maintenanceWindows' | 'accounts'>): InWindow {
  return (subject, now) =>
    maintenanceWindows.all().some((window) => isActive(window, now) && isFor(window, subject, accounts))
}

/** Maintenance of servers over time. */
interface WindowTimes {
  /** When the last of the windows ends that cover a server now; null outside of all. */
  untilOf(server: Pick<ServerRow, 'id' | 'owner_id'>, now: number): string | null
  /** Epoch ms of the next start or end of a window; null if none is to come. */
  nextTurn(now: number): number | null
}

/** Looks at the windows as they are stored now. */
function createWindowTimes({
  maintenanceWindows,
  accounts,
}: Pick<Base, 'maintenanceWindows' | 'accounts'>): WindowTimes {
  return {
    untilOf({ id, owner_id }, now) {
      const subject = { source: 'alert-rule', service_id: 0, server_id: id, owner_id } as const
      const ends = maintenanceWindows
        .all()
        .filter((window) => isActive(window, now) && isFor(window, subject, accounts))
        .map(({ ends_at }) => Date.parse(ends_at))
      return ends.length === 0 ? null : new Date(Math.max(...ends)).toISOString()
    },
    nextTurn(now) {
      const turns = maintenanceWindows
        .all()
        .flatMap(({ starts_at, ends_at }) => [Date.parse(starts_at), Date.parse(ends_at)])
        .filter((at) => at > now)
      return turns.length === 0 ? null : Math.min(...turns)
    },
  }
}

const isFor = (window: MaintenanceWindowRow, subject: Subject, accounts: Pick<Base['accounts'], 'isAdmin'>) =>
  (window.owner_id === subject.owner_id || accounts.isAdmin(window.owner_id)) && covers(window, subject)

const isActive = ({ starts_at, ends_at }: MaintenanceWindowRow, now: number) =>
  Date.parse(starts_at) <= now && now < Date.parse(ends_at)

/** A service is covered if the window lists it, a rule if the window covers its server. */
function covers(
  { cover, servers, services }: MaintenanceWindowRow,
  { source, service_id, server_id }: Subject,
): boolean {
  if (source === 'service') return services.includes(service_id)
  return servers.includes(server_id) === (cover === WatchCover.onlyListed)
}
