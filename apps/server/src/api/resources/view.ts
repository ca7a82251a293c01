import { type AnyRow, type ResourceName, titleOf, type View, type Viewer } from '@qd/core/define'
import { resourceByName } from '@qd/core/resources'
import type { Clock } from '../../kernel/ports.ts'
import type { ResourceStore } from './store.ts'

/** What derived fields and selections look at on the server besides a row: ids and titles of the records that one viewer may see, read when first asked for. */
export function viewOver(
  viewer: Viewer,
  { stores, clock }: { stores: readonly ResourceStore[]; clock: Pick<Clock, 'now'> },
): View {
  const known = new Map<ResourceName, ReadonlyMap<number, AnyRow>>()
  const rowsOf = (name: ResourceName) => {
    const titles = stores.find(({ resource }) => resource.name === name)?.titles?.(viewer) ?? []
    const rows = known.get(name) ?? new Map(titles.map((row) => [row.id, row]))
    known.set(name, rows)
    return rows
  }
  return {
    now: clock.now(),
    find: (name, id) => rowsOf(name).get(id),
    title(name, id) {
      const resource = resourceByName(name)
      const row = rowsOf(name).get(id)
      return resource && row ? titleOf(resource, row) : null
    },
    all: (name) => [...rowsOf(name).values()],
    referring: () => [],
    trend: () => [],
  }
}
