import type { Resource, ResourceName } from '../define/index.ts'
import { hasSelection } from './following.ts'

export const frameNeeds = ['server', 'server-group', 'setting', 'incident'] as const satisfies readonly ResourceName[]

/** Lists that a resource’s values need. */
export function neededBy(resource: Resource): readonly ResourceName[] {
  const fields = Object.values(resource.fields).filter(({ hidden }) => !hidden)
  const named = fields.flatMap((field) => ('to' in field ? [field.to] : []))
  const targets = fields.some(({ kind }) => kind === 'targets') ? (['server'] as const) : []
  const chosen = hasSelection(resource) ? (['server-group'] as const) : []
  // The settings contain the time zone of previews and next runs.
  return [...new Set([...named, ...targets, ...chosen, 'setting' as const])].filter((name) => name !== resource.name)
}
