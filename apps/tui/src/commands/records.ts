import { type AnyRow, type Resource, type ResourceName, titleOf, type View } from '@qd/core/define'
import { AppError, toAppError } from '@qd/core/errors'
import { resourceByName } from '@qd/core/resources'
import type { Connection } from '../connect/connection.ts'

/** The records of one run of `qd`, fetched when something looks at them. */
export interface Records {
  /** Every record of a resource, or those that the server leaves of it by `query`. Errors: AppError of the call. */
  list(resource: Resource, query?: Readonly<Record<string, string>>): Promise<readonly AnyRow[]>
  /** Begins to fetch lists that will be looked at, beside the one that is waited for. */
  prepare(names: readonly ResourceName[]): Promise<void>
  /** One record, as complete as the wire gives it. */
  get(resource: Resource, id: number): Promise<AnyRow>
  /** Runs a pure read of records; lists that it looked at and that are not here yet are fetched, then it runs again. */
  read<T>(look: (view: View) => T): Promise<T>
  /** What is known by now, for what was read before. */
  view(): View
}

/** So many records are fetched of a list that the server pages. */
const pageSize = 200

/** Builds the records of one connection. Warnings about rows that cannot be read go to `warn`. */
export function createRecords({
  connection,
  warn,
}: {
  connection: Connection
  warn(resource: Resource, reason: string): Promise<void>
}): Records {
  const known = new Map<ResourceName, readonly AnyRow[]>()

  const coming = new Map<ResourceName, Promise<readonly AnyRow[]>>()
  const list: Records['list'] = (resource, filter) => {
    const rows = coming.get(resource.name) ?? fetchList(resource, filter)
    coming.set(resource.name, rows)
    return rows
  }
  const fetchList = async (resource: Resource, filter: Readonly<Record<string, string>> = {}) => {
    const query = resource.wire.paging === 'server' ? { limit: pageSize, ...filter } : undefined
    const { rows, bad } = await connection.client.list(resource, query ? { query } : {}).catch(asUnsupported(resource))
    for (const { reason } of bad) await warn(resource, reason)
    known.set(resource.name, rows)
    return rows
  }

  /** Names beside the point: who may not read them sees ids. */
  const listForNames = async (name: ResourceName): Promise<void> => {
    const resource = resourceByName(name)
    if (resource === undefined) return void known.set(name, [])
    await list(resource).catch((thrown: unknown) => {
      if (!isRefused(thrown) && !['noRoute', 'unsupported', 'failed'].includes(toAppError(thrown).code)) throw thrown
      known.set(name, [])
    })
  }

  return {
    list,
    prepare: async (names) => void (await Promise.all(names.map(listForNames))),
    get: (resource, id) => connection.client.get(resource, id).catch(asUnsupported(resource)),
    async read(look) {
      for (;;) {
        const missing = new Set<ResourceName>()
        const result = look(viewOf(known, missing, connection.now()))
        if (missing.size === 0) return result
        await Promise.all([...missing].map(listForNames))
      }
    },
    view: () => viewOf(known, new Set(), connection.now()),
  }
}

/** True for the answer to somebody who may not do this. */
export function isRefused(thrown: unknown): boolean {
  return ['forbidden', 'tokenForbidden'].includes(toAppError(thrown).code)
}

function asUnsupported(resource: Resource): (thrown: unknown) => never {
  return (thrown) => {
    const isMissing = resource.requires !== null && toAppError(thrown).code === 'noRoute'
    throw isMissing ? new AppError('unsupported', { capability: resource.requires }, { cause: thrown }) : thrown
  }
}

/** What is known as a view; whatever it is asked for and does not have is noted in `missing`. */
function viewOf(known: ReadonlyMap<ResourceName, readonly AnyRow[]>, missing: Set<ResourceName>, now: number): View {
  const all = (name: ResourceName): readonly AnyRow[] => {
    const rows = known.get(name)
    if (!rows) missing.add(name)
    return rows ?? []
  }
  const find = (name: ResourceName, id: number) => all(name).find((row) => row.id === id)
  return {
    now,
    all,
    find,
    title(name, id) {
      const row = find(name, id)
      const resource = resourceByName(name)
      return row && resource ? titleOf(resource, row) : null
    },
    referring(name, field, id) {
      return all(name)
        .filter((row) => (row[field] as readonly number[] | undefined)?.includes(id))
        .map((row) => row.id)
    },
    trend: () => [],
  }
}
