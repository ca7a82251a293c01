import { type AnyRow, type ResourceName, titleOf, type View } from '../define/index.ts'
import { resourceByName } from '../resources/index.ts'
import type { LiveStore } from './live.ts'
import type { Records } from './records.ts'
import type { Session } from './session.ts'

interface Snapshot {
  version: number
  rows: readonly AnyRow[]
  /** Per list field: IDs of the records that refer to an ID. */
  referring: Map<string, ReadonlyMap<number, readonly number[]>>
}

const nobody: readonly number[] = []

/** The stores as a view. Observers are notified when records of a resource change (not their live metrics) and, for `now`, every few seconds. */
export function createView({
  records,
  live,
  supports,
}: {
  records: Records
  live: Pick<LiveStore, 'now' | 'trend'>
  supports: Session['supports']
}): View {
  const snapshots = new Map<ResourceName, Snapshot>()
  const snapshotOf = (name: ResourceName): Snapshot => {
    const version = records.version$(name).get()
    const known = snapshots.get(name)
    if (known?.version === version) return known
    const fresh = { version, rows: records.peekAll(name), referring: new Map() }
    snapshots.set(name, fresh)
    return fresh
  }
  const find = (name: ResourceName, id: number): AnyRow | undefined => {
    records.version$(name).get()
    return records.peek(name, id)
  }
  return {
    get now() {
      return live.now()
    },
    find,
    title(name, id) {
      const resource = resourceByName(name)
      const row = find(name, id)
      return resource && row ? titleOf(resource, row) : null
    },
    all: (resource) => snapshotOf(resource).rows,
    referring(resource, field, id) {
      const { rows, referring } = snapshotOf(resource)
      const index = referring.get(field) ?? indexOf(rows, field)
      referring.set(field, index)
      return index.get(id) ?? nobody
    },
    trend: live.trend,
    supports,
  }
}

function indexOf(rows: readonly AnyRow[], field: string): ReadonlyMap<number, readonly number[]> {
  const index = new Map<number, number[]>()
  for (const row of rows) {
    const named = row[field]
    for (const id of Array.isArray(named) ? (named as number[]) : []) index.set(id, [...(index.get(id) ?? []), row.id])
  }
  return index
}
