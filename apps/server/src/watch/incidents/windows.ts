import { WatchCover } from '@qd/core/schemas'
import type { Base } from '../../base.ts'
import type { LiveStore, Maintenance } from '../../fleet/live/live-store.ts'
import type { Engine } from '../../kernel/engine.ts'
import type { MaintenanceWindowRow, ServerRow } from '../../store/records/rows.ts'
import type { IncidentRow } from './incident.ts'

const longestMs = 3_600_000
const announcedMs = 7 * 86_400_000

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
    for (const row of servers.all()) live.maintain(row.id, windows.of(row, now))
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
        servers.onChange(({ after }) => after && live.maintain(after.id, windows.of(after, clock.now()))),
      )
    },
    async stop() {
      cancel()
      for (const stop of stops) stop()
    },
  }
}

type Subject = Pick<IncidentRow, 'source' | 'service_id' | 'server_id' | 'owner_id'>

/** Whether a window of the same owner, or of an administrator, covers the incident. */
export type InWindow = (subject: Subject, now: number) => boolean

export function createInWindow({
  maintenanceWindows,
  accounts,
}: Pick<Base, 'maintenanceWindows' | 'accounts'>): InWindow {
  return (subject, now) =>
    maintenanceWindows.all().some((window) => isActive(window, now) && isFor(window, subject, accounts))
}

function createWindowTimes({ maintenanceWindows, accounts }: Pick<Base, 'maintenanceWindows' | 'accounts'>) {
  return {
    of({ id, owner_id }: Pick<ServerRow, 'id' | 'owner_id'>, now: number): Maintenance {
      const subject = { source: 'alert-rule', service_id: 0, server_id: id, owner_id } as const
      const own = maintenanceWindows
        .all()
        .filter((window) => isFor(window, subject, accounts))
        .map(({ starts_at, ends_at }) => ({ from: Date.parse(starts_at), until: Date.parse(ends_at) }))
        .filter(({ from, until }) => until > now && from <= now + announcedMs)
        .toSorted((a, b) => a.from - b.from)
      let end = now
      for (const { from, until } of own) if (from <= end) end = Math.max(end, until)
      const next = own.find(({ from }) => from > end)
      return {
        until: end === now ? null : instant(end),
        next: next ? { from: instant(next.from), until: instant(next.until) } : null,
      }
    },
    nextTurn(now: number): number | null {
      const turns = maintenanceWindows
        .all()
        .flatMap(({ starts_at, ends_at }) => [Date.parse(starts_at), Date.parse(ends_at)])
        .filter((at) => at > now)
      return turns.length === 0 ? null : Math.min(...turns)
    },
  }
}

const instant = (at: number) => new Date(at).toISOString()

const isFor = (window: MaintenanceWindowRow, subject: Subject, accounts: Pick<Base['accounts'], 'isAdmin'>) =>
  (window.owner_id === subject.owner_id || accounts.isAdmin(window.owner_id)) && covers(window, subject)

const isActive = ({ starts_at, ends_at }: MaintenanceWindowRow, now: number) =>
  Date.parse(starts_at) <= now && now < Date.parse(ends_at)

function covers(
  { cover, servers, services }: MaintenanceWindowRow,
  { source, service_id, server_id }: Subject,
): boolean {
  if (source === 'service') return services.includes(service_id)
  return servers.includes(server_id) === (cover === WatchCover.onlyListed)
}
