import type { ResourceName } from './names.ts'
import type { Resource } from './resource.ts'

/** A field of a record's input that names other records by id. */
export interface Reference {
  field: string
  to: ResourceName
  /** True if it lists any number of ids; else it is one id, 0 for none. */
  many: boolean
}

/** The references that a person can give a record of this resource. What only the server writes is a note of the past and stays as it is. */
export function referencesOf(resource: Pick<Resource, 'fields' | 'input'>): readonly Reference[] {
  return Object.keys(resource.input.shape).flatMap((name): Reference[] => {
    const field = resource.fields[name]
    if (field?.kind === 'ref') return [{ field: name, to: field.to, many: false }]
    return field?.kind === 'refs' ? [{ field: name, to: field.to, many: true }] : []
  })
}
