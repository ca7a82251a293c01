import type { AnyRow, Reach, Resource, View, Viewer } from '../define/index.ts'
import { isOnline } from '../resources/index.ts'
import type { Owner } from '../schemas/index.ts'
import { describeReach, type ReachText, resolveTargets, type TargetOwner, type Targets } from '../targets/index.ts'

/** Which servers a record reaches, as far as this viewer can know, and the sentence that says it. */
export interface ReachPreview {
  reach: Reach
  targets: Targets
  sentence: ReachText
}

/**
 * What a record will reach: the same for form, confirm, palette, terminal UI and dry run (behaviour D1). Null for a resource without
 * reach. A record whose owner the server hides is the member's own, or, before an admin's eyes, anybody's ("at most N").
 */
export function previewReach(
  resource: Resource,
  row: AnyRow,
  {
    view,
    viewer,
    raisedBy,
    excluded = [],
  }: { view: View; viewer: Viewer; raisedBy?: number; excluded?: readonly number[] },
): ReachPreview | null {
  if (!resource.reach) return null
  const reach = resource.reach(row)
  const servers = view.all('server').map((server) => ({
    id: server.id,
    owner: ownerOf(server)?.id ?? 0,
    online: isOnline({ last_active: server.last_active as string | null }, view.now),
  }))
  const targets = resolveTargets({
    reach,
    servers,
    owner: ownerFor(row, viewer),
    excluded,
    ...(raisedBy === undefined ? {} : { raisedBy }),
  })
  return { reach, targets, sentence: describeReach(targets, reach, (id) => view.title('server', id) ?? `#${id}`) }
}

function ownerOf(row: AnyRow): Owner {
  return (row.owner ?? null) as Owner
}

/** A record that is not stored yet will be the viewer's. */
function ownerFor(row: AnyRow, { id, role }: Viewer): TargetOwner | null {
  const owner = ownerOf(row)
  if (owner) return owner
  const isViewers = row.id === 0 || role !== 0
  return isViewers && id !== null ? { id, admin: role === 0 } : null
}
