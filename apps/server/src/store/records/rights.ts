import { type Audience, demand, grants, type Resource, Role, type TargetSelection, type Viewer } from '@qd/core/define'
import type { Accounts, Records, ServerRow } from './rows.ts'
import type { Settings } from './settings.ts'

export const fileScope = {
  read: 'nezha:server:read',
  write: 'nezha:server:write',
  delete: 'nezha:server:delete',
} as const
/** Required by file streams (contract http-api 2.6). */
export const fileScopes: readonly string[] = Object.values(fileScope)
export const historyScope = 'nezha:server:read'

/** Whether a viewer, or the owner of a record, may know what runs on hosts. Which hosts is another question (`ownsServer`). */
export function seesHosts(
  settings: Pick<Settings, 'get'>,
  { role, scopes = null }: { role: number; scopes?: Viewer['scopes'] },
): boolean {
  return (scopes === null || grants(scopes, historyScope)) && (role === Role.admin || settings.get().members_see_hosts)
}

/** Administrators own all records, others their own. */
export function owns(viewer: Viewer, row: { owner_id: number }): boolean {
  return viewer.id !== null && (viewer.role === Role.admin || row.owner_id === viewer.id)
}

/** The same for a server; also respects a token's limit to some servers. */
export function ownsServer(viewer: Viewer, row: { id: number; owner_id: number }): boolean {
  return owns(viewer, row) && (viewer.servers?.includes(row.id) ?? true)
}

/** The server with this ID, if it is the viewer's. */
export function ownServer(servers: Records<ServerRow>, viewer: Viewer, id: number): ServerRow | undefined {
  const row = servers.find(id)
  return row && ownsServer(viewer, row) ? row : undefined
}

/** Whether the viewer sees every server, so that an unknown ID may be reported as such. */
export function seesAllServers(viewer: Viewer): boolean {
  return viewer.id !== null && viewer.role === Role.admin && viewer.servers === undefined
}

/** Whether a limited token covers all targets of the record (contract http-api 2.6). `owner`: the record's. */
export function tokenCovers(
  { servers: mine }: Viewer,
  { selection, owner }: { selection: TargetSelection; owner: number },
  { accounts, servers }: { accounts: Accounts; servers: Records<ServerRow> },
): boolean {
  if (mine === undefined) return true
  if (selection.mode === 'only') return selection.servers.every((id) => mine.includes(id))
  const spared = selection.mode === 'except' ? selection.servers : []
  return servers
    .all()
    .filter((row) => accounts.isAdmin(owner) || row.owner_id === owner)
    .every(({ id }) => mine.includes(id) || spared.includes(id))
}

/** Demands role and scope. With `force_auth`, guests get only the settings. */
export function demandFor(
  settings: Settings,
  viewer: Viewer,
  resource: Resource,
  need: { audience: Audience; scope: string | null },
): void {
  const closed = need.audience === 'guest' && resource.name !== 'setting' && settings.get().force_auth
  demand(viewer, closed ? { ...need, audience: 'user' } : need)
}

export function demandRight(settings: Settings, viewer: Viewer, resource: Resource, right: keyof Resource['scopes']) {
  const { audience, scopes } = resource
  demandFor(settings, viewer, resource, {
    audience: right === 'read' ? audience.read : audience.write,
    scope: scopes[right],
  })
}
