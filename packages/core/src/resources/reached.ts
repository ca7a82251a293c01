import { type AnyRow, type Reach, Role, type View, type Viewer } from '../define/index.ts'
import type { Owner } from '../schemas/index.ts'
import { describeReach, type ReachText, resolveTargets, type TargetOwner, type Targets } from '../targets/index.ts'
import { isOnline } from './server.ts'

/** What a reach is resolved with on this side of the wire: who looks, and whose record it is (absent: the viewer's, as of a new record). */
export interface ReachedBy {
  readonly view: View
  readonly viewer: Viewer
  readonly row?: AnyRow | undefined
}

/** The servers a reach takes in, from the records known here: what form, confirm, cell and dry run show. Pure. */
export function reachedServers(reach: Reach, { view, viewer, row }: ReachedBy): Targets {
  const servers = view.all('server').map((server) => ({
    id: server.id,
    owner: (server.owner as Owner)?.id ?? viewer.id ?? 0,
    online: isOnline({ last_active: server.last_active as string | null }, view.now),
  }))
  return resolveTargets({ reach, owner: ownerOf(row, viewer), servers })
}

/** The sentence about those servers, e.g. "All servers except 3 (117), 4 offline". */
export function reachSentence(reach: Reach, by: ReachedBy): ReachText {
  return describeReach(reachedServers(reach, by), reach, (id) => by.view.title('server', id) ?? `#${id}`)
}

/** A member sees own records only, so a hidden owner is the member; to an admin it stays unknown. */
function ownerOf(row: AnyRow | undefined, viewer: Viewer): TargetOwner | null {
  const self = { id: viewer.id ?? 0, admin: viewer.role === Role.admin }
  if (!row) return self
  return (row.owner as Owner | undefined) ?? (self.admin ? null : self)
}
