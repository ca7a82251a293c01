import { listRecords } from '../actions/index.ts'
import type { AnyRow, ApiPort, Resource, ResourceName } from '../define/index.ts'
import { fieldOf } from '../define/index.ts'
import { type AppError, toAppError } from '../errors/index.ts'
import { resourceByName, resources } from '../resources/index.ts'
import { isObject, targetsOf } from './portable.ts'

/** The records of one entity as a server told them. */
export interface Stored {
  readonly resource: Resource
  readonly rows: readonly AnyRow[]
  /** Fields that the answer said anything of; the others are what this program makes of nothing. */
  said(): ReadonlySet<string>
}

/** What a server holds, by entity. */
export type State = ReadonlyMap<ResourceName, Stored>

/** What was read, and what could not be: not allowed, or not there on this server. */
export interface ReadState {
  state: State
  unread: readonly { resource: Resource; error: AppError }[]
  /** Records whose answer cannot be read. */
  bad: readonly { resource: Resource; reason: string }[]
}

const hasSecrets = ({ fields, input }: Resource) =>
  Object.keys(input.shape).some((name) => fields[name]?.kind === 'secret')

/** True for entities whose records are set up by people and can be written down: those with an edit, except what is about oneself. */
export function isConfiguration(resource: Resource): boolean {
  const { wire, title, input } = resource
  if (!wire.verbs.includes('edit')) return false
  return wire.shape === 'many' ? title in input.shape : !hasSecrets(resource)
}

/** Fields of a document: what a person decides of a record. */
export function documentFields({ input, fields }: Resource): readonly string[] {
  return Object.keys(input.shape).filter((name) => !fields[name]?.formOnly && !fields[name]?.hidden)
}

/** Entities that the records of this one can name. */
function namedBy(resource: Resource): readonly Resource[] {
  const names = new Set(documentFields(resource).flatMap((name) => targetsOf(fieldOf(resource, name))))
  return [...names].flatMap((name) => resourceByName(name) ?? [])
}

/** These entities and all that their records can name: what must be read to write them down. */
export function withNamed(wanted: readonly Resource[]): readonly Resource[] {
  return [...new Set([...wanted, ...wanted.flatMap(namedBy)])]
}

/** Every entity that can be written down, each behind those that its records name, as far as they do not name each other. */
export function configuration(): readonly Resource[] {
  const ordered: Resource[] = []
  const visiting = new Set<Resource>()
  const visit = (resource: Resource) => {
    if (visiting.has(resource) || !isConfiguration(resource)) return
    visiting.add(resource)
    namedBy(resource).forEach(visit)
    ordered.push(resource)
  }
  for (const resource of resources) visit(resource)
  return ordered
}

const absent = ['forbidden', 'tokenForbidden', 'noRoute', 'unsupported']

/** Reads the records of these entities. Errors: AppError of a call, but for entities that are not allowed or not there. */
export async function readState(api: ApiPort, wanted: readonly Resource[]): Promise<ReadState> {
  const bad: { resource: Resource; reason: string }[] = []
  const unread: { resource: Resource; error: AppError }[] = []
  const stored = await Promise.all(
    wanted.map(async (resource) => {
      let answer: unknown
      const listening: ApiPort = {
        async send(call) {
          const data = await api.send(call)
          if (call.path === resource.wire.calls.list.path) answer = data
          return data
        },
      }
      try {
        const listed = await listRecords(listening, resource)
        for (const { reason } of listed.bad) bad.push({ resource, reason })
        const rows = listed.rows.toSorted((a, b) => a.id - b.id)
        return [resource.name, { resource, rows, said: () => saidIn(resource, answer) }] as const
      } catch (thrown) {
        const error = toAppError(thrown)
        if (!absent.includes(error.code)) throw error
        unread.push({ resource, error })
        return null
      }
    }),
  )
  return { state: new Map(stored.filter((one) => one !== null)), unread, bad }
}

/** The fields that an answer names, or from which its reading makes something else than from nothing. */
function saidIn({ wire, fields }: Resource, answer: unknown): ReadonlySet<string> {
  const items = Array.isArray(answer) ? answer : [answer]
  const names = new Set(items.flatMap(namesIn))
  const silent = decoded(wire.decode, {})
  for (const item of items) {
    const told = decoded(wire.decode, item)
    for (const name of Object.keys(fields)) {
      if (JSON.stringify(told[name]) !== JSON.stringify(silent[name])) names.add(name)
    }
  }
  return names
}

/** Keys of an item, and of what it wraps. */
function namesIn(item: unknown): string[] {
  if (!isObject(item)) return []
  return Object.entries(item).flatMap(([name, part]) => [name, ...(isObject(part) ? Object.keys(part) : [])])
}

function decoded(decode: (item: unknown) => unknown, item: unknown): Readonly<Record<string, unknown>> {
  try {
    const value = decode(item)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
