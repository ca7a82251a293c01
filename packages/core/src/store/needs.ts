import { usersOf } from '../actions/index.ts'
import type { Cancel } from '../api/index.ts'
import { allowed, type Resource, type Viewer } from '../define/index.ts'
import { neededBy, resourceByName } from '../resources/index.ts'
import type { Records } from './records.ts'

/** Loads a resource’s list and those that its values need, while it is on screen. */
export function watchWithNeeds(records: Records, resource: Resource): Cancel {
  const stops = [resource.name, ...neededBy(resource)].map((name) => records.watch(name))
  return () => {
    for (const stop of stops) stop()
  }
}

/** Loads the lists that nothing has loaded yet. Hosts are read only while their list is on screen. */
export function loadMissing(records: Records, lists: readonly Resource[]): void {
  for (const { name, wire, host } of lists)
    if (!host && wire.shape === 'many' && records.list$(name).status.peek() === 'empty') void records.load(name)
}

/** The lists that a detail page and the confirmation of a delete need besides those of its values. */
export function detailNeeds(resource: Resource): readonly Resource[] {
  const related = resource.detail.sections.flatMap((section) => {
    const of = section.kind === 'related' ? resourceByName(section.of) : undefined
    return of ? [of] : []
  })
  return [...new Set([...related, ...usersOf(resource)])]
}

/** Loads these lists while they are needed, if the viewer may read them and the server has them. */
export function watchAllowed(
  records: Records,
  lists: readonly Resource[],
  { viewer, supports }: { viewer: Viewer; supports(capability: string): boolean },
): Cancel {
  const stops = readable(lists, { viewer, supports }).map(({ name }) => records.watch(name))
  return () => {
    for (const stop of stops) stop()
  }
}

export function readable(
  lists: readonly Resource[],
  { viewer, supports }: { viewer: Viewer; supports(capability: string): boolean },
): readonly Resource[] {
  return lists.filter(
    ({ audience, scopes, requires, needsSession }) =>
      allowed(viewer, { audience: audience.read, scope: scopes.read }) &&
      (requires === null || supports(requires)) &&
      !(needsSession && viewer.scopes !== null),
  )
}
