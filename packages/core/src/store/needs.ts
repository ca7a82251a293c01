import type { Cancel } from '../api/index.ts'
import type { Resource, ResourceName } from '../define/index.ts'
import type { Records } from './records.ts'

/** Lists whose records the values of a resource name or look at. */
function neededBy(resource: Resource): readonly ResourceName[] {
  const fields = Object.values(resource.fields).filter(({ hidden }) => !hidden)
  const named = fields.flatMap((field) => ('to' in field ? [field.to] : []))
  const reached = fields.some(({ kind }) => kind === 'reach') ? (['server'] as const) : []
  // The settings name the zone that previews and next runs count in.
  return [...new Set([...named, ...reached, 'setting' as const])].filter((name) => name !== resource.name)
}

/** Loads the list of a resource and those its values look at, while it is on screen. */
export function watchWithNeeds(records: Records, resource: Resource): Cancel {
  const stops = [resource.name, ...neededBy(resource)].map((name) => records.watch(name))
  return () => {
    for (const stop of stops) stop()
  }
}
