import { askedOf, askHosts, type HostEntry, type PageQuery } from '../actions/index.ts'
import { type AnyRow, type Resource, type ResourceName, titleOf, type View } from '../define/index.ts'
import { AppError, toAppError } from '../errors.ts'
import { resourceByName } from '../resources/index.ts'
import type { Client } from './client.ts'

/** The records of a program without a screen (a run of `qd`, a call of a tool), loaded on demand. */
export interface Records {
  /** All records, or those that the query of a paged list returns. Errors: AppError of the call. */
  list(resource: Resource, query?: PageQuery): Promise<readonly AnyRow[]>
  /** Number of records regardless of the query, once listed. */
  count(resource: Resource): number
  /** How the hosts of a list stand, once listed; empty for records of the database. */
  hosts(resource: Resource): readonly HostEntry[]
  prepare(names: readonly ResourceName[]): Promise<void>
  /** Has hosts read for those of these fields that need it, before their list is read. Errors: AppError of the call. */
  ask(resource: Resource, fields: readonly string[]): Promise<void>
  get(resource: Resource, id: number): Promise<AnyRow>
  /** Runs a pure function over records; loads lists that it missed and runs it again. */
  read<T>(look: (view: View) => T): Promise<T>
  view(): View
}

/** More than any list has, to read all pages. */
const allRecords = 1_000_000
/** Maximum number of titles loaded for references. */
const namesAtMost = 200

/** `warn` is called for invalid rows. `on`: the query over servers whose records of hosts are read; default: all. `hosts` is called with how they stand. */
export function createRecords({
  connection,
  warn,
  on = '',
  hosts: hear,
}: {
  connection: { readonly client: Pick<Client, 'send' | 'list' | 'get' | 'capabilities'>; now(): number }
  warn(resource: Resource, reason: string): Promise<void>
  on?: string
  hosts?(entries: readonly HostEntry[]): Promise<void>
}): Records {
  const known = new Map<ResourceName, readonly AnyRow[]>()
  let abilities: readonly string[] | null = null
  const counts = new Map<ResourceName, number>()
  const heard = new Map<ResourceName, readonly HostEntry[]>()

  const coming = new Map<string, Promise<readonly AnyRow[]>>()
  const list: Records['list'] = (resource, asked = {}) => {
    const query = resource.host
      ? { on, ...asked }
      : resource.wire.paging === 'server'
        ? { limit: allRecords, ...asked }
        : undefined
    const key = `${resource.name} ${JSON.stringify(query)}`
    const rows = coming.get(key) ?? fetchList(resource, query)
    coming.set(key, rows)
    return rows
  }
  const fetchList = async (resource: Resource, query: PageQuery | undefined) => {
    const listed = await connection.client.list(resource, query ? { query } : {}).catch(asUnsupported(resource))
    const { rows, bad, total, pages, hosts } = listed
    for (const { reason } of bad) await warn(resource, reason)
    const before = query ? (known.get(resource.name) ?? []) : []
    const ids = new Set(rows.map(({ id }) => id))
    known.set(resource.name, [...rows, ...before.filter(({ id }) => !ids.has(id))])
    counts.set(resource.name, pages?.all ?? total ?? rows.length)
    if (hosts) {
      heard.set(resource.name, hosts)
      await hear?.(hosts)
    }
    return rows
  }

  /** Titles are optional: a user who may not read them sees IDs. */
  const listForNames = async (name: ResourceName): Promise<void> => {
    const resource = resourceByName(name)
    if (resource === undefined) return void known.set(name, [])
    const query = resource.wire.paging === 'server' ? { limit: namesAtMost } : undefined
    await list(resource, query).catch((thrown: unknown) => {
      if (!isRefused(thrown) && !['noRoute', 'unsupported', 'failed'].includes(toAppError(thrown).code)) throw thrown
      known.set(name, [])
    })
  }

  return {
    list,
    count: ({ name }) => counts.get(name) ?? 0,
    hosts: ({ name }) => heard.get(name) ?? [],
    prepare: async (names) => void (await Promise.all(names.map(listForNames))),
    async ask(resource, fields) {
      if (askedOf(resource, fields).length === 0) return
      const known = abilities ?? (await connection.client.capabilities())
      abilities = known
      const asked = askedOf(resource, fields, { supports: (name) => known.includes(name) })
      // Without permission the fields have no data, which is what they say.
      await askHosts(connection.client, asked).catch((thrown: unknown) => {
        if (!isRefused(thrown)) throw thrown
      })
    },
    get: (resource, id) => connection.client.get(resource, id).catch(asUnsupported(resource)),
    async read(look) {
      for (;;) {
        const missing: Missing = { lists: new Set(), abilities: false }
        const isComplete = () => missing.lists.size === 0 && !missing.abilities
        try {
          const result = look(viewOf({ known, abilities, missing, now: connection.now() }))
          if (isComplete()) return result
        } catch (thrown) {
          // What isn't loaded yet may be why.
          if (isComplete()) throw thrown
        }
        if (missing.abilities) abilities = await connection.client.capabilities()
        await Promise.all([...missing.lists].map(listForNames))
      }
    },
    view: () => viewOf({ known, abilities, missing: { lists: new Set(), abilities: false }, now: connection.now() }),
  }
}

export function isRefused(thrown: unknown): boolean {
  return ['forbidden', 'tokenForbidden'].includes(toAppError(thrown).code)
}

function asUnsupported(resource: Resource): (thrown: unknown) => never {
  return (thrown) => {
    const isMissing = resource.requires !== null && toAppError(thrown).code === 'noRoute'
    throw isMissing ? new AppError('unsupported', { capability: resource.requires }, { cause: thrown }) : thrown
  }
}

interface Missing {
  readonly lists: Set<ResourceName>
  abilities: boolean
}

/** A view that records in `missing` what it doesn’t have. */
function viewOf(of: {
  known: ReadonlyMap<ResourceName, readonly AnyRow[]>
  abilities: readonly string[] | null
  missing: Missing
  now: number
}): View {
  const { known, abilities, missing, now } = of
  const all = (name: ResourceName): readonly AnyRow[] => {
    const rows = known.get(name)
    if (!rows) missing.lists.add(name)
    return rows ?? []
  }
  const find = (name: ResourceName, id: number) => all(name).find((row) => row.id === id)
  return {
    now,
    all,
    find,
    supports(capability) {
      if (abilities === null) missing.abilities = true
      return abilities?.includes(capability) ?? true
    },
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
