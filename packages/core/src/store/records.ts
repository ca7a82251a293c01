import { batch, type Observable } from '@legendapp/state'
import * as z from 'zod'
import { createHostReading, type HostReading, type Listed, type PageQuery } from '../actions/index.ts'
import type { Cancel, Client, Ports } from '../api/index.ts'
import { type AnyRow, lazy, type Resource, type ResourceName } from '../define/index.ts'
import { toAppError } from '../errors/index.ts'
import { resourceByName, resources } from '../resources/index.ts'
import { type Collection, createCollection, type Lift, type ListState, type Row$ } from './collection.ts'
import type { Remembered, RememberedKey } from './remembered.ts'

/** All records that are known here, per resource. */
export interface Records {
  list$(name: ResourceName): Observable<ListState>
  /** One record; its value is undefined while it is not known. */
  row$(name: ResourceName, id: number): Row$
  /** One record as `loadOne` got it, which may tell more than the list. */
  detail$(name: ResourceName, id: number): Row$
  /** Rises when records of the resource came, went or changed, but not with live figures. */
  version$(name: ResourceName): Observable<number>
  /** The record as it is now, without subscribing. The store's own object: never change it. */
  peek(name: ResourceName, id: number): AnyRow | undefined
  /** All listed records as they are now, in the server's order, in a list of the caller's own. */
  peekAll(name: ResourceName): AnyRow[]
  /** Asks for the list; joins a request under way. Never rejects: what went wrong is in the list's state. `query` is kept for later loads. */
  load(name: ResourceName, query?: PageQuery): Promise<void>
  /** Asks for up to `count` more records of a list that the server pages; nothing while a request is under way or when all are here. */
  loadMore(name: ResourceName, count: number): Promise<void>
  /** Loads all records of the present query, and waits for what is under way. */
  loadAll(name: ResourceName): Promise<void>
  /** True once somebody asked for the list. */
  isAsked(name: ResourceName): boolean
  /** True while the list is on screen. */
  isWatched(name: ResourceName): boolean
  /**
   * Asks for lists anew although a request may be under way: its answer would be older than what just happened. The first answer of a
   * list is let come nevertheless, so that there is something to see. Lists nobody asked for stay alone.
   */
  refresh(names: readonly ResourceName[]): Promise<void>
  /** Loads a list that is on screen. Returns the function to call when it leaves the screen, which cancels its request unless another caller watches the list. */
  watch(name: ResourceName): Cancel
  /** Asks for one record and keeps it. Errors: those of the client. */
  loadOne(name: ResourceName, id: number): Promise<AnyRow>
  /** Asks for some records of a list that the server pages, beside the list; they are known then. Returns their ids. Errors: those of the client. */
  find(name: ResourceName, query: PageQuery): Promise<readonly number[]>
  /** Sets fields of a known record, through the answer of a list that is on its way; with `quiet` the version stays. */
  patch(name: ResourceName, id: number, changes: Readonly<Record<string, unknown>>, quiet?: boolean): void
  /** Shows fields of a known record other than the server has them, through every answer, until it is lifted. */
  overlay(name: ResourceName, id: number, changes: Readonly<Record<string, unknown>>): Lift
  /** Takes records out that are known to be gone. */
  forget(name: ResourceName, ids: readonly number[]): void
  /** Empties everything; with `who`, then fills in what that person saw last, until the lists arrive. */
  open(who: string | null): void
}

/** What the store is built from. */
export interface RecordsOptions {
  client: Pick<Client, 'list' | 'get'>
  clock: Pick<Ports, 'now' | 'setTimer'>
  remembered: Remembered
}

interface Loading {
  done: Promise<void>
  abort: AbortController
  /** What was told of records since the request left: its answer may be older, and what is newer than this is told as well. */
  told: Map<number, { changes: Readonly<Record<string, unknown>>; quiet: boolean | undefined }>
}

const savedRows = lazy(() => z.object({ who: z.string(), at: z.number(), rows: z.array(z.unknown()) }))
/** More rows than this are not remembered for the first paint; the first screens are. */
const maxRemembered = 1000

