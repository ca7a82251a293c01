import { WatchCover } from '@qd/core/schemas'
import type { Base } from '../../base.ts'
import type { MaintenanceWindowRow } from '../../records/rows.ts'
import type { IncidentRow } from './incident.ts'

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
    maintenanceWindows
      .all()
      .some(
        (window) =>
          isActive(window, now) &&
          (window.owner_id === subject.owner_id || accounts.isAdmin(window.owner_id)) &&
          covers(window, subject),
      )
}

const isActive = ({ starts_at, ends_at }: MaintenanceWindowRow, now: number) =>
  Date.parse(starts_at) <= now && now < Date.parse(ends_at)

/** Monitors are quiet where they are named, rules where their server is covered. */
function covers(
  { cover, servers, services }: MaintenanceWindowRow,
  { source, service_id, server_id }: Subject,
): boolean {
  if (source === 'service') return services.includes(service_id)
  return servers.includes(server_id) === (cover === WatchCover.onlyListed)
}
