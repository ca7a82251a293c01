import { batch, type Observable, observable } from '@legendapp/state'
import { type Cancel, type Client, createLive, type LiveState, liveProtocol, type Ports } from '../api/index.ts'
import type { ResourceName, View } from '../define/index.ts'
import { fieldOf } from '../define/index.ts'
import { resources, server } from '../resources/index.ts'
import { createFrameReader, type FrameReader, type LiveUpdate } from './live-frames.ts'
import { createPast } from './past.ts'
import type { Records } from './records.ts'
import { createTrends } from './trends.ts'

/** How recent the live figures are. */
export interface LiveStatus {
  feed: LiveState
  /** Epoch ms of this machine's clock when the feed last said something; null before. */
  heardAt: number | null
  /** Open live sockets of all people; null if unknown. */
  online: number | null
}

/** Live figures of servers, merged into the records. */
export interface LiveStore {
  state$: Observable<LiveStatus>
  start(): void
  stop(): void
  retryNow(): void
  /** The machine has lost its network: the feed counts as lost at once. */
  disconnect(): void
  /**
   * Epoch ms of the server's clock; without a feed, of the newest data: who was online then is not called offline now.
   * Inside an observing context it is evaluated again every few seconds.
   */
  now(): number
  /** The last minutes of one figure of a record: what the server's history knows of them, and what came since. */
  trend: View['trend']
}

/** What the store is built from. */
export interface LiveStoreOptions {
  ports: Pick<Ports, 'openSocket' | 'now' | 'random' | 'setTimer'>
  baseUrl: string
  client: Pick<Client, 'socketHeaders' | 'capabilities' | 'send'>
  records: Pick<Records, 'patch' | 'peek' | 'peekAll' | 'list$' | 'forget' | 'refresh' | 'isAsked' | 'isWatched'>
  /** The records of trends: whoever builds derived values for them. */
  view(): View
}

const tickMs = 5000
/** Ticks after which figures of a call of their own are asked for again: an existing dashboard counts a result every 30 s. */
const ticksOfFigures = 6
/** Lists are asked for again at most this often, however many messages say that they are out of date. */
const refreshEveryMs = 1000

/** Figures whose last minutes are kept: what a server shows live and is a number. */
const figures = server.columns
  .filter(({ live, field }) => live && ['percent', 'rate', 'number'].includes(fieldOf(server, field).kind))
  .map(({ field }) => field)

