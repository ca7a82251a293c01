import type { TargetSelection } from '../define/index.ts'
import { firstItem } from '../errors.ts'
import type { TextKey } from '../i18n/index.ts'
import type { Targets } from './resolve.ts'

type Family = 'all' | 'allOwn' | 'allExcept' | 'allOwnExcept' | 'onlyOne' | 'onlyThese'

/** `count` is the number of offline servers, which determines the plural. */
export interface TargetsText {
  readonly key: TextKey
  readonly params: Readonly<Record<string, string | number>>
}

/** Describes targets, the same on every surface, such as "All servers except 3 (117), 4 offline". Source: decisions.md "In the interface", looks/README rule 6. */
export function describeTargets(
  targets: Targets,
  selection: TargetSelection,
  nameOf: (id: number) => string,
): TargetsText {
  const { ids, offline, excepted, exact } = targets
  if (ids.length === 0)
    return { key: selection.mode === 'alert' ? 'ui.targets.onAlert' : 'ui.targets.none', params: {} }
  const family = familyOf(targets, selection)
  const subject = family === 'onlyOne' ? { name: nameOf(firstItem(ids)) } : { total: ids.length }
  const params =
    family === 'allExcept' || family === 'allOwnExcept' ? { ...subject, excepted: excepted.length } : subject
  // “At most” doesn’t depend on whose they are.
  if (!exact) return { key: `ui.targets.${withoutOwn(family)}AtMost`, params }
  if (offline.length === 0) return { key: `ui.targets.${family}`, params }
  return {
    key: `ui.targets.${family}Offline`,
    params: family === 'onlyOne' ? params : { ...params, count: offline.length },
  }
}

function familyOf({ ids, excepted, ownOnly }: Targets, { mode }: TargetSelection): Family {
  if (mode !== 'except') return ids.length === 1 ? 'onlyOne' : 'onlyThese'
  if (excepted.length === 0) return ownOnly ? 'allOwn' : 'all'
  return ownOnly ? 'allOwnExcept' : 'allExcept'
}

const withoutOwn = (family: Family) => (family === 'allOwn' ? 'all' : family === 'allOwnExcept' ? 'allExcept' : family)
