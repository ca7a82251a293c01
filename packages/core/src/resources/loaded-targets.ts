import { type AnyRow, Role, type TargetSelection, type View, type Viewer } from '../define/index.ts'
import type { Owner } from '../schemas/index.ts'
import { describeTargets, resolveTargets, type TargetOwner, type Targets, type TargetsText } from '../targets/index.ts'
import { isConnected } from './online.ts'

export interface TargetContext {
  readonly view: View
  readonly viewer: Viewer
  /** The record; absent or with ID 0 if it isn’t stored yet and will be the viewer’s. */
  readonly row?: AnyRow | undefined
  readonly raisedBy?: number | undefined
  readonly excluded?: readonly number[] | undefined
}

/** Resolves targets among the loaded servers, and describes them. */
export function loadedTargets(
  selection: TargetSelection,
  { view, viewer, row, raisedBy, excluded = [] }: TargetContext,
): { targets: Targets; sentence: TargetsText } {
  const servers = view.all('server').map((server) => ({
    id: server.id,
    owner: ownerOf(server)?.id ?? viewer.id ?? 0,
    online: isConnected({ last_active: server.last_active as string | null }),
  }))
  const owner = ownerFor(row, viewer)
  const targets = resolveTargets({
    selection,
    owner,
    servers,
    excluded,
    ...(raisedBy === undefined ? {} : { raisedBy }),
  })
  return { targets, sentence: describeTargets(targets, selection, (id) => view.title('server', id) ?? `#${id}`) }
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
