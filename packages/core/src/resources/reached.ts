import { type AnyRow, type Reach, Role, type View, type Viewer } from '../define/index.ts'
import type { Owner } from '../schemas/index.ts'
import { describeReach, type ReachText, resolveTargets, type TargetOwner, type Targets } from '../targets/index.ts'
import { isConnected } from './online.ts'

export interface ReachedBy {
  readonly view: View
  readonly viewer: Viewer
  /** The record; absent or with ID 0 if it isn’t stored yet and will be the viewer’s. */
  readonly row?: AnyRow | undefined
  readonly raisedBy?: number | undefined
  readonly excluded?: readonly number[] | undefined
}

/** The reached servers among the loaded ones, and the sentence about them. */
export function reachedServers(
  reach: Reach,
  { view, viewer, row, raisedBy, excluded = [] }: ReachedBy,
): { targets: Targets; sentence: ReachText } {
  const servers = view.all('server').map((server) => ({
    id: server.id,
    owner: ownerOf(server)?.id ?? viewer.id ?? 0,
    online: isConnected({ last_active: server.last_active as string | null }),
  }))
  const owner = ownerFor(row, viewer)
  const targets = resolveTargets({ reach, owner, servers, excluded, ...(raisedBy === undefined ? {} : { raisedBy }) })
  return { targets, sentence: describeReach(targets, reach, (id) => view.title('server', id) ?? `#${id}`) }
}

function ownerOf(row: AnyRow): Owner {
  return (row.owner ?? null) as Owner
}

/** Members only see their own records, so a hidden owner is the member; for an admin it is unknown. */
function ownerFor(row: AnyRow | undefined, viewer: Viewer): TargetOwner | null {
  const self = { id: viewer.id ?? 0, admin: viewer.role === Role.admin }
  if (!row || row.id === 0) return self
  return ownerOf(row) ?? (self.admin ? null : self)
}
