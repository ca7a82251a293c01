import type { Cancel } from '@qd/core/api'
import type { Resource, ResourceName } from '@qd/core/define'
import type { Records } from '@qd/core/store'

/** Lists whose records the values of a resource name or look at. */
function neededBy(resource: Resource): readonly ResourceName[] {
  const fields = Object.values(resource.fields).filter(({ hidden }) => !hidden)
  const named = fields.flatMap((field) => ('to' in field ? [field.to] : []))
  const reached = fields.some(({ kind }) => kind === 'reach') ? (['server'] as const) : []
  const zoned = fields.some(({ kind }) => kind === 'schedule') ? (['setting'] as const) : []
  return [...new Set([...named, ...reached, ...zoned])].filter((name) => name !== resource.name)
}

/** Loads the list of a resource and those its values look at, while it is on screen. */
export function watchWithNeeds(records: Records, resource: Resource): Cancel {
  const stops = [resource.name, ...neededBy(resource)].map((name) => records.watch(name))
  return () => {
    for (const stop of stops) stop()
  }
}

/** Loads the lists that were not asked for yet, so that their records can be found. */
export function loadAll(records: Records, resources: readonly Resource[]): void {
  for (const { name, wire } of resources) {
    if (wire.shape === 'many' && records.list$(name).peek().status === 'empty') void records.load(name)
  }
}
