import { batch, type Observable } from '@legendapp/state'
import * as z from 'zod'
import { createHostReading, type HostReading, type Listed, type PageQuery } from '../actions/index.ts'
import type { Cancel, Client, Ports } from '../api/index.ts'
import { type AnyRow, freshMs, lazy, type Resource, type ResourceName } from '../define/index.ts'
import { toAppError } from '../errors.ts'
import { resourceByName, resources } from '../resources/index.ts'
import { type Collection, createCollection, type Lift, type ListState, type Row$ } from './collection.ts'
import type { Remembered, RememberedKey } from './remembered.ts'

export interface Records {
  list$(name: ResourceName): Observable<ListState>
  row$(name: ResourceName, id: number): Row$
  /** A record from `loadOne`, which may have more fields than the list. */
  detail$(name: ResourceName, id: number): Row$
  /** Increases when records are added, removed or changed, except by live metrics. */
  version$(name: ResourceName): Observable<number>
  /** Doesn’t subscribe. The store’s own object: never change it. */
  peek(name: ResourceName, id: number): AnyRow | undefined
  /** All listed records in the server’s order, in a new array. */
  peekAll(name: ResourceName): AnyRow[]
  /** Loads the list, or joins a request in progress. Never rejects: errors are in the list’s state. Later loads keep `query`. */
  load(name: ResourceName, query?: PageQuery): Promise<void>
  /** Loads up to `count` more records of a paged list, unless a request is in progress. */
  loadMore(name: ResourceName, count: number): Promise<void>
  loadAll(name: ResourceName): Promise<void>
  wasRequested(name: ResourceName): boolean
  isWatched(name: ResourceName): boolean
  /** Reloads requested lists, replacing older requests, except for a list’s first one so that there is something to see. */
  refresh(names: readonly ResourceName[]): Promise<void>
  /** Shows a saved record: from the response if that has it, otherwise by reloading the list. */
  saved(name: ResourceName, row: AnyRow | null): Promise<void>
  /** Loads a list while it is on screen. The returned function ends that and cancels its request unless others watch the list. */
  watch(name: ResourceName): Cancel
  /** Errors: those of the client. */
  loadOne(name: ResourceName, id: number): Promise<AnyRow>
  /** Loads some records of a paged list without listing them. Returns their IDs. Errors: those of the client. */
  find(name: ResourceName, query: PageQuery): Promise<readonly number[]>
  /** Sets fields of a known record, also through the response of a request in progress; with `keepsVersion` the version stays. */
  patch(name: ResourceName, id: number, changes: Readonly<Record<string, unknown>>, keepsVersion?: boolean): void
  overlay(name: ResourceName, id: number, changes: Readonly<Record<string, unknown>>): Lift
  forget(name: ResourceName, ids: readonly number[]): void
  /** Clears everything, unless it is theirs; with `who`, restores what that user saw last until the lists load. */
  open(who: string | null, isTheirs?: boolean): void
}

export interface RecordsOptions {
  client: Pick<Client, 'list' | 'get'>
  clock: Pick<Ports, 'now' | 'setTimer'>
  remembered: Remembered
  /** Identifies the program: rows that it remembered itself are taken as they are, because reading 1,000 takes longer than the rest of a start. */
  build?: string | undefined
}

interface Loading {
  done: Promise<void>
  abort: AbortController
  /** Patches since the request was sent; its response may be older. */
  patches: Map<number, { changes: Readonly<Record<string, unknown>>; keepsVersion: boolean | undefined }>
}

const savedRows = lazy(() =>
  z.object({ who: z.string(), at: z.number(), build: z.string().optional(), rows: z.array(z.unknown()) }),
)
const maxRemembered = 1000

