import { type AnyRow, fieldOf, type Resource, type ResourceName, titleOf } from '../define/index.ts'
import { defined } from '../errors.ts'
import { written } from './portable.ts'
import { documentFields, type State, type Stored } from './state.ts'

export const documentVersion = 1
export const versionKey = 'quarterdeck'

/** Stands for a secret, which servers don’t return: it stays unchanged. */
export const unchanged = { unchanged: true } as const

/** Entities by name, records with their fields. */
export type Document = Readonly<Record<string, unknown>>

export interface WriteOptions {
  state: State
  /** In this order; without those that weren’t read. */
  resources: readonly Resource[]
  /** Writes secrets that the server returned. */
  withSecrets?: boolean
  /** Default: all records. */
  only?(resource: Resource, row: AnyRow): boolean
  /** Default: all fields. */
  has?(stored: Stored, field: string): boolean
  /** Default: titles, with IDs if ambiguous. Null leaves a record out, including references to it. */
  names?: NamesOf
}

/** Names of an entity’s records by ID, including unknown ones. */
export type NamesOf = (stored: Stored) => NameOf
type NameOf = (id: number) => string | null

export function writeDocument(options: WriteOptions): Document {
  const { state, resources, names = uniqueNames, only = () => true } = options
  const known = new Map<ResourceName, NameOf>()
  const namesOf = (name: ResourceName): NameOf => {
    const found = known.get(name) ?? (state.has(name) ? names(defined(state.get(name))) : numbered)
    known.set(name, found)
    return found
  }
  const nameOf = (to: ResourceName, id: number) => namesOf(to)(id)
  const entries = resources.flatMap(({ name }) => {
    const stored = state.get(name)
    if (!stored) return []
    const { resource, rows } = stored
    const records = rows
      .filter((row) => only(resource, row) && namesOf(name)(row.id) !== null)
      .map((row) => recordOf(stored, row, { ...options, nameOf, name: namesOf(name)(row.id) }))
    return [[name, resource.wire.shape === 'one' ? records[0] : records] as const]
  })
  return { [versionKey]: documentVersion, ...Object.fromEntries(entries) }
}

interface RecordOptions {
  withSecrets?: boolean
  has?(stored: Stored, field: string): boolean
  nameOf(to: ResourceName, id: number): string | null
  name: string | null
}

function recordOf(stored: Stored, row: AnyRow, options: RecordOptions): Record<string, unknown> {
  const { resource } = stored
  const { withSecrets = false, has = () => true, nameOf, name } = options
  const isMany = resource.wire.shape === 'many'
  const needsId = isMany && isNumber(String(name))
  const entries = documentFields(resource).flatMap((field): [string, unknown][] => {
    const definition = fieldOf(resource, field)
    if (!has(stored, field)) return []
    if (definition.kind === 'secret') {
      const isNone = definition.has !== undefined && row[definition.has] === false && !row[field]
      if (isNone) return []
      return [[field, withSecrets && row[field] ? row[field] : unchanged]]
    }
    const isTitle = isMany && field === resource.title && !needsId
    return [[field, isTitle ? name : written(definition, row[field], nameOf)]]
  })
  return { ...(needsId ? { id: row.id } : {}), ...Object.fromEntries(entries) }
}

const numbered = (id: number) => `#${id}`

export const isNumber = (name: string): boolean => /^#\d{1,15}$/.test(name)

/** Titles; `#` and the ID if a title is ambiguous or looks like a number. */
function uniqueNames({ resource, rows }: Stored): NameOf {
  const count = new Map<string, number>()
  const titles = new Map(rows.map((row) => [row.id, rawTitle(resource, row)]))
  for (const title of titles.values()) count.set(title, (count.get(title) ?? 0) + 1)
  return (id) => {
    const title = titles.get(id) ?? ''
    return title === '' || isNumber(title) || defined(count.get(title)) > 1 ? numbered(id) : title
  }
}

/** The title as stored, not as displayed. */
export function rawTitle(resource: Resource, row: AnyRow): string {
  const title = row[resource.title]
  return typeof title === 'string' ? title : titleOf(resource, row)
}
