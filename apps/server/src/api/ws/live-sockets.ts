import { demand, zeroInstant } from '@qd/core/define'
import { server as serverResource } from '@qd/core/resources'
import type { WebSocket } from 'ws'
import type { RunProgress } from '../../act/runs/open-runs.ts'
import type { Base } from '../../base.ts'
import type { LiveState } from '../../fleet/live/live-store.ts'
import { type LiveView, liveViewOf, type Online, publicHostOf } from '../../fleet/live/view.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Engine } from '../../kernel/engine.ts'
import type { ServerRow } from '../../store/records/rows.ts'
import type { WatchedHosts } from '../../watch/hosts/watched.ts'
import { beatMs, type ChangeFrames, createChangeFrames } from './change-frames.ts'
import { createPending } from './pending.ts'
import { demandSignedIn, type SocketRoute } from './upgrades.ts'

export const liveProtocol = 'quarterdeck.live.v1'

export interface LiveSockets {
  readonly engine: Engine
  readonly route: SocketRoute
  online(): readonly Online[]
}

interface LiveSocket {
  who: Online
  ws: WebSocket
  view: LiveView
  changesOnly: boolean
  sent: number
  /** Epoch ms since frames are skipped; null while it keeps up. */
  behindSince: number | null
  lastFrameAt: number
}

const mergeMs = 250
const pingEvery = 4
/** Skipped with this much unsent, and dropped after `timeoutMs`. */
const maxUnsentBytes = 1024 * 1024
const timeoutMs = 30_000

/** The live feed; frames are encoded once per view (contract http-api 5.2, docs/reference/live-feed.md). */
export function createLiveSockets(
  base: Base,
  { live, watched }: { live: LiveState; watched: Pick<WatchedHosts, 'of' | 'onChange'> },
  onProgress: (listen: (run: RunProgress) => void) => unknown,
): LiveSockets {
  const { clock } = base
  const open = new Set<LiveSocket>()
  const full = createFullFrames(base, live)
  let merging = false
  let cancelMerge = () => {}
  let cancelTick = () => {}
  let ticks = 0

  const hasChangeSockets = () => [...open].some(({ changesOnly }) => changesOnly)
  const soon = () => {
    if (merging) return
    if (!hasChangeSockets()) return pending.clear()
    merging = true
    cancelMerge = clock.after(mergeMs, () => flush())
  }
  const pending = createPending(base, onProgress, () => soon())
  const changes: ChangeFrames = createChangeFrames(base, { live, watched }, pending)
  const touch = (id: number) => {
    changes.touch(id)
    soon()
  }
  live.onChange(touch)
  watched.onChange(touch)
  base.servers.onChange(({ id }) => touch(id))

  // What runs on hosts is shown or hidden at once.
  let membersSeeHosts = base.settings.get().members_see_hosts
  base.settings.onChange(() => {
    if (membersSeeHosts === base.settings.get().members_see_hosts) return
    membersSeeHosts = !membersSeeHosts
    flush()
    for (const socket of open)
      if (socket.changesOnly && !isBehind(socket)) send(socket, changes.reset(socket.view, open.size))
  })

  /** False if the frame was skipped because the reader is slow. */
  function send(socket: LiveSocket, bytes: Buffer): boolean {
    if (socket.ws.bufferedAmount > maxUnsentBytes) {
      socket.behindSince ??= clock.now()
      return false
    }
    socket.ws.send(bytes, { binary: false })
    socket.sent += 1
    socket.lastFrameAt = clock.now()
    return true
  }

  function isBehind(socket: LiveSocket): boolean {
    if (socket.behindSince === null) return false
    if (socket.ws.bufferedAmount > 0) {
      if (clock.now() - socket.behindSince > timeoutMs) socket.ws.terminate()
      return true
    }
    socket.behindSince = null
    if (socket.changesOnly) send(socket, changes.reset(socket.view, open.size))
    return socket.changesOnly
  }

  function flush() {
    cancelMerge()
    merging = false
    const sockets = [...open].filter(({ changesOnly }) => changesOnly)
    const frames = changes.changes([...new Map(sockets.map(({ view }) => [view.key, view])).values()])
    for (const socket of sockets) {
      const bytes = frames.get(socket.view.key)
      if (!isBehind(socket) && bytes) send(socket, bytes)
    }
  }

  function tick() {
    ticks += 1
    const made = new Map<string, Buffer>()
    const heartbeat = Buffer.from(`{"now":${clock.now()}}`)
    const someBehind = [...open].some(({ changesOnly, behindSince }) => changesOnly && behindSince !== null)
    if (someBehind) flush()
    for (const socket of open) {
      if (socket.changesOnly) {
        if (ticks % pingEvery === 0) socket.ws.ping()
        const quietFor = clock.now() - socket.lastFrameAt
        // A feed is silent for at most one and a half beats.
        if (socket.behindSince === null && quietFor >= beatMs / 2) send(socket, heartbeat)
      } else if (!isBehind(socket)) {
        const bytes = made.get(socket.view.key) ?? full.frame(socket.view, { first: false, online: open.size })
        made.set(socket.view.key, bytes)
        if (send(socket, bytes) && socket.sent % pingEvery === 0) socket.ws.ping()
      }
    }
    cancelTick = clock.after(beatMs, tick)
  }

  let isStopping = false
  const tellOnline = ({ id }: Online) =>
    isStopping || base.announcements.announce({ resource: 'online-user', id, ownerId: null })
  let joined = 0
  function join(ws: WebSocket, caller: Caller, client: string) {
    const changesOnly = ws.protocol === liveProtocol
    const view = liveViewOf(caller.viewer)
    // Other sockets first, so that their state matches its first frame.
    if (changesOnly) flush()
    joined += 1
    const who: Online = { id: joined, caller, connectedAt: clock.now(), client: client.slice(0, 256) }
    const socket: LiveSocket = { who, ws, view, changesOnly, sent: 0, behindSince: null, lastFrameAt: clock.now() }
    open.add(socket)
    tellOnline(who)
    const remove = base.sockets.add(caller, (reason) => ws.close(1008, reason))
    ws.on('error', () => ws.terminate())
    ws.on('close', () => {
      open.delete(socket)
      remove()
      tellOnline(who)
    })
    send(socket, changesOnly ? changes.reset(view, open.size) : full.frame(view, { first: true, online: open.size }))
  }

  return {
    online: () => [...open].map(({ who }) => who),
    route: {
      path: /^server$/,
      protocol: liveProtocol,
      admit(caller, request) {
        if (base.settings.get().force_auth) demandSignedIn(caller)
        demand(caller.viewer, { audience: 'guest', scope: serverResource.scopes.read })
        return (ws) => join(ws, caller, request.headers['user-agent'] ?? '')
      },
    },
    engine: {
      name: 'live-feed',
      async start() {
        cancelTick = clock.after(beatMs, tick)
      },
      async stop() {
        isStopping = true
        cancelTick()
        cancelMerge()
        for (const { ws } of open) ws.close(1001)
      },
    },
  }
}