export function createRecords$({ client, clock, remembered, build }: RecordsOptions): Records {
  const collections = new Map<ResourceName, Collection>()
  const loadings = new Map<ResourceName, Loading>()
  const queries = new Map<ResourceName, PageQuery>()
  const watchers = new Map<ResourceName, number>()
  /** What is known of hosts, by the resource whose records live there. */
  const readings = new Map<ResourceName, HostReading>()
  const polls = new Map<ResourceName, Cancel>()
  /** Lists that got a response since the user signed in. */
  const answered = new Set<ResourceName>()
  let owner: string | null = null

  const of = (name: ResourceName): Collection => {
    const known = collections.get(name) ?? createCollection()
    collections.set(name, known)
    return known
  }

  const remember = (resource: Resource) => {
    const { list$, rows } = of(resource.name)
    const { ids, loadedAt } = list$.peek()
    // Of a host only what it says now counts.
    if (resource.host) return
    const kept = ids.slice(0, maxRemembered).flatMap((id) => {
      const row = rows.peek(id)
      return row ? [withoutSecrets(resource, row)] : []
    })
    remembered.write(
      rememberedKey(resource.name),
      `rows:${resource.name}`,
      owner && { who: owner, at: loadedAt, build, rows: kept },
    )
  }
  const restore = (resource: Resource) => {
    const saved = savedRows().safeParse(remembered.read(rememberedKey(resource.name), `rows:${resource.name}`))
    if (!saved.success || saved.data.who !== owner) return
    const isOwn = build !== undefined && saved.data.build === build
    const rows = isOwn
      ? (saved.data.rows as AnyRow[])
      : saved.data.rows.flatMap((row) => resource.read.safeParse(row).data ?? [])
    const state = { bad: [], total: null, pages: null, query: {}, loadedAt: saved.data.at, status: 'empty' } as const
    of(resource.name).take(rows, state)
  }

  const readingOf = (name: ResourceName): HostReading => {
    const on = String(queries.get(name)?.on ?? '')
    const before = readings.get(name)
    const reading = before?.on === on ? before : createHostReading(on)
    readings.set(name, reading)
    return reading
  }
  /** Asks hosts again and again while their records are on screen, unless the server forbids it. */
  const pollLater = ({ name, host }: Resource) => {
    const { hosts, error } = of(name).list$.peek()
    if (!host || error?.code === 'forbidden') return
    const states = error === null ? hosts.map(({ state }) => state) : (['failed'] as const)
    polls.get(name)?.()
    polls.set(
      name,
      clock.setTimer(
        () => {
          polls.delete(name)
          if (watchers.has(name) && !loadings.has(name)) start(resourceByName(name))
        },
        Math.min(host.shownMs, ...states.map((state) => freshMs(host, state))),
      ),
    )
  }

  /** With `more`, loads only what follows the loaded records. */
  const start = (resource: Resource, more = 0): Loading => {
    const { name } = resource
    const { list$, rows: known, take, patch } = of(name)
    const abort = new AbortController()
    const loading: Loading = { abort, done: Promise.resolve(), patches: new Map() }
    const here = more > 0 ? list$.peek().ids : []
    const query = { ...queries.get(name), ...(more > 0 ? { limit: here.length + more } : {}) }
    const part = more > 0 ? { ...query, offset: here.length, limit: more } : query
    const isMine = () => loadings.get(name)?.abort === abort
    const run = async () => {
      list$.status.set('loading')
      try {
        const onPart = ({ rows, bad, hosts = [] }: Listed) => {
          const state = {
            bad,
            hosts,
            total: null,
            pages: null,
            query,
            loadedAt: clock.now(),
            status: 'loading',
          } as const
          if (isMine()) take(rows, state)
        }
        const listed = await client.list(resource, {
          signal: abort.signal,
          ...(queries.has(name) ? { query: part } : {}),
          ...(resource.host && { hosts: { reading: readingOf(name), onPart } }),
        })
        if (!isMine()) return
        if (more > 0) queries.set(name, query)
        // Records added meanwhile shift the others: don’t list loaded ones twice.
        const before = new Set(here)
        const rows = [...here.flatMap((id) => known.peek(id) ?? []), ...listed.rows.filter(({ id }) => !before.has(id))]
        const { bad, total, pages, hosts = [] } = listed
        batch(() => {
          take(rows, { bad, total, pages, hosts, query, loadedAt: clock.now(), status: 'ready' })
          for (const [id, { changes, keepsVersion }] of loading.patches) patch(id, changes, keepsVersion)
        })
        answered.add(name)
        remember(resource)
      } catch (thrown) {
        if (isMine()) list$.assign({ status: 'failed', error: toAppError(thrown) })
      } finally {
        if (isMine()) {
          loadings.delete(name)
          pollLater(resource)
        }
      }
    }
    loadings.set(name, loading)
    loading.done = run()
    return loading
  }
  const cancel = (name: ResourceName) => {
    const loading = loadings.get(name)
    if (!loading) return
    loadings.delete(name)
    loading.abort.abort()
    const { list$ } = of(name)
    list$.status.set(list$.peek().loadedAt === null ? 'empty' : 'ready')
  }
  const load = async (name: ResourceName, query?: PageQuery): Promise<void> => {
    if (query && JSON.stringify(query) !== JSON.stringify(queries.get(name))) {
      cancel(name)
      queries.set(name, query)
    }
    await (loadings.get(name) ?? start(resourceByName(name))).done
    // A newer request replaced this one: wait for its response.
    if (loadings.has(name)) await load(name)
  }

  const wasRequested = (name: ResourceName) => of(name).list$.peek().status !== 'empty' || watchers.has(name)

  return {
    list$: (name) => of(name).list$,
    row$: (name, id) => of(name).rows.row$(id),
    detail$(name, id) {
      const { rows, details } = of(name)
      return (hasDetails(resourceByName(name)) ? details : rows).row$(id)
    },
    version$: (name) => of(name).version$,
    peek: (name, id) => of(name).rows.peek(id) ?? of(name).details.peek(id),
    peekAll(name) {
      const { list$, rows } = of(name)
      return list$.peek().ids.flatMap((id) => rows.peek(id) ?? [])
    },
    load,
    wasRequested,
    isWatched: (name) => watchers.has(name),
    async loadMore(name, count) {
      const { ids, total } = of(name).list$.peek()
      if (loadings.has(name) || total === null || ids.length >= total) return
      await start(resourceByName(name), Math.min(count, total - ids.length)).done
    },
    async loadAll(name) {
      // Another request may replace this one.
      for (let tries = 0; tries < 5; tries += 1) {
        await loadings.get(name)?.done
        const { ids, total } = of(name).list$.peek()
        if (total === null || ids.length >= total) return
        await this.loadMore(name, total - ids.length)
      }
    },
    async refresh(names) {
      const again = async (name: ResourceName) => {
        if (answered.has(name)) cancel(name)
        else await loadings.get(name)?.done
        await load(name)
      }
      // Hosts are read only while their list is on screen.
      const isDue = (name: ResourceName) => (resourceByName(name).host ? watchers.has(name) : wasRequested(name))
      await Promise.all(names.filter(isDue).map(again))
    },
    async saved(name, row) {
      const { list$, rows, save } = of(name)
      const resource = resourceByName(name)
      // A list in progress may be older, and only the server knows a record’s place in a paged one.
      const isWhole = !loadings.has(name) && list$.peek().status === 'ready' && list$.peek().total === null
      if (!row || !isWhole || hasDetails(resource) || isOlder(row, rows.peek(row.id))) return this.refresh([name])
      save(row)
      remember(resource)
    },
    watch(name) {
      watchers.set(name, (watchers.get(name) ?? 0) + 1)
      void load(name)
      let isWatching = true
      return () => {
        if (!isWatching) return
        isWatching = false
        const left = (watchers.get(name) ?? 0) - 1
        if (left > 0) watchers.set(name, left)
        else {
          watchers.delete(name)
          cancel(name)
        }
      }
    },
    async loadOne(name, id) {
      const resource = resourceByName(name)
      const row = await client.get(resource, id)
      if (hasDetails(resource)) of(name).put(row)
      else of(name).know([row])
      return row
    },
    async find(name, query) {
      const { rows } = await client.list(resourceByName(name), { query })
      of(name).know(rows)
      return rows.map(({ id }) => id)
    },
    patch(name, id, changes, keepsVersion) {
      const patches = loadings.get(name)?.patches
      patches?.set(id, { changes: { ...patches.get(id)?.changes, ...changes }, keepsVersion })
      of(name).patch(id, changes, keepsVersion)
    },
    overlay: (name, id, changes) => of(name).overlay(id, changes),
    forget: (name, ids) => of(name).remove(ids),
    open(who, isTheirs = false) {
      if (!isTheirs) {
        for (const name of loadings.keys()) cancel(name)
        for (const { empty } of collections.values()) empty()
        answered.clear()
        readings.clear()
      }
      owner = who
      for (const resource of who === null ? [] : resources) {
        if (answered.has(resource.name)) remember(resource)
        else if (!loadings.has(resource.name)) restore(resource)
      }
      for (const name of watchers.keys()) if (!answered.has(name)) void load(name)
    },
  }
}

/** Whether a single record has more fields than in the list, so that the list must not overwrite it. */
function hasDetails({ wire }: Resource): boolean {
  return wire.shape === 'many' && wire.verbs.includes('get')
}

/** The spec’s storage key of a resource’s rows. */
function rememberedKey(name: ResourceName): RememberedKey {
  const families = ['server', 'notification'] as const
  return families.find((family) => name === family || name === `${family}-group`) ?? 'main'
}

/** Responses may arrive in another order than the server saved. */
function isOlder(row: AnyRow, known: AnyRow | undefined): boolean {
  return Date.parse(String(row.updated_at)) < Date.parse(String(known?.updated_at))
}

function withoutSecrets(resource: Resource, row: AnyRow): Record<string, unknown> {
  const isSecret = (field: string) => resource.fields[field]?.kind === 'secret'
  return Object.fromEntries(Object.entries(row).map(([field, value]) => [field, isSecret(field) ? '' : value]))
}
