import { Role, type Viewer } from '@qd/core/define'
import type { ServerRow } from '../services.ts'

/** How much of the live figures a viewer sees; sockets with the same key share every frame. Source: contract http-api 5.2. */
export interface LiveView {
  readonly key: string
  /** May see the server at all. */
  sees(server: ServerRow): boolean
  /** Sees its versions and addresses too. */
  seesAll(server: ServerRow): boolean
  /** May read records of this owner, so hears of their changes. */
  reads(ownerId: number): boolean
}

/** The view of a caller. */
export function liveViewOf({ id, role }: Viewer): LiveView {
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

const isPublic = (server: ServerRow) => !server.hide_for_guest
