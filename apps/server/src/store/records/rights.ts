import { type Audience, demand, type Reach, type Resource, Role, type Viewer } from '@qd/core/define'
import type { Accounts, Records, ServerRow } from './rows.ts'
import type { Settings } from './settings.ts'

/** What calls about one file need. */
export const fileScope = {
  read: 'nezha:server:read',
  write: 'nezha:server:write',
  delete: 'nezha:server:delete',
} as const
/** Streams of files need all of these (contract http-api 2.6). */
export const fileScopes: readonly string[] = Object.values(fileScope)
/** What the history of servers needs. */
export const historyScope = 'nezha:server:read'

/** The owner decides who may change a record: admins may change all records, others their own. */
export function owns(viewer: Viewer, row: { owner_id: number }): boolean {
  return viewer.id !== null && (viewer.role === Role.admin || row.owner_id === viewer.id)
}

/** The same for a server; an API token that is limited to some reaches no other. */
export function ownsServer(viewer: Viewer, row: { id: number; owner_id: number }): boolean {
  return owns(viewer, row) && (viewer.servers?.includes(row.id) ?? true)
}

/** True if this viewer may see every server, so that an unknown id can be reported as unknown. */
export function reachesAll(viewer: Viewer): boolean {
  return viewer.id !== null && viewer.role === Role.admin && viewer.servers === undefined
}

/** A token that is limited to some servers touches nothing that reaches others (contract http-api 2.6). `owner` is whose the record is. */
export function reachesWithin(
  { servers: mine }: Viewer,
  { reach, owner }: { reach: Reach; owner: number },
  { accounts, servers }: { accounts: Accounts; servers: Records<ServerRow> },
): boolean {
  if (mine === undefined) return true
  if (reach.mode === 'only') return reach.servers.every((id) => mine.includes(id))
  const spared = reach.mode === 'except' ? reach.servers : []
  return servers
    .all()
    .filter((row) => accounts.isAdmin(owner) || row.owner_id === owner)
    .every(({ id }) => mine.includes(id) || spared.includes(id))
}

/** Demands role and scope; with `force_auth` nothing but the settings is left to guests. */
export function demandFor(
  settings: Settings,
  viewer: Viewer,
  resource: Resource,
  need: { audience: Audience; scope: string | null },
): void {
  const closed = need.audience === 'guest' && resource.name !== 'setting' && settings.get().force_auth
  demand(viewer, closed ? { ...need, audience: 'user' } : need)
}
