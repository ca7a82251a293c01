import type { Reach } from '../define/index.ts'
import { firstItem } from '../errors/index.ts'
import type { TextKey } from '../i18n/index.ts'
import type { Targets } from './resolve.ts'

type Family = 'all' | 'allOwn' | 'allExcept' | 'allOwnExcept' | 'onlyOne' | 'onlyThese'

/** `count` is the number of offline servers, which determines the plural. */
export interface ReachText {
  readonly key: TextKey
  readonly params: Readonly<Record<string, string | number>>
}

/** Describes a reach, the same on every surface, such as "All servers except 3 (117), 4 offline". Source: decisions.md "In the interface", looks/README rule 6. */
export function describeReach(targets: Targets, reach: Reach, nameOf: (id: number) => string): ReachText {
  const { ids, offline, excepted, exact } = targets
  if (ids.length === 0) return { key: reach.mode === 'alert' ? 'ui.reach.onAlert' : 'ui.reach.none', params: {} }
  const family = familyOf(targets, reach)
  const subject = family === 'onlyOne' ? { name: nameOf(firstItem(ids)) } : { total: ids.length }
  const params =
    family === 'allExcept' || family === 'allOwnExcept' ? { ...subject, excepted: excepted.length } : subject
  // How many are “at most” reached doesn’t depend on whose they are.
  if (!exact) return { key: `ui.reach.${withoutOwn(family)}AtMost`, params }
  if (offline.length === 0) return { key: `ui.reach.${family}`, params }
  return {
    key: `ui.reach.${family}Offline`,
    params: family === 'onlyOne' ? params : { ...params, count: offline.length },
  }
}

function familyOf({ ids, excepted, ownOnly }: Targets, { mode }: Reach): Family {
  if (mode !== 'except') return ids.length === 1 ? 'onlyOne' : 'onlyThese'
  if (excepted.length === 0) return ownOnly ? 'allOwn' : 'all'
  return ownOnly ? 'allOwnExcept' : 'allExcept'
}

const withoutOwn = (family: Family) => (family === 'allOwn' ? 'all' : family === 'allOwnExcept' ? 'allExcept' : family)
