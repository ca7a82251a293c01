import { grants, Role, type Viewer } from '@qd/core/define'
import { run } from '@qd/core/resources'
import type { Host } from '@qd/core/schemas'
import type { Caller } from '../../kernel/caller.ts'
import { historyScope, seesHosts } from '../../store/records/rights.ts'
import type { ServerRow } from '../../store/records/rows.ts'
import type { Settings } from '../../store/records/settings.ts'

/** What a viewer sees of the live metrics; sockets with the same key share frames (contract http-api 5.2). */
export interface LiveView {
  readonly key: string
  sees(server: ServerRow): boolean
  /** Including versions and addresses. */
  seesAll(server: ServerRow): boolean
  /** Whether what runs on its hosts may be shown too, by the settings of now. */
  seesHosts(settings: Pick<Settings, 'get'>): boolean
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
    key: `${whole.key}, token for ${servers ?? 'all'}, ${hears}, ${grants(scopes, historyScope)}`,
    sees: (server) => isNamed(server) && whole.sees(server),
    seesAll: (server) => isNamed(server) && whole.seesAll(server),
    seesHosts: (settings) => seesHosts(settings, viewer),
    reads: (ownerId) => hears && whole.reads(ownerId),
  }
}

function viewOf(viewer: Viewer): LiveView {
  const { id, role } = viewer
  if (id === null)
    return { key: 'guest', sees: isPublic, seesAll: () => false, seesHosts: () => false, reads: () => false }
  const hosts = (settings: Pick<Settings, 'get'>) => seesHosts(settings, viewer)
  if (role === Role.admin)
    return { key: 'admin', sees: () => true, seesAll: () => true, seesHosts: hosts, reads: () => true }
  const owns = (server: ServerRow) => server.owner_id === id
  return {
    key: `user ${id}`,
    sees: (server) => owns(server) || isPublic(server),
    seesAll: owns,
    seesHosts: hosts,
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
