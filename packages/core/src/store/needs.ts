import { usersOf } from '../actions/index.ts'
import type { Cancel } from '../api/index.ts'
import { allowed, type Resource, type Viewer } from '../define/index.ts'
import { neededBy, resourceByName } from '../resources/index.ts'
import type { Records } from './records.ts'

/** Loads the list of a resource and those its values look at, while it is on screen. */
export function watchWithNeeds(records: Records, resource: Resource): Cancel {
  const stops = [resource.name, ...neededBy(resource)].map((name) => records.watch(name))
  return () => {
    for (const stop of stops) stop()
  }
}

/** The lists that the detail page of a resource looks at besides those its values name, and that a delete of one is asked with. */
export function detailNeeds(resource: Resource): readonly Resource[] {
  const related = resource.detail.sections.flatMap((section) => {
    const of = section.kind === 'related' ? resourceByName(section.of) : undefined
    return of ? [of] : []
  })
  return [...new Set([...related, ...usersOf(resource)])]
}

/** Loads these lists while something looks at them, as far as this viewer may read them and the server has them. */
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

/** The lists that this viewer may read and the server has. */
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
