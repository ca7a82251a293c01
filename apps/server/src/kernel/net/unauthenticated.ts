import type { IncomingMessage } from 'node:http'
import type { ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Logger } from 'pino'
import { neighbourhood, plainAddress } from './address-ranges.ts'

/** Unauthenticated connections; fewer if the system has few descriptors. */
const maxConnections = { each: 3072, all: 4096 } as const
/** Of these with TLS (64 KiB each) and HTTP/2 (224 KiB): 24 and 21 MiB. Others wait unread. */
const maxCostly = { tls: { each: 96, all: 384 }, http2: { each: 24, all: 96 } } as const
/** For the first request, its body, a TLS handshake, a valid call, and a free HTTP/2 place. */
const timeoutMs = 10_000
/** Agents call at once over HTTP/2. Short, because Node keeps a connection with protocol errors open and misses that its peer is gone. */
const http2TimeoutMs = 4000
/** For local programs: if they are slow, the server is busy too. */
const ownTimeoutMs = 30_000
/** HTTP/2 streams of an unauthenticated connection, rejected ones included. `known`: after a valid call. */
export const streams = { atOnce: 4, inAll: 16, known: 250 } as const
const logEveryMs = 60_000

export type Unauthenticated = ReturnType<typeof createUnauthenticated>

type CostlyKind = keyof typeof maxCostly

interface Connection {
  socket: Socket
  address: string
  peer: string
  timer: NodeJS.Timeout | null
  /** For a free HTTP/2 place. */
  isWaiting: boolean
  leaves: (() => void)[]
  known: () => void
}

/** `address:port`, the same inside and outside of TLS. */
export const peerOf = ({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string =>
  `${remoteAddress}:${remotePort}`

export const isOfThisMachine = (address: string): boolean =>
  Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address))

/** `trusts`: proxies, not counted because they carry many users. `isOwn`: own addresses, capped in total only. */
export function createUnauthenticated(parts: {
  trusts(address: string): boolean
  isOwn(address: string): boolean
  descriptors: number
  log: Pick<Logger, 'warn'>
}) {
  const { trusts, isOwn, log } = parts
  const maxAll = Math.min(maxConnections.all, Math.floor(parts.descriptors / 2))
  const maxEach = Math.floor((maxAll * maxConnections.each) / maxConnections.all)
  const byPeer = new Map<string, Connection>()
  const byAddress = new Map<string, Set<Connection>>()
  /** When a connection of these addresses last made a valid call: a fleet that comes back waits for the server, not the server for it. */
  const provenAt = new Map<string, number>()
  const places = { tls: createPlaces(maxCostly.tls, isOwn), http2: createPlaces(maxCostly.http2, isOwn) }
  const loggedAt = new Map<string, number>()

  function limit(connection: Connection, ms: number | null): void {
    if (connection.timer) clearTimeout(connection.timer)
    connection.timer = null
    if (ms === null) return
    const timer = setTimeout(expire, isOwn(connection.address) ? ownTimeoutMs : ms).unref()
    connection.timer = timer
    function expire() {
      // After a blocked event loop, unread data comes first.
      setImmediate(() => setImmediate(() => connection.timer === timer && end()))
    }
    function end() {
      const proven = connection.isWaiting ? provenAt.get(connection.address) : undefined
      const left = proven === undefined ? 0 : proven + timeoutMs - performance.now()
      if (left > 0) limit(connection, left)
      else connection.socket.destroy()
    }
  }

  /** If the total is reached, the address with the most connections loses its newest. */
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

  function forget(connection: Connection): void {
    // A redialing client may reuse the port before its old connection is seen to be gone.
    if (byPeer.get(connection.peer) === connection) byPeer.delete(connection.peer)
    const ofAddress = byAddress.get(connection.address)
    ofAddress?.delete(connection)
    if (ofAddress?.size === 0) {
      byAddress.delete(connection.address)
      provenAt.delete(connection.address)
    }
    limit(connection, null)
    for (const leave of connection.leaves.splice(0)) leave()
  }

  return {
    /** Calls `begin`, or closes the connection if there are too many. */
    enter(socket: Socket, begin: () => void) {
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
      const connection: Connection = {
        socket,
        address,
        peer,
        timer: null,
        isWaiting: false,
        leaves: [],
        known: () => {},
      }
      byPeer.set(peer, connection)
      byAddress.set(address, (byAddress.get(address) ?? new Set()).add(connection))
      socket.once('close', () => forget(connection))
      limit(connection, timeoutMs)
      begin()
    },
    speaks(kind: CostlyKind, socket: Socket, begin: () => void) {
      const connection = byPeer.get(peerOf(socket))
      if (!connection) return begin()
      // TLS places have no wait limit. Over HTTP/2 Node misses that a peer is gone: a dead waiter would block a living one.
      connection.isWaiting = kind === 'http2'
      limit(connection, kind === 'http2' ? timeoutMs : null)
      const leave = places[kind].take(connection.address, () => {
        if (connection.socket.destroyed) return
        connection.isWaiting = false
        limit(connection, kind === 'http2' ? http2TimeoutMs : timeoutMs)
        begin()
      })
      connection.leaves.push(leave)
    },
    heard(request: IncomingMessage) {
      const connection = byPeer.get(peerOf(request.socket))
      if (!connection) return
      const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
      if (coding === undefined && length === '0') return limit(connection, null)
      limit(connection, timeoutMs)
      request.once('end', () => limit(connection, null))
    },
    /** Lifts the limits of the connection from `address:port`. */
    authenticated(peer: string): void {
      const connection = byPeer.get(peer)
      if (!connection) return
      forget(connection)
      if (byAddress.has(connection.address)) provenAt.set(connection.address, performance.now())
      connection.known()
    },
    watch(session: ServerHttp2Session) {
      const connection = byPeer.get(peerOf(session.socket))
      const allowMore = () => {
        if (!session.closed && !session.destroyed) session.settings({ maxConcurrentStreams: streams.known })
      }
      if (!connection) return allowMore()
      connection.known = allowMore
      let opened = 0
      session.on('stream', () => {
        opened += 1
        // A socket read by HTTP/2 misses that the peer has gone.
        if (opened > streams.inAll && byPeer.get(connection.peer) === connection) connection.socket.destroy()
      })
    },
  }
}

/** Places of one kind; one per turn, to the address that has the fewest. */
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
    /** Returns how to release the place, or to stop waiting. */
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
