import type { Reach } from '../define/index.ts'
import { firstItem } from '../errors/index.ts'
import type { Targets } from './resolve.ts'

export type ReachKey =
  | 'ui.reach.none'
  | 'ui.reach.onAlert'
  | 'ui.reach.all'
  | 'ui.reach.allOffline'
  | 'ui.reach.allAtMost'
  | 'ui.reach.allOwn'
  | 'ui.reach.allOwnOffline'
  | 'ui.reach.allExcept'
  | 'ui.reach.allExceptOffline'
  | 'ui.reach.allExceptAtMost'
  | 'ui.reach.allOwnExcept'
  | 'ui.reach.allOwnExceptOffline'
  | 'ui.reach.onlyOne'
  | 'ui.reach.onlyOneOffline'
  | 'ui.reach.onlyOneAtMost'
  | 'ui.reach.onlyThese'
  | 'ui.reach.onlyTheseOffline'
  | 'ui.reach.onlyTheseAtMost'

/** `count` is the number of offline servers, which determines the plural. */
export interface ReachText {
  readonly key: ReachKey
  readonly params: Readonly<Record<string, string | number>>
}

type Family = 'all' | 'allOwn' | 'allExcept' | 'allOwnExcept' | 'onlyOne' | 'onlyThese'

const plain = {
  all: 'ui.reach.all',
  allOwn: 'ui.reach.allOwn',
  allExcept: 'ui.reach.allExcept',
  allOwnExcept: 'ui.reach.allOwnExcept',
  onlyOne: 'ui.reach.onlyOne',
  onlyThese: 'ui.reach.onlyThese',
} as const satisfies Record<Family, ReachKey>

const withOffline = {
  all: 'ui.reach.allOffline',
  allOwn: 'ui.reach.allOwnOffline',
  allExcept: 'ui.reach.allExceptOffline',
  allOwnExcept: 'ui.reach.allOwnExceptOffline',
  onlyOne: 'ui.reach.onlyOneOffline',
  onlyThese: 'ui.reach.onlyTheseOffline',
} as const satisfies Record<Family, ReachKey>

const atMost = {
  all: 'ui.reach.allAtMost',
  allOwn: 'ui.reach.allAtMost',
  allExcept: 'ui.reach.allExceptAtMost',
  allOwnExcept: 'ui.reach.allExceptAtMost',
  onlyOne: 'ui.reach.onlyOneAtMost',
  onlyThese: 'ui.reach.onlyTheseAtMost',
} as const satisfies Record<Family, ReachKey>

/** Describes a reach, the same on every surface, such as "All servers except 3 (117), 4 offline". Source: decisions.md "In the interface", looks/README rule 6. */
export function describeReach(targets: Targets, reach: Reach, nameOf: (id: number) => string): ReachText {
  const { ids, offline, excepted, exact } = targets
  if (ids.length === 0) return { key: reach.mode === 'alert' ? 'ui.reach.onAlert' : 'ui.reach.none', params: {} }
  const family = familyOf(targets, reach)
  const subject = family === 'onlyOne' ? { name: nameOf(firstItem(ids)) } : { total: ids.length }
  const params =
    family === 'allExcept' || family === 'allOwnExcept' ? { ...subject, excepted: excepted.length } : subject
  if (!exact) return { key: atMost[family], params }
  if (offline.length === 0) return { key: plain[family], params }
  return { key: withOffline[family], params: family === 'onlyOne' ? params : { ...params, count: offline.length } }
}

function familyOf({ ids, excepted, ownOnly }: Targets, { mode }: Reach): Family {
  if (mode !== 'except') return ids.length === 1 ? 'onlyOne' : 'onlyThese'
  if (excepted.length === 0) return ownOnly ? 'allOwn' : 'all'
  return ownOnly ? 'allOwnExcept' : 'allExcept'
}
