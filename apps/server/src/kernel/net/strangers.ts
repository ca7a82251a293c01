import type { IncomingMessage } from 'node:http'
import type { ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { neighbourhood, plainAddress } from './address-ranges.ts'
import { createFairBudget, type FairBudget } from './fair-budget.ts'

const KiB = 1024
const MiB = 1024 * KiB

/** What a connection may make the server hold before anybody on it has proved who they are; TLS and HTTP/2 take more on top. */
export const costs = { connection: 24 * KiB, tls: 64 * KiB, http2: 224 * KiB } as const
/**
 * What the strangers of one address, and all of them, may make the server hold: for their connections, and for what is on top. Two
 * budgets, as who held a part of one and waited for more of it would keep others from ending.
 */
export const bounds = { each: 6 * MiB, all: 24 * MiB } as const
/** Strangers' connections of one address and of all, those that wait included; fewer where the system gives few descriptors. */
export const connections = { each: 3072, all: 4096 } as const
/** How long a stranger may take to say something whole: a first request, a request's body, a call with good credentials. */
export const patienceMs = 10_000
/**
 * The same for who speaks HTTP/2: an agent calls at once. It must be short, as Node leaves a connection that broke the protocol open,
 * says nothing of it and does not notice either that the other end has gone (issue 11.3).
 */
export const agentPatienceMs = 4000
/** The same for programs on this machine: where they are slow, the server is busy too. */
const ownPatienceMs = 30_000
/** Connections that are begun in one turn of the event loop. */
const perTurn = 2
/** Streams of HTTP/2 that a stranger’s connection may have at once, and open in all; reset or refused ones count too. `known`: at once after a good call. */
export const streams = { atOnce: 4, inAll: 16, known: 250 } as const
/** How long an address is not mentioned in the log again. */
const quietMs = 60_000

/** Connections on which nobody has proved who they are (issue 11.1, S-56). */
export interface Strangers {
  /** A new connection: `begin` is called when there is room for it; where too many wait it is cut. */
  enter(socket: Socket, begin: () => void): void
  /** It turned out to speak something that costs more; `begin` is called when there is room for that. */
  speaks(kind: 'tls' | 'http2', socket: Socket, begin: () => void): void
  /** A request has come; its body may not take for ever. */
  heard(request: IncomingMessage): void
  /** Somebody proved who they are: by `address:port` of the peer. */
  vouch(peer: string): void
  /** A connection begins to speak HTTP/2, with `streams.atOnce`. */
  watch(session: ServerHttp2Session): void
}

interface Stranger {
  socket: Socket
  who: string
  giveBack: (() => void)[]
  stopWaiting: () => void
  timer: NodeJS.Timeout | null
  isKnown: boolean
  /** Called once it is no stranger any more. */
  known: () => void
}

/** `address:port` of the other end, the same for a connection and what runs inside it. */
export const peerOf = ({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string =>
  `${remoteAddress}:${remotePort}`

/**
 * Counts strangers. `trusts` names proxies, whose connections carry many people and are not counted; `isOwn` the machine's own
 * addresses, which are bound only together with all others.
 */
export function createStrangers(parts: {
  trusts(address: string): boolean
  isOwn(address: string): boolean
  /** Files and connections that the system lets this process have open. */
  descriptors: number
  log: Pick<Logger, 'warn'>
}): Strangers {
  const { trusts, isOwn, log } = parts
  const most = Math.min(connections.all, Math.floor(parts.descriptors / 2))
  const mostOfOne = Math.floor((most * connections.each) / connections.all)
  /** Strangers by who they are, and by `address:port`. */
  const open = new Map<string, Set<Stranger>>()
  const byPeer = new Map<string, Stranger>()
  let openOfAll = 0
  const told = new Map<string, number>()
  const createBudget = () =>
    createFairBudget({
      all: bounds.all,
      each: (who) => (isOwn(who) ? bounds.all : bounds.each),
      // Who may wait is decided by connections.
      waiting: { each: connections.all, all: connections.all },
      perTurn,
      soon: setImmediate,
    })
  const [forConnections, forMore] = [createBudget(), createBudget()]

  function tell(who: string, text: string): void {
    const now = performance.now()
    if (now - (told.get(who) ?? Number.NEGATIVE_INFINITY) < quietMs) return
    if (told.size > 1000) told.clear()
    told.set(who, now)
    log.warn({ address: who }, text)
  }

  function cut(stranger: Stranger): void {
    // A socket that HTTP/2 reads by itself does not notice that the other end has gone.
    stranger.socket.destroy()
  }

  function arm(stranger: Stranger, ms: number): void {
    rest(stranger)
    const timer = setTimeout(late, isOwn(stranger.who) ? ownPatienceMs : ms)
    timer.unref()
    stranger.timer = timer
    function late() {
      // Where the server itself was busy, what was sent meanwhile is still unread: first that.
      setImmediate(() => setImmediate(() => stranger.timer === timer && cut(stranger)))
    }
  }

  function rest(stranger: Stranger): void {
    if (stranger.timer) clearTimeout(stranger.timer)
    stranger.timer = null
  }

  /** Makes room for one more of `who`: where there is none, at the expense of who has most. False if that is `who`. */
  function makeRoom(who: string): boolean {
    const own = open.get(who)?.size ?? 0
    if (own >= (isOwn(who) ? most : mostOfOne)) return false
    if (openOfAll < most) return true
    const [greediest] = [...open.values()].sort((one, other) => other.size - one.size)
    const newest = [...(greediest ?? [])].at(-1)
    if (!greediest || !newest || greediest.size <= own) return false
    forget(newest)
    cut(newest)
    return true
  }

  /** Counts it no longer: it is gone, or no stranger any more. */
  function forget(stranger: Stranger): void {
    if (stranger.isKnown) return
    stranger.isKnown = true
    const all = open.get(stranger.who)
    all?.delete(stranger)
    if (all?.size === 0) open.delete(stranger.who)
    openOfAll -= 1
    rest(stranger)
    stranger.stopWaiting()
    for (const giveBack of stranger.giveBack.splice(0)) giveBack()
  }

  function ask(budget: FairBudget, stranger: Stranger, bytes: number, begin: () => void): void {
    const stop = budget.take(stranger.who, bytes, (giveBack) => {
      if (stranger.isKnown || stranger.socket.destroyed) giveBack()
      else stranger.giveBack.push(giveBack)
      if (!stranger.socket.destroyed) begin()
    })
    if (stop) stranger.stopWaiting = stop
    else cut(stranger)
  }

  return {
    enter(socket, begin) {
      const address = plainAddress(socket.remoteAddress ?? '')
      if (trusts(address)) return begin()
      const who = neighbourhood(address)
      if (!makeRoom(who)) {
        tell(who, 'closed connections from this address: too many without a sign-in')
        socket.destroy()
        return
      }
      const stranger: Stranger = {
        socket,
        who,
        giveBack: [],
        stopWaiting: () => {},
        timer: null,
        isKnown: false,
        known: () => {},
      }
      const peer = peerOf(socket)
      byPeer.set(peer, stranger)
      open.set(who, (open.get(who) ?? new Set()).add(stranger))
      openOfAll += 1
      socket.once('close', () => {
        // A client that ends and dials again may get the same port before its former connection is seen to be gone.
        if (byPeer.get(peer) === stranger) byPeer.delete(peer)
        forget(stranger)
      })
      ask(forConnections, stranger, costs.connection, () => {
        if (!stranger.isKnown) arm(stranger, patienceMs)
        begin()
      })
    },
    speaks(kind, socket, begin) {
      const stranger = byPeer.get(peerOf(socket))
      if (!stranger || stranger.isKnown) return begin()
      // While it waits for the server it may take its time.
      rest(stranger)
      ask(forMore, stranger, costs[kind], () => {
        if (!stranger.isKnown) arm(stranger, kind === 'http2' ? agentPatienceMs : patienceMs)
        begin()
      })
    },
    heard(request) {
      const stranger = byPeer.get(peerOf(request.socket))
      if (!stranger || stranger.isKnown) return
      const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
      if (coding === undefined && length === '0') return rest(stranger)
      arm(stranger, patienceMs)
      request.once('end', () => rest(stranger))
    },
    vouch(peer) {
      const stranger = byPeer.get(peer)
      if (!stranger || stranger.isKnown) return
      forget(stranger)
      stranger.known()
    },
    watch(session) {
      const stranger = byPeer.get(peerOf(session.socket))
      const allowMore = () => {
        if (!session.closed && !session.destroyed) session.settings({ maxConcurrentStreams: streams.known })
      }
      if (!stranger || stranger.isKnown) return allowMore()
      stranger.known = allowMore
      let opened = 0
      session.on('stream', () => {
        opened += 1
        if (opened > streams.inAll && !stranger.isKnown) cut(stranger)
      })
    },
  }
}