/** Builds the live store, stopped. */
export function createLive$({ ports, baseUrl, client, records, view }: LiveStoreOptions): LiveStore {
  const state$ = observable<LiveStatus>({ feed: { status: 'off' }, heardAt: null, online: null })
  const tick$ = observable(0)
  const trends = createTrends()
  const versions = new Map<string, number>()
  const clock = createServerClock(ports)
  const past = createPast({
    client,
    ports,
    trends,
    figures,
    now: () => clock.now(),
    find: (id) => records.peek('server', id),
    view,
  })
  /** Ids that a refresh did not bring: a member sees servers of others live, but not in the list. */
  const unlisted = new Set<number>()
  const stale = new Set<ResourceName>()
  /** The server says when its records change. */
  let isTold = true
  let read: FrameReader = createFrameReader(versions)
  /** Since the last first frame of a connection. */
  let wasLost = false
  let cancelTick: Cancel = () => undefined
  let cancelRefresh: Cancel | null = null

  const refreshSoon = (names: readonly ResourceName[]) => {
    // What is asked for from now on is newer than what says so.
    for (const name of names) if (records.isAsked(name)) stale.add(name)
    if (stale.size === 0 || cancelRefresh) return
    cancelRefresh = ports.setTimer(() => {
      cancelRefresh = null
      void records.refresh([...stale])
      stale.clear()
    }, refreshEveryMs)
  }

  const takeServers = ({ servers, now }: LiveUpdate) => {
    for (const { id, fields } of servers) records.patch('server', id, fields, true)
    const current = view()
    for (const { id, at } of servers) {
      const row = at === null ? undefined : records.peek('server', id)
      if (!row || at === null) continue
      for (const figure of figures) {
        const value = server.derived[figure]?.(row, current)
        if (typeof value === 'number') trends.add(id, figure, value, Math.min(now, at))
      }
    }
  }

  /** Servers that came or went make the list out of date; ids that the list does not know even then are not asked for again. */
  const takeMembers = ({ servers, all, gone }: LiveUpdate) => {
    const fresh = servers.filter(({ id }) => !unlisted.has(id) && !records.peek('server', id))
    for (const { id } of fresh) unlisted.add(id)
    const left = all ? records.peekAll('server').filter(({ id }) => !all.has(id)) : []
    const lost = gone.filter((id) => records.peek('server', id))
    if (lost.length > 0) records.forget('server', lost)
    if (fresh.length > 0 || left.some(({ id }) => !unlisted.has(id))) refreshSoon(['server', 'server-group'])
    for (const { id } of left) unlisted.add(id)
  }

  const takeRuns = ({ runs }: LiveUpdate) => {
    for (const { id, ...fields } of runs) records.patch('run', id, fields)
    if (runs.some(({ id, finished_at }) => finished_at !== null || !records.peek('run', id))) refreshSoon(['run'])
  }

  const feed = createLive({
    ports,
    baseUrl,
    headers: () => client.socketHeaders(),
    async protocols() {
      isTold = (await client.capabilities()).includes('live-changes')
      return isTold ? [liveProtocol] : []
    },
    onState(state) {
      state$.feed.set(state)
      if (state.status === 'off') wasLost = false
      if (state.status !== 'lost') return
      wasLost = true
      // A socket does not tell why there is none; a call does.
      if (state.attempt === 2) refreshSoon(['server'])
    },
    onFrame(frame, first) {
      if (first) {
        read = createFrameReader(versions)
        // What failed meanwhile, or changed without a word, is asked for again; a socket that only hesitated has missed nothing.
        if (wasLost) refreshSoon(resources.map(({ name }) => name))
        wasLost = false
      }
      const update = read(frame)
      if (!update) return
      clock.hear(update.now)
      batch(() => {
        takeServers(update)
        takeMembers(update)
        takeRuns(update)
        state$.heardAt.set(ports.now())
        if (update.online !== null) state$.online.set(update.online)
      })
      refreshSoon(update.stale)
    },
  })
  const tick = () => {
    tick$.set((count) => count + 1)
    if (tick$.peek() % ticksOfFigures === 0) {
      if (!isTold)
        refreshSoon(resources.filter(({ name, wire }) => wire.load && records.isWatched(name)).map(({ name }) => name))
      // A proxy may let calls through and no sockets.
      if (state$.feed.status.peek() === 'lost') refreshSoon(['server'])
    }
    cancelTick = ports.setTimer(tick, tickMs)
  }
  const now = () => {
    tick$.get()
    if (state$.feed.status.get() === 'live') return clock.now()
    const dataAt = Math.max(state$.heardAt.get() ?? 0, records.list$('server').loadedAt.get() ?? 0)
    return clock.now() - (dataAt > 0 ? ports.now() - dataAt : 0)
  }
  return {
    state$,
    start() {
      cancelTick()
      cancelTick = ports.setTimer(tick, tickMs)
      feed.start()
    },
    stop() {
      cancelTick()
      cancelRefresh?.()
      cancelRefresh = null
      feed.stop()
      trends.clear()
      past.clear()
      unlisted.clear()
      versions.clear()
    },
    retryNow: () => feed.retryNow(),
    disconnect: () => feed.disconnect(),
    now,
    trend(resource, id, figure) {
      if (resource !== 'server') return []
      past.want(id)
      return trends.of(id, figure, now())
    },
  }
}

/** The server's clock as far as its messages tell. A message is only ever late, so the largest of the last differences is the best. */
function createServerClock(ports: Pick<Ports, 'now'>): { now(): number; hear(serverNow: number): void } {
  const differences: number[] = []
  return {
    now: () => ports.now() + (differences.length > 0 ? Math.max(...differences) : 0),
    hear(serverNow) {
      differences.push(serverNow - ports.now())
      if (differences.length > 15) differences.shift()
    },
  }
}
