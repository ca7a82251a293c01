import { batch, type Observable, observable } from '@legendapp/state'
import { type Cancel, type Client, createLive, type LiveState, liveProtocol, type Ports } from '../api/index.ts'
import type { ResourceName, View } from '../define/index.ts'
import { fieldOf } from '../define/index.ts'
import { resources, server } from '../resources/index.ts'
import { createFrameReader, type FrameReader, type LiveUpdate } from './live-frames.ts'
import { createPast } from './past.ts'
import type { Records } from './records.ts'
import { createTrends } from './trends.ts'

export interface LiveStatus {
  feed: LiveState
  /** Epoch ms of this machine’s clock at the last message. */
  heardAt: number | null
  /** Open live sockets of all users; null if unknown. */
  online: number | null
}

export interface LiveStore {
  state$: Observable<LiveStatus>
  start(): void
  stop(): void
  retryNow(): void
  /** The machine lost its network: treats the feed as lost at once. */
  disconnect(): void
  /** Epoch ms of the server’s clock; without a feed, of the newest data, so that servers don’t go offline. Reevaluated every few seconds by observers. */
  now(): number
  /** The last minutes of a record’s metric, from the history and the feed. */
  trend: View['trend']
}

export interface LiveStoreOptions {
  ports: Pick<Ports, 'openSocket' | 'now' | 'random' | 'setTimer'>
  baseUrl: string
  client: Pick<Client, 'socketHeaders' | 'capabilities' | 'send'>
  records: Pick<Records, 'patch' | 'peek' | 'peekAll' | 'list$' | 'forget' | 'refresh' | 'wasRequested' | 'isWatched'>
  view(): View
}

const tickMs = 5000
/** Ticks between reloads of metrics with their own call: Nezha counts results every 30 s. */
const ticksOfFigures = 6
const refreshEveryMs = 1000

/** Metrics with trends: a server’s live numeric columns. */
const figures = server.columns
  .filter(({ live, field }) => live && ['percent', 'rate', 'number'].includes(fieldOf(server, field).kind))
  .map(({ field }) => field)

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
  /** IDs that a reload didn’t bring: members see servers of others live, but not in the list. */
  const unlisted = new Set<number>()
  const stale = new Set<ResourceName>()
  let saves: LiveUpdate['saved'] = []
  /** Whether the server announces changes of its records. */
  let announcesChanges = true
  let read: FrameReader = createFrameReader(versions)
  /** Since the last first frame of a connection. */
  let wasLost = false
  let cancelTick: Cancel = () => undefined
  let cancelRefresh: Cancel | null = null

  const refreshSoon = (names: readonly ResourceName[], saved: LiveUpdate['saved'] = []) => {
    // Requests from now on are newer than this message.
    for (const name of names) if (records.wasRequested(name)) stale.add(name)
    saves = [...saves, ...saved.filter(({ resource }) => records.wasRequested(resource))]
    if (stale.size + saves.length === 0 || cancelRefresh) return
    cancelRefresh = ports.setTimer(() => {
      cancelRefresh = null
      // What was saved from here came with the response. A record that was loaded by itself isn’t in the list.
      const unknown = saves.filter(
        ({ resource, id, updatedAt }) =>
          records.peek(resource, id)?.updated_at !== updatedAt || !records.list$(resource).ids.peek().includes(id),
      )
      void records.refresh([...new Set([...stale, ...unknown.map(({ resource }) => resource)])])
      stale.clear()
      saves = []
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

  /** Added or removed servers make the list stale; IDs that it doesn’t contain even then are not requested again. */
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
      announcesChanges = (await client.capabilities()).includes('live-changes')
      return announcesChanges ? [liveProtocol] : []
    },
    onState(state) {
      state$.feed.set(state)
      if (state.status === 'off') wasLost = false
      if (state.status !== 'lost') return
      wasLost = true
      // A socket doesn’t tell why it failed; a call does.
      if (state.attempt === 2) refreshSoon(['server'])
    },
    onFrame(frame, first) {
      if (first) {
        read = createFrameReader(versions)
        // Reload what failed or changed meanwhile; a socket that only stalled missed nothing.
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
      refreshSoon(update.stale, update.saved)
    },
  })
  const tick = () => {
    tick$.set((count) => count + 1)
    if (tick$.peek() % ticksOfFigures === 0) {
      if (!announcesChanges)
        refreshSoon(resources.filter(({ name, wire }) => wire.load && records.isWatched(name)).map(({ name }) => name))
      // A proxy may allow calls but no sockets.
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

/** Estimates the server’s clock. Messages can only be late, so the largest of the last differences is best. */
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
