import { grants, Role, type Viewer } from '@qd/core/define'
import { run } from '@qd/core/resources'
import type { Host } from '@qd/core/schemas'
import type { Caller } from '../../kernel/caller.ts'
import type { ServerRow } from '../../store/records/rows.ts'

/** What a viewer sees of the live metrics; sockets with the same key share frames (contract http-api 5.2). */
export interface LiveView {
  readonly key: string
  sees(server: ServerRow): boolean
  /** Including versions and addresses. */
  seesAll(server: ServerRow): boolean
  /** Whether this viewer may read the owner’s records and therefore receives their changes. */
  reads(ownerId: number): boolean
}

/** An API token sees only its servers, and receives records and runs only with the scope for runs. */
export function liveViewOf(viewer: Viewer): LiveView {
  const whole = viewOf(viewer)
  const { scopes, servers } = viewer
  if (scopes === null) return whole
  const isNamed = (server: ServerRow) => servers?.includes(server.id) ?? true
  const hears = servers === undefined && grants(scopes, run.scopes.read!)
  return {
    key: `${whole.key}, token for ${servers ?? 'all'}, ${hears}`,
    sees: (server) => isNamed(server) && whole.sees(server),
    seesAll: (server) => isNamed(server) && whole.seesAll(server),
    reads: (ownerId) => hears && whole.reads(ownerId),
  }
}

function viewOf({ id, role }: Viewer): LiveView {
  if (id === null) return { key: 'guest', sees: isPublic, seesAll: () => false, reads: () => false }
  if (role === Role.admin) return { key: 'admin', sees: () => true, seesAll: () => true, reads: () => true }
  const owns = (server: ServerRow) => server.owner_id === id
  return {
    key: `user ${id}`,
    sees: (server) => owns(server) || isPublic(server),
    seesAll: owns,
    reads: (ownerId) => ownerId === id,
  }
}

export function publicHostOf({ platform_version, version, silent_disks, watch_only, ...host }: Host): Host {
  return host
}

const isPublic = (server: ServerRow) => !server.hide_for_guest

export interface Online {
  id: number
  caller: Caller
  connectedAt: number
  client: string
}
