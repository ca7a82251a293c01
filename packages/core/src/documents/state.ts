import { listRecords } from '../actions/index.ts'
import { type AnyRow, type ApiPort, fieldOf, type Resource, type ResourceName } from '../define/index.ts'
import { type AppError, isObject, toAppError } from '../errors.ts'
import { resourceByName, resources } from '../resources/index.ts'
import { targetsOf } from './portable.ts'

export interface Stored {
  readonly resource: Resource
  readonly rows: readonly AnyRow[]
  /** Fields in the response; the others have defaults. */
  said(): ReadonlySet<string>
}

export type State = ReadonlyMap<ResourceName, Stored>

/** `unread`: not permitted, or not on this server. */
export interface ReadState {
  state: State
  unread: readonly { resource: Resource; error: AppError }[]
  bad: readonly { resource: Resource; reason: string }[]
}

const hasSecrets = ({ fields, input }: Resource) =>
  Object.keys(input.shape).some((name) => fields[name]?.kind === 'secret')

/** Whether an entity’s records can be written to a document: editable ones, except personal ones. */
export function isConfiguration(resource: Resource): boolean {
  const { wire, title, input } = resource
  if (!wire.verbs.includes('edit')) return false
  return wire.shape === 'many' ? title in input.shape : !hasSecrets(resource)
}

/** The fields of a document: what users set. */
export function documentFields({ input, fields }: Resource): readonly string[] {
  return Object.keys(input.shape).filter((name) => !fields[name]?.formOnly && !fields[name]?.hidden)
}

function namedBy(resource: Resource): readonly Resource[] {
  const names = new Set(documentFields(resource).flatMap((name) => targetsOf(fieldOf(resource, name))))
  return [...names].flatMap((name) => resourceByName(name) ?? [])
}

/** These entities and those that their records refer to. */
export function withNamed(wanted: readonly Resource[]): readonly Resource[] {
  return [...new Set([...wanted, ...wanted.flatMap(namedBy)])]
}

/** All entities for documents, referenced ones first if possible. */
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

/** Errors: AppError of a call, except for entities that aren’t permitted or don’t exist. */
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

/** The fields in a response, or that its decoding derives from it. */
function saidIn({ wire, fields }: Resource, answer: unknown): ReadonlySet<string> {
  const items = Array.isArray(answer) ? answer : [answer]
  const names = new Set(items.flatMap(namesIn))
  const silent = decoded(wire.decode, {})
  for (const item of items) {
    const read = decoded(wire.decode, item)
    for (const name of Object.keys(fields)) {
      if (JSON.stringify(read[name]) !== JSON.stringify(silent[name])) names.add(name)
    }
  }
  return names
}

/** Keys of an item and of its nested objects. */
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
