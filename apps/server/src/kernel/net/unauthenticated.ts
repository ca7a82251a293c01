import type { IncomingMessage } from 'node:http'
import type { ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { neighbourhood, plainAddress } from './address-ranges.ts'

/** Unauthenticated connections of one address and in all; fewer if the system gives few descriptors. */
const maxConnections = { each: 3072, all: 4096 } as const
/** How many of them may speak TLS (64 KiB each) and HTTP/2 (224 KiB each, within TLS on top of it) at the same time: 24 and 21 MiB. The others wait, unread. */
const maxCostly = { tls: { each: 96, all: 384 }, http2: { each: 24, all: 96 } } as const
/** Time for a first request, a request's body, a TLS handshake, a call with valid credentials, and for a place among those that speak HTTP/2. */
const timeoutMs = 10_000
/**
 * The same over HTTP/2: an agent calls at once. It must be short, as Node leaves a connection that broke the protocol open, emits nothing
 * and doesn't notice either that the other end has gone.
 */
const http2TimeoutMs = 4000
/** The same for programs on this machine: if they are slow, the server is busy too. */
const ownTimeoutMs = 30_000
/** Streams of HTTP/2 that an unauthenticated connection may have at once, and open in all; reset or refused ones count too. `known`: at once after a good call. */
export const streams = { atOnce: 4, inAll: 16, known: 250 } as const
/** One log line of an address in this time. */
const logEveryMs = 60_000

/** Connections on which nobody has shown a valid session, API token or agent secret: capped per address and in all, with a time limit. */
export interface Unauthenticated {
  /** A new connection: calls `begin`, or closes it if there are too many. */
  enter(socket: Socket, begin: () => void): void
  /** It turned out to speak something that costs more; `begin` is called when there is room for that. */
  speaks(kind: CostlyKind, socket: Socket, begin: () => void): void
  /** A request has come; its body has a time limit. */
  heard(request: IncomingMessage): void
  /** The peer at `address:port` has shown valid credentials: the limits no longer apply to its connection. */
  authenticated(peer: string): void
  /** A connection begins to speak HTTP/2, with `streams.atOnce`. */
  watch(session: ServerHttp2Session): void
}

type CostlyKind = keyof typeof maxCostly

interface Connection {
  socket: Socket
  address: string
  peer: string
  timer: NodeJS.Timeout | null
  /** Each gives back a place among the costly ones, or stops waiting for it. */
  leaves: (() => void)[]
  known: () => void
}

/** `address:port` of the other end, the same for a connection and what runs inside it. */
export const peerOf = ({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string =>
  `${remoteAddress}:${remotePort}`

/**
 * Caps unauthenticated connections. `trusts` names proxies, whose connections carry many people and are not counted; `isOwn` the machine's own
 * addresses, which are capped only together with all others.
 */
export function createUnauthenticated(parts: {
  trusts(address: string): boolean
  isOwn(address: string): boolean
  /** Files and connections that the system lets this process have open. */
  descriptors: number
  log: Pick<Logger, 'warn'>
}): Unauthenticated {
  const { trusts, isOwn, log } = parts
  const maxAll = Math.min(maxConnections.all, Math.floor(parts.descriptors / 2))
  const maxEach = Math.floor((maxAll * maxConnections.each) / maxConnections.all)
  const byPeer = new Map<string, Connection>()
  const byAddress = new Map<string, Set<Connection>>()
  const places = { tls: createPlaces(maxCostly.tls, isOwn), http2: createPlaces(maxCostly.http2, isOwn) }
  const loggedAt = new Map<string, number>()

  /** Limits the time until the next sign of life; null: there is no limit. */
  function limit(connection: Connection, ms: number | null): void {
    if (connection.timer) clearTimeout(connection.timer)
    connection.timer = null
    if (ms === null) return
    const timer = setTimeout(expire, isOwn(connection.address) ? ownTimeoutMs : ms).unref()
    connection.timer = timer
    function expire() {
      // If the server itself was busy, what arrived meanwhile is still unread: first that.
      setImmediate(() => setImmediate(() => connection.timer === timer && connection.socket.destroy()))
    }
  }

  /** Whether there is room for one more of an address; if there is none in all, the newest of the address that has most makes room. */
  function hasRoom(address: string): boolean {
    const own = byAddress.get(address)?.size ?? 0
    if (own >= (isOwn(address) ? maxAll : maxEach)) return false
    if (byPeer.size < maxAll) return true
    const [most] = [...byAddress.values()].sort((one, other) => other.size - one.size)
    const newest = [...(most ?? [])].at(-1)
    if (!most || !newest || most.size <= own) return false
    forget(newest)
    newest.socket.destroy()
    return true
  }

  /** Counts a connection no longer: it is closed, or authenticated. */
  function forget(connection: Connection): void {
    // A client that ends and dials again may get the same port before its former connection is seen to be gone.
    if (byPeer.get(connection.peer) === connection) byPeer.delete(connection.peer)
    const ofAddress = byAddress.get(connection.address)
    ofAddress?.delete(connection)
    if (ofAddress?.size === 0) byAddress.delete(connection.address)
    limit(connection, null)
    for (const leave of connection.leaves.splice(0)) leave()
  }

  return {
    enter(socket, begin) {
      const plain = plainAddress(socket.remoteAddress ?? '')
      if (trusts(plain)) return begin()
      const address = neighbourhood(plain)
      if (!hasRoom(address)) {
        socket.destroy()
        if (performance.now() - (loggedAt.get(address) ?? Number.NEGATIVE_INFINITY) < logEveryMs) return
        if (loggedAt.size > 1000) loggedAt.clear()
        loggedAt.set(address, performance.now())
        return log.warn({ address }, 'closed connections from this address: too many without a sign-in')
      }
      const peer = peerOf(socket)
      const connection: Connection = { socket, address, peer, timer: null, leaves: [], known: () => {} }
      byPeer.set(peer, connection)
      byAddress.set(address, (byAddress.get(address) ?? new Set()).add(connection))
      socket.once('close', () => forget(connection))
      limit(connection, timeoutMs)
      begin()
    },
    speaks(kind, socket, begin) {
      const connection = byPeer.get(peerOf(socket))
      if (!connection) return begin()
      // Waiting for a TLS place has no limit. Over HTTP/2, Node doesn't notice that a peer has gone, so drop whoever has waited longer than any
      // agent does: a dead waiter would take a place from a living one.
      limit(connection, kind === 'http2' ? timeoutMs : null)
      const leave = places[kind].take(connection.address, () => {
        if (connection.socket.destroyed) return
        limit(connection, kind === 'http2' ? http2TimeoutMs : timeoutMs)
        begin()
      })
      connection.leaves.push(leave)
    },
    heard(request) {
      const connection = byPeer.get(peerOf(request.socket))
      if (!connection) return
      const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
      if (coding === undefined && length === '0') return limit(connection, null)
      limit(connection, timeoutMs)
      request.once('end', () => limit(connection, null))
    },
    authenticated(peer) {
      const connection = byPeer.get(peer)
      if (!connection) return
      forget(connection)
      connection.known()
    },
    watch(session) {
      const connection = byPeer.get(peerOf(session.socket))
      const allowMore = () => {
        if (!session.closed && !session.destroyed) session.settings({ maxConcurrentStreams: streams.known })
      }
      if (!connection) return allowMore()
      connection.known = allowMore
      let opened = 0
      session.on('stream', () => {
        opened += 1
        // A socket that HTTP/2 reads by itself does not notice that the other end has gone.
        if (opened > streams.inAll && byPeer.get(connection.peer) === connection) connection.socket.destroy()
      })
    },
  }
}

/** The places of one kind: one is given in each turn of the event loop, to the address that has the fewest. */
function createPlaces(most: { each: number; all: number }, isOwn: (address: string) => boolean) {
  interface Waiting {
    address: string
    max: number
    begin(): void
  }
  const taken = new Map<string, number>()
  const waiting = new Set<Waiting>()
  let takenOfAll = 0
  let isPlanned = false
  const takenBy = ({ address }: Waiting) => taken.get(address) ?? 0
  function count(one: Waiting, by: 1 | -1): void {
    takenOfAll += by
    taken.set(one.address, takenBy(one) + by)
    if (takenBy(one) === 0) taken.delete(one.address)
  }
  function plan(): void {
    if (isPlanned || waiting.size === 0) return
    isPlanned = true
    setImmediate(() => {
      isPlanned = false
      give()
    })
  }
  function give(): void {
    let next: Waiting | null = null
    for (const one of waiting) if (takenBy(one) < one.max && (!next || takenBy(one) < takenBy(next))) next = one
    if (!next || takenOfAll >= most.all) return
    waiting.delete(next)
    count(next, 1)
    plan()
    next.begin()
  }
  return {
    /** Calls `begin` when there is a place. Returns how to give it back, or to wait no longer. */
    take(address: string, begin: () => void): () => void {
      const entry = { address, max: isOwn(address) ? most.all : most.each, begin }
      waiting.add(entry)
      plan()
      return () => {
        if (!waiting.delete(entry)) count(entry, -1)
        plan()
      }
    },
  }
}
