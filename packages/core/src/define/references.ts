import type { ResourceName } from './names.ts'
import type { Resource } from './resource.ts'

export interface Reference {
  field: string
  to: ResourceName
  /** One ID (0 for none); a list; an object by ID; or conditions with such objects. */
  as: 'one' | 'list' | 'keys' | 'rules'
}

/** References in the input. What only the server writes is history and stays. */
export function referencesOf(resource: Pick<Resource, 'fields' | 'input'>): readonly Reference[] {
  return Object.keys(resource.input.shape).flatMap((name): Reference[] => {
    const field = resource.fields[name]
    if (field?.kind === 'ref') return [{ field: name, to: field.to, as: 'one' }]
    if (field?.kind === 'id-map') return [{ field: name, to: field.to, as: 'keys' }]
    if (field?.kind === 'rules') return [{ field: name, to: 'server', as: 'rules' }]
    return field?.kind === 'refs' ? [{ field: name, to: field.to, as: 'list' }] : []
  })
}

export function idsIn({ as }: Pick<Reference, 'as'>, value: unknown): readonly number[] {
  if (as === 'list') return (value ?? []) as readonly number[]
  if (as === 'keys') return Object.keys(value ?? {}).map(Number)
  if (as === 'rules') return [...new Set(conditionsIn(value).flatMap(({ ignore }) => idsIn({ as: 'keys' }, ignore)))]
  return value ? [value as number] : []
}

export function withoutIds({ as }: Pick<Reference, 'as'>, value: unknown, gone: ReadonlySet<number>): unknown {
  if (as === 'one') return gone.has(value as number) ? 0 : value
  if (as === 'list') return idsIn({ as }, value).filter((id) => !gone.has(id))
  if (as === 'rules')
    return conditionsIn(value).map((one) =>
      one.ignore ? { ...one, ignore: withoutIds({ as: 'keys' }, one.ignore, gone) } : one,
    )
  return Object.fromEntries(Object.entries(value ?? {}).filter(([id]) => !gone.has(Number(id))))
}

const conditionsIn = (value: unknown): readonly { ignore?: object }[] => (Array.isArray(value) ? value : [])
