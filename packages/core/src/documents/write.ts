import { type AnyRow, fieldOf, type Resource, type ResourceName, titleOf } from '../define/index.ts'
import { defined } from '../errors/index.ts'
import { written } from './portable.ts'
import { documentFields, type State, type Stored } from './state.ts'

/** Version of what is written. */
export const documentVersion = 1
/** The key that says it. */
export const versionKey = 'quarterdeck'

/** Stands for a secret, which no server tells: it stays as it is. */
export const unchanged = { unchanged: true } as const

/** Records to keep, to compare and to apply: entities by their words, records with their fields. */
export type Document = Readonly<Record<string, unknown>>

/** What is written, and how. */
export interface WriteOptions {
  state: State
  /** Entities to write, in this order; those that were not read are left out. */
  resources: readonly Resource[]
  /** Secrets that the server told are written as they are. */
  withSecrets?: boolean
  /** Records to write; default: all. */
  only?(resource: Resource, row: AnyRow): boolean
  /** Fields to write; default: all. */
  has?(stored: Stored, field: string): boolean
  /**
   * What records are called. Default: their titles, with their ids where a title is not one record's alone. Null: the record is left out,
   * also wherever it is named.
   */
  names?: NamesOf
}

/** What the records of an entity are called, by id; also what one is called that is not known. */
export type NamesOf = (stored: Stored) => NameOf
type NameOf = (id: number) => string | null

/** Records of a server as one document. */
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

/** A record that has no name of its own is called by its number. */
export const isNumber = (name: string): boolean => /^#\d{1,15}$/.test(name)

/** Titles; where several have the same, and where one reads like a number, `#` and the id. */
function uniqueNames({ resource, rows }: Stored): NameOf {
  const count = new Map<string, number>()
  const titles = new Map(rows.map((row) => [row.id, rawTitle(resource, row)]))
  for (const title of titles.values()) count.set(title, (count.get(title) ?? 0) + 1)
  return (id) => {
    const title = titles.get(id) ?? ''
    return title === '' || isNumber(title) || defined(count.get(title)) > 1 ? numbered(id) : title
  }
}

/** The title as it is stored, not as it is shown. */
export function rawTitle(resource: Resource, row: AnyRow): string {
  const title = row[resource.title]
  return typeof title === 'string' ? title : titleOf(resource, row)
}
