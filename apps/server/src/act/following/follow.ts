import { type AnyRow, type Resource, type ResourceName, titleOf, type Values, type View } from '@qd/core/define'
import { aimedByItself, resourceByName, server } from '@qd/core/resources'
import type { Base } from '../../base.ts'
import type { StoredRow } from '../../store/records/rows.ts'

/**
 * The inputs that a record gets from the selection it follows, among the servers that its owner may reach now; nothing for a record
 * that follows none (behaviours N-03, D4).
 */
export type Follow = (resource: Resource, values: Readonly<Record<string, unknown>>, ownerId: number) => Values

/** Answers from the records as they are now. */
export function createFollow({ kept, accounts, clock }: Pick<Base, 'kept' | 'accounts' | 'clock'>): Follow {
  const rowsOf = (name: ResourceName): readonly AnyRow[] =>
    (kept.find(({ resource }) => resource.name === name)?.records.all() ?? []) as readonly (StoredRow & AnyRow)[]
  return (resource, values, ownerId) => {
    if (values.follows !== true) return {}
    const owner = accounts.ownerOf(ownerId)
    const reachesAll = ownerId === 0 || owner?.admin === true
    const servers = () => rowsOf('server').filter((row) => reachesAll || row.owner_id === ownerId)
    return aimedByItself(resource, values, viewOf({ rowsOf, servers, now: clock.now() }))
  }
}

/** What a selection of servers looks at. */
function viewOf({
  rowsOf,
  servers,
  now,
}: {
  rowsOf(name: ResourceName): readonly AnyRow[]
  servers(): readonly AnyRow[]
  now: number
}): View {
  const lists = new Map<ResourceName, readonly AnyRow[]>()
  const all = (name: ResourceName) => {
    const rows = lists.get(name) ?? (name === server.name ? servers() : rowsOf(name))
    lists.set(name, rows)
    return rows
  }
  const find = (name: ResourceName, id: number) => all(name).find((row) => row.id === id)
  const indexes = new Map<string, Map<number, number[]>>()
  return {
    now,
    all,
    find,
    title(name, id) {
      const resource = resourceByName(name)
      const row = find(name, id)
      return resource && row ? titleOf(resource, row) : null
    },
    referring(name, field, id) {
      const key = `${name}.${field}`
      const index = indexes.get(key) ?? indexOf(all(name), field)
      indexes.set(key, index)
      return index.get(id) ?? []
    },
    trend: () => [],
  }
}

/** Ids of the records that name an id in this list. */
function indexOf(rows: readonly AnyRow[], field: string): Map<number, number[]> {
  const index = new Map<number, number[]>()
  for (const row of rows)
    for (const id of row[field] as readonly number[]) index.set(id, [...(index.get(id) ?? []), row.id])
  return index
}
