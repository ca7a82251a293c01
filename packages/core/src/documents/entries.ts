import type { AnyRow, Resource, ResourceName } from '../define/index.ts'
import { defined, type ErrorParams, isObject, type Problem } from '../errors.ts'
import { nearest } from '../targets/index.ts'

import { configuration, type State } from './state.ts'
import { documentVersion, isNumber, rawTitle, versionKey } from './write.ts'

/** A parsed document, with the line (from 1) of a path. */
export interface Source {
  value: unknown
  lineOf(path: readonly (string | number)[]): number | null
}

/** Problems of a document besides its values; texts at `ui.documents.faults.<fault>`. */
export type Fault =
  | 'version'
  | 'entity'
  | 'unread'
  | 'records'
  | 'field'
  | 'noName'
  | 'twice'
  | 'noId'
  | 'ambiguous'
  | 'noRecord'
  | 'notHere'
  | 'secret'

export interface DocumentProblem {
  line: number | null
  resource: Resource | null
  title: string | null
  field: string | null
  what: { fault: Fault; params: ErrorParams } | { problem: Problem }
  /** Index of the record within its entity. */
  index: number | null
}

/** IDs from here on are placeholders for records that don’t exist yet. */
export const firstNew = 2 ** 52

/** A record of a document, and the stored one that it means. */
export interface Entry {
  resource: Resource
  index: number
  path: readonly (string | number)[]
  values: Readonly<Record<string, unknown>>
  title: string
  row: AnyRow | null
  /** Of the stored record, or a placeholder. */
  id: number
}

export interface Entries {
  entries: readonly Entry[]
  problems: DocumentProblem[]
  resources: readonly Resource[]
}

/** The entities in a document, to know what to load. */
export function namedEntities({ value }: Source): readonly Resource[] {
  return isObject(value) ? configuration().filter(({ name }) => Object.hasOwn(value, name)) : []
}

/** Finds the stored record of each record by its ID, else by its title. */
export function entriesOf(source: Source, state: State): Entries {
  const problems: DocumentProblem[] = []
  const none = { resource: null, title: null, field: null, index: null }
  const { value } = source
  if (!isObject(value) || value[versionKey] !== documentVersion) {
    const line = source.lineOf(isObject(value) && versionKey in value ? [versionKey] : [])
    return {
      entries: [],
      resources: [],
      problems: [{ ...none, line, what: { fault: 'version', params: { name: `${versionKey}: ${documentVersion}` } } }],
    }
  }
  const known = configuration()
  for (const name of Object.keys(value)) {
    if (name === versionKey || known.some((one) => one.name === name)) continue
    const words = known.map((one) => one.name)
    const near = nearest(name, words)
    const params = { name, known: near.length > 0 ? near : words }
    problems.push({ ...none, line: source.lineOf([name]), what: { fault: 'entity', params } })
  }
  let fresh = firstNew
  const resources = namedEntities(source)
  const entries = resources.flatMap((resource) => {
    const found = new Finder(resource, source, state, problems)
    return found.entries(value[resource.name], () => fresh++)
  })
  return { entries, problems, resources }
}

class Finder {
  readonly resource: Resource
  readonly source: Source
  readonly rows: readonly AnyRow[] | null
  readonly problems: DocumentProblem[]
  /** Lines by stored record, or by the title of a new one. */
  readonly lines = new Map<string, number | null>()

  constructor(resource: Resource, source: Source, state: State, problems: DocumentProblem[]) {
    this.resource = resource
    this.source = source
    this.rows = state.get(resource.name)?.rows ?? null
    this.problems = problems
  }

  refuse(
    fault: Fault,
    index: number | null,
    more: { title?: string; field?: string; params?: ErrorParams } = {},
  ): null {
    const { resource } = this
    const path = [resource.name, ...(index === null || resource.wire.shape === 'one' ? [] : [index])]
    const { title = null, field = null, params = {} } = more
    const line = this.source.lineOf(field === null ? path : [...path, field])
    this.problems.push({ line, resource, title, field, index, what: { fault, params } })
    return null
  }

  entries(given: unknown, fresh: () => number): readonly Entry[] {
    const { resource, rows } = this
    if (!rows) {
      this.refuse('unread', null)
      return []
    }
    if (resource.wire.shape === 'one') {
      const [row] = rows
      if (!isObject(given) || !row) {
        this.refuse('records', null)
        return []
      }
      const title = rawTitle(resource, row)
      return [{ resource, index: 0, path: [resource.name], values: given, title, row, id: row.id }]
    }
    if (!Array.isArray(given)) {
      this.refuse('records', null)
      return []
    }
    return given.flatMap((values, index) => this.entry(values, index, fresh) ?? [])
  }

  entry(values: unknown, index: number, fresh: () => number): Entry | null {
    const { resource } = this
    if (!isObject(values)) return this.refuse('records', index)
    const { id } = values
    const path = [resource.name, index]
    const found = id === undefined ? this.byTitle(values, index) : this.byId(id, index)
    if (!found) return null
    const { row } = found
    const given = values[resource.title]
    const title = typeof given === 'string' ? given : row ? rawTitle(resource, row) : ''
    const key = row ? `#${row.id}` : title
    if (this.lines.has(key))
      return this.refuse('twice', index, { title, params: { name: title, line: this.lines.get(key) ?? 0 } })
    this.lines.set(key, this.source.lineOf(path))
    const { id: _id, ...own } = values
    return { resource, index, path, values: own, title, row, id: row?.id ?? fresh() }
  }

  byId(id: unknown, index: number): { row: AnyRow } | null {
    const row = defined(this.rows).find((one) => one.id === id)
    return row ? { row } : this.refuse('noId', index, { field: 'id', params: { id: String(id) } })
  }

  byTitle(values: Readonly<Record<string, unknown>>, index: number): { row: AnyRow | null } | null {
    const { resource } = this
    const title = values[resource.title]
    if (typeof title !== 'string' || title.trim() === '')
      return this.refuse('noName', index, { params: { field: resource.title } })
    const same = defined(this.rows).filter((row) => rawTitle(resource, row) === title)
    if (same.length > 1) {
      const ids = same.map((row) => row.id)
      return this.refuse('ambiguous', index, { title, params: { name: title, ids } })
    }
    const [row = null] = same
    if (row === null && !resource.wire.verbs.includes('create'))
      return this.refuse('notHere', index, { title, params: { name: title } })
    return { row }
  }
}

/** Resolves names of records: those of the document first, then stored ones. */
export function createIdOf(
  { entries }: Pick<Entries, 'entries'>,
  state: State,
): (to: ResourceName, name: string | number) => readonly number[] {
  const ofEntries = new Map<string, number[]>()
  for (const { resource, title, id } of entries) {
    const key = `${resource.name} ${title}`
    ofEntries.set(key, [...(ofEntries.get(key) ?? []), id])
  }
  const taken = new Set(entries.flatMap(({ resource, row }) => (row ? [`${resource.name} ${row.id}`] : [])))
  return (to, name) => {
    const text = String(name)
    const named = ofEntries.get(`${to} ${text}`)
    if (named) return named
    const stored = state.get(to)
    if (!stored) return []
    const { rows, resource } = stored
    if (typeof name === 'number' || isNumber(text)) {
      const id = Number(text.replace('#', ''))
      return rows.some((row) => row.id === id) ? [id] : []
    }
    // A record that the document renames isn’t found by its old name.
    return rows.filter((row) => rawTitle(resource, row) === text && !taken.has(`${to} ${row.id}`)).map(({ id }) => id)
  }
}
