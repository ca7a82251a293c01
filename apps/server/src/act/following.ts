import { isDeepStrictEqual } from 'node:util'
import { type AnyRow, type Resource, type ResourceName, titleOf, type Values, type View } from '@qd/core/define'
import { hasSelection, renamedGroup, resourceByName, selectedTargets, server } from '@qd/core/resources'
import type { Base } from '../base.ts'
import type { Engine } from '../kernel/engine.ts'
import type { StoredRow } from '../store/records/rows.ts'

/** Agents' reports change servers without an event. */
const checkEveryMs = 10_000

export function createFollowing(
  base: Pick<Base, 'kept' | 'accounts' | 'clock' | 'log' | 'servers' | 'serverGroups'>,
): Engine {
  const { kept, accounts, clock, log, servers, serverGroups } = base
  const follow = createFollow(base)
  const followers = kept.filter(({ resource }) => hasSelection(resource))
  let unlisten: (() => void)[] = []
  let cancel = () => {}
  let known = ''
  let isDue = false
  let working: Promise<void> = Promise.resolve()
  let problem: string | null = null

  async function bringUpToDate(): Promise<void> {
    for (const { resource, records } of followers) {
      for (const row of records.all()) {
        const before: Values = { ...row }
        const wanted = follow(resource, before, row.owner_id)
        const isSame = Object.entries(wanted).every(([field, value]) => isDeepStrictEqual(before[field], value))
        if (isSame) continue
        // Resolved again in its turn: the record may have changed.
        await records.update(row.id, (now) => ({ ...now, ...follow(resource, { ...now }, now.owner_id) }), {
          isCleaning: true,
        })
      }
    }
  }

  function due() {
    if (isDue) return
    isDue = true
    working = working
      .then(() => {
        isDue = false
        return bringUpToDate()
      })
      .then(
        () => {
          problem = null
        },
        (error: unknown) => {
          problem = 'failed to update servers from queries'
          log.error({ err: error }, problem)
        },
      )
  }

  async function rename(from: string, to: string): Promise<void> {
    for (const { records } of followers) {
      for (const row of records.all()) {
        const { server_query: before = '' } = row as { server_query?: string }
        const text = renamedGroup(before, { from, to })
        if (text !== before)
          await records.update(row.id, (now) => ({ ...now, server_query: text }), { isCleaning: true })
      }
    }
  }

  function check() {
    cancel = clock.after(checkEveryMs, check)
    const now = [servers, serverGroups, accounts].map((one) => one.version()).join('.')
    if (now !== known) due()
    known = now
  }

  return {
    name: 'following',
    async start() {
      unlisten = [
        servers.onChange(due),
        serverGroups.onChange(({ before, after }) => {
          const isRenamed = before && after && before.name !== after.name
          if (isRenamed) working = working.then(() => rename(before.name, after.name))
          due()
        }),
      ]
      due()
      check()
    },
    problem: () => problem,
    async stop() {
      cancel()
      for (const stop of unlisten) stop()
      await working
    },
  }
}

/** The server lists of a record that follows a query, among its owner's servers; empty if it follows none (behaviours N-03, D4). */
export type Follow = (resource: Resource, values: Readonly<Record<string, unknown>>, ownerId: number) => Values

export function createFollow({ kept, accounts, clock }: Pick<Base, 'kept' | 'accounts' | 'clock'>): Follow {
  const rowsOf = (name: ResourceName): readonly AnyRow[] =>
    (kept.find(({ resource }) => resource.name === name)?.records.all() ?? []) as readonly (StoredRow & AnyRow)[]
  return (resource, values, ownerId) => {
    if (values.follows !== true) return {}
    const owner = accounts.ownerOf(ownerId)
    const seesAllServers = ownerId === 0 || owner?.admin === true
    const servers = () => rowsOf('server').filter((row) => seesAllServers || row.owner_id === ownerId)
    return selectedTargets(resource, values, viewOf({ rowsOf, servers, now: clock.now() }))
  }
}

/** What a query looks at besides a row, from these records. */
export function viewOf({
  rowsOf,
  servers,
  now,
}: {
  rowsOf(name: ResourceName): readonly AnyRow[]
  servers(): readonly AnyRow[]
  now: number
}): View {
  const lists = new Map<ResourceName, readonly AnyRow[]>()
  const all = (name: ResourceName) => {
    const rows = lists.get(name) ?? (name === server.name ? servers() : rowsOf(name))
    lists.set(name, rows)
    return rows
  }
  const find = (name: ResourceName, id: number) => all(name).find((row) => row.id === id)
  const indexes = new Map<string, Map<number, number[]>>()
  return {
    now,
    all,
    find,
    title(name, id) {
      const resource = resourceByName(name)
      const row = find(name, id)
      return resource && row ? titleOf(resource, row) : null
    },
    referring(name, field, id) {
      const key = `${name}.${field}`
      const index = indexes.get(key) ?? indexOf(all(name), field)
      indexes.set(key, index)
      return index.get(id) ?? []
    },
    trend: () => [],
  }
}

function indexOf(rows: readonly AnyRow[], field: string): Map<number, number[]> {
  const index = new Map<number, number[]>()
  for (const row of rows)
    for (const id of row[field] as readonly number[]) index.set(id, [...(index.get(id) ?? []), row.id])
  return index
}
