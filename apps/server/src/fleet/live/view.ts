import { grants, Role, type Viewer } from '@qd/core/define'
import { run } from '@qd/core/resources'
import type { Host } from '@qd/core/schemas'
import type { Caller } from '../../kernel/caller.ts'
import type { ServerRow } from '../../store/records/rows.ts'

/** How much of the live figures a viewer sees; sockets with the same key share every frame. Source: contract http-api 5.2. */
export interface LiveView {
  readonly key: string
  sees(server: ServerRow): boolean
  /** Sees its versions and addresses too. */
  seesAll(server: ServerRow): boolean
  /** Whether this viewer may read the owner’s records and therefore receives their changes. */
  reads(ownerId: number): boolean
}

/** The view of a caller; an API token's is cut to its servers, and hears of records and runs only with the scope for runs. */
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

/** What those see of a machine who don’t see all of it. */
export function publicHostOf({ platform_version, version, silent_disks, watch_only, ...host }: Host): Host {
  return host
}

const isPublic = (server: ServerRow) => !server.hide_for_guest

/** One live connection of somebody who has the console or the public page open (contract engines 9). */
export interface Online {
  id: number
  caller: Caller
  /** Epoch ms. */
  connectedAt: number
  client: string
}
