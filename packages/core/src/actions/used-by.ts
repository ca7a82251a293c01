import { type AnyRow, idsIn, type Resource, type ResourceName, referencesOf, type View } from '../define/index.ts'
import { defined } from '../errors.ts'
import { resources } from '../resources/index.ts'

export interface UsedBy {
  readonly resource: Resource
  /** Unique, in the order they are known. */
  readonly ids: readonly number[]
  /** The group in between: it is referred to, and contains the others. Null for direct references. */
  readonly through: Resource | null
}

const target: ResourceName = 'server'

const names = (resource: Resource, to: Resource) => referencesOf(resource).some((one) => one.to === to.name)
const mayTarget = ({ targets }: Resource, to: Resource) => targets !== null && to.name === target
const isGroup = ({ family }: Resource) => family === 'group'

/** Resources whose records can refer to a record of this one. What lives on a host goes with it, and is read only when it is looked at. */
function naming(to: Resource): readonly Resource[] {
  return resources.filter((resource) => !resource.host && (names(resource, to) || mayTarget(resource, to)))
}

/** The lists that `usedBy` needs. */
export function usersOf(to: Resource): readonly Resource[] {
  const direct = naming(to)
  return [...new Set([...direct, ...direct.filter(isGroup).flatMap(naming)])]
}

/** Records that refer to any of these, by a field, among their targets, or through a group: what breaks if they are deleted. Only among loaded records. */
export function usedBy(to: Resource, ids: readonly number[], view: View): readonly UsedBy[] {
  const direct = naming(to).map(
    (resource): UsedBy => ({ resource, ids: namedBy(resource, to, ids, view), through: null }),
  )
  const further = direct
    .filter(({ resource, ids: groups }) => isGroup(resource) && groups.length > 0)
    .flatMap(({ resource: group, ids: groups }) =>
      naming(group).map(
        (resource): UsedBy => ({ resource, ids: namedBy(resource, group, groups, view), through: group }),
      ),
    )
  return [...direct, ...further].filter((one) => one.ids.length > 0)
}

function namedBy(resource: Resource, to: Resource, ids: readonly number[], view: View): readonly number[] {
  const wanted = new Set(ids)
  const fields = referencesOf(resource).filter((one) => one.to === to.name)
  const has = (named: readonly number[]) => named.some((id) => wanted.has(id))
  const isNamed = (row: AnyRow) =>
    fields.some((one) => has(idsIn(one, row[one.field]))) ||
    (mayTarget(resource, to) && has(defined(resource.targets)(row).servers))
  return view
    .all(resource.name)
    .filter((row) => !(resource === to && wanted.has(row.id)) && isNamed(row))
    .map(({ id }) => id)
}