/** Builds an empty store of all resources. */
export function createRecords$({ client, clock, remembered }: RecordsOptions): Records {
  const collections = new Map<ResourceName, Collection>()
  const loadings = new Map<ResourceName, Loading>()
  const queries = new Map<ResourceName, PageQuery>()
  const watchers = new Map<ResourceName, number>()
  /** What is known of hosts, by the resource whose records live there. */
  const readings = new Map<ResourceName, HostReading>()
  const polls = new Map<ResourceName, Cancel>()
  /** Lists that have had an answer since the person came. */
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
      owner && { who: owner, at: loadedAt, rows: kept },
    )
  }
  const restore = (resource: Resource) => {
    const saved = savedRows().safeParse(remembered.read(rememberedKey(resource.name), `rows:${resource.name}`))
    if (!saved.success || saved.data.who !== owner) return
    const rows = saved.data.rows.flatMap((row) => resource.read.safeParse(row).data ?? [])
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
  /** Asks hosts again and again while their records are on screen. */
  const pollLater = ({ name, host }: Resource) => {
    if (!host) return
    polls.get(name)?.()
    polls.set(
      name,
      clock.setTimer(() => {
        polls.delete(name)
        if (watchers.has(name) && !loadings.has(name)) start(resourceByName(name))
      }, host.refresh.shownMs),
    )
  }

  /** With `more`, only what follows the records that are here is asked for. */
  const start = (resource: Resource, more = 0): Loading => {
    const { name } = resource
    const { list$, rows: known, take, patch } = of(name)
    const abort = new AbortController()
    const loading: Loading = { abort, done: Promise.resolve(), told: new Map() }
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
        // Records that came meanwhile move the others down: what is here already is not listed twice.
        const before = new Set(here)
        const rows = [...here.flatMap((id) => known.peek(id) ?? []), ...listed.rows.filter(({ id }) => !before.has(id))]
        const { bad, total, pages, hosts = [] } = listed
        batch(() => {
          take(rows, { bad, total, pages, hosts, query, loadedAt: clock.now(), status: 'ready' })
          for (const [id, { changes, quiet }] of loading.told) patch(id, changes, quiet)
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
    // A newer request took its place: only its answer is what was asked for.
    if (loadings.has(name)) await load(name)
  }

  const isAsked = (name: ResourceName) => of(name).list$.peek().status !== 'empty' || watchers.has(name)

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
    isAsked,
    isWatched: (name) => watchers.has(name),
    async loadMore(name, count) {
      const { ids, total } = of(name).list$.peek()
      if (loadings.has(name) || total === null || ids.length >= total) return
      await start(resourceByName(name), Math.min(count, total - ids.length)).done
    },
    async loadAll(name) {
      // A list that is asked for meanwhile takes the place of what was to come.
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
      await Promise.all(names.filter(isAsked).map(again))
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
    patch(name, id, changes, quiet) {
      const told = loadings.get(name)?.told
      told?.set(id, { changes: { ...told.get(id)?.changes, ...changes }, quiet })
      of(name).patch(id, changes, quiet)
    },
    overlay: (name, id, changes) => of(name).overlay(id, changes),
    forget: (name, ids) => of(name).remove(ids),
    open(who) {
      for (const name of loadings.keys()) cancel(name)
      for (const { empty } of collections.values()) empty()
      answered.clear()
      readings.clear()
      owner = who
      if (who !== null) resources.forEach(restore)
      for (const name of watchers.keys()) void load(name)
    },
  }
}

/** True if one record by itself tells more than the list, so that the list must not write over it. */
function hasDetails({ wire }: Resource): boolean {
  return wire.shape === 'many' && wire.verbs.includes('get')
}

/** The spec's store that a resource's rows are kept in: its own family's, else `main`. */
function rememberedKey(name: ResourceName): RememberedKey {
  const families = ['server', 'notification'] as const
  return families.find((family) => name === family || name === `${family}-group`) ?? 'main'
}

function withoutSecrets(resource: Resource, row: AnyRow): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([field]) => resource.fields[field]?.kind !== 'secret'))
}
