import type { Action, AnyRow, Reach, Resource } from '../define/index.ts'
import { type ReachedBy, reachedServers } from '../resources/index.ts'
import type { ReachText, Targets } from '../targets/index.ts'

/** Which servers a record reaches, as far as this viewer can know, and the sentence that says it. */
export interface ReachPreview {
  readonly reach: Reach
  readonly targets: Targets
  readonly sentence: ReachText
}

/**
 * What a record will reach: the same for form, confirm, palette, terminal UI and dry run (behaviour D1). Null for a resource without
 * reach. A record whose owner the server hides is the member's own, or, before an admin's eyes, anybody's ("at most N").
 */
export function previewReach(resource: Resource, row: AnyRow, by: Omit<ReachedBy, 'row'>): ReachPreview | null {
  if (!resource.reach) return null
  const reach = resource.reach(row)
  return { reach, ...reachedServers(reach, { ...by, row }) }
}

/** What an action on these rows will reach: its own servers, or those of its records where it does something there; null for an action that reaches none. */
export function previewAction(
  action: Action,
  resource: Resource,
  rows: readonly AnyRow[],
  by: Omit<ReachedBy, 'row'>,
): ReachPreview | null {
  if (action.reach) {
    const reach = action.reach(rows)
    return { reach, ...reachedServers(reach, by) }
  }
  if (action.starts !== 'run' && action.confirm !== 'targets') return null
  const each = rows.flatMap((row) => {
    const one = previewReach(resource, row, by)
    return one ? [{ row, one }] : []
  })
  if (each.length < 2) return each[0]?.one ?? null
  const reach: Reach = { mode: 'only', servers: [...new Set(each.flatMap(({ one }) => one.targets.ids))] }
  // What isn’t certain of one of them isn’t certain of all.
  const row = each.find(({ one }) => !one.targets.exact)?.row
  return { reach, ...reachedServers(reach, { ...by, row }) }
}