interface Texts {
  row: ServerRow
  version: number
  cached: Map<string, string>
}

function createFullFrames({ servers, clock }: Pick<Base, 'servers' | 'clock'>, live: LiveState) {
  const texts = new Map<number, Texts>()

  function textOf(row: ServerRow, first: boolean, all: boolean): string {
    const version = live.versionOf(row.id)
    let entry = texts.get(row.id)
    if (entry?.row !== row || entry.version !== version) {
      entry = { row, version, cached: new Map() }
      texts.set(row.id, entry)
    }
    const variant = `${first} ${all}`
    const known = entry.cached.get(variant)
    if (known !== undefined) return known
    const text = JSON.stringify(toFullRow(row, live, first, all))
    entry.cached.set(variant, text)
    return text
  }

  servers.onChange(({ before, after }) => {
    if (before && !after) texts.delete(before.id)
  })
  return {
    frame(view: LiveView, { first, online }: { first: boolean; online: number }): Buffer {
      const rows = servers.all().filter(view.sees)
      const list = rows.map((row) => textOf(row, first, view.seesAll(row))).join(',')
      const now = Math.floor(clock.now() / 1000) * 1000
      return Buffer.from(`{"now":${now},"online":${online}${list && `,"servers":[${list}]`}}`)
    },
  }
}

/** The contract's row without empty values; `last_seen_at` and those of maintenance are ours. */
function toFullRow(row: ServerRow, live: LiveState, first: boolean, all: boolean) {
  const host = live.hostOf(row.id)
  const active = live.lastActive(row.id)
  const seen = active === null ? live.lastSeen(row.id) : null
  const { until, next } = live.maintenanceOf(row.id)
  const country = live.geoipOf(row.id).country_code
  return {
    id: row.id,
    name: row.name || undefined,
    public_note: (first && row.public_note) || undefined,
    display_index: row.display_index || undefined,
    host: all ? host : publicHostOf(host),
    state: live.sampleOf(row.id),
    country_code: country || undefined,
    last_active: active === null ? zeroInstant : new Date(active).toISOString(),
    maintenance_until: until ?? undefined,
    next_maintenance: next ?? undefined,
    ...(seen === null ? {} : { last_seen_at: new Date(seen).toISOString() }),
  }
}
