import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import { sessionCookies } from '@qd/core/api'
import { AppError, toAppError } from '@qd/core/errors'
import { sessionCookieOf } from '../access/cookies.ts'
import { hasQueryToken, sameOrigin } from '../access/gate.ts'
import { failure } from '../api/http/answer.ts'
import { apiHeaders } from '../kernel/net/headers.ts'
import { peerOf, type Unauthenticated } from '../kernel/net/unauthenticated.ts'
import type { Clock } from '../kernel/ports.ts'
import { texts } from '../kernel/texts.ts'
import type { Upstream } from '../kernel/upstream.ts'
import { type Asker, forClient, forUpstream, linesOfUpgrade } from './headers.ts'
import type { Found } from './probe.ts'
import { elsewhere, noDashboard, pageProblem, timedOut, unreachable } from './problems.ts'
import { beginningOf, type Target } from './target.ts'

/** Response timeouts in seconds; `/mcp` may run a command. */
const patience = { api: 60, mcp: 660 } as const
/** Maximum silence within a body. */
const stalledMs = 300_000
const pageBytes = 64 * 1024
/** Per address; dashboards allow 40 sessions per server. */
const maxSockets = 512

interface Parts {
  upstream: Upstream
  target: Target
  clock: Pick<Clock, 'after'>
  unauthenticated: Pick<Unauthenticated, 'authenticated' | 'heard'>
  askerOf(request: IncomingMessage): Asker
  found(): Pick<Found, 'isOther' | 'wasSeen'>
}

const isSafe = (method: string) => method === 'GET' || method === 'HEAD'

/** Streams calls with back-pressure. Cross-site requests are refused here, because the dashboard gets its own `Origin` (behaviours S-17, S-20). */
export function createForwarding({ upstream, target, clock, unauthenticated, askerOf, found }: Parts) {
  const sockets = new Map<Socket, string>()

  function demandOwnPage(request: IncomingMessage, isChange: boolean): void {
    const { 'sec-fetch-site': site = '' } = request.headers
    const isOther = site === 'cross-site' || site === 'same-site'
    // A sign-in provider redirects from its own site.
    const mayCome = request.url?.startsWith('/api/v1/oauth2/callback?') || !request.url?.startsWith('/api/')
    if ((isChange && !sameOrigin(request)) || (isOther && !mayCome)) throw new AppError('csrf', { text: texts.origin })
    if (request.url?.startsWith('/api/') && hasQueryToken(request)) throw new AppError('unauthorized')
  }

  /** `switched` receives the dashboard's websocket. */
  function relay(
    { request, response, seconds }: { request: IncomingMessage; response: ServerResponse; seconds: number },
    switched?: (answer: IncomingMessage, upstreamSocket: Duplex, head: Buffer) => void,
    isSecondTry = false,
  ): void {
    const asker = askerOf(request)
    const { method = 'GET', headers } = request
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    const reuse = isSafe(method) && !hasBody && !switched && !isSecondTry
    const outgoing = target.send({
      method,
      path: request.url ?? '/',
      headers: forUpstream(request, asker, upstream, switched !== undefined),
      reuse,
    })
    let isLate = false
    const settle = clock.after(seconds * 1000, () => {
      isLate = true
      outgoing.destroy()
    })
    const leave = () => {
      settle()
      outgoing.destroy()
    }
    response.once('close', leave)
    outgoing.setTimeout(stalledMs, () => outgoing.destroy())
    outgoing.once('response', (answer) => {
      settle()
      if (isSignedIn(request, answer)) unauthenticated.authenticated(peerOf(request.socket))
      void passBack(answer, request, response).catch((thrown: unknown) => sendFailure(response, thrown))
    })
    if (switched)
      outgoing.once('upgrade', (answer: IncomingMessage, socket: Duplex, head: Buffer) => {
        settle()
        response.off('close', leave)
        outgoing.setTimeout(0)
        switched(answer, socket, head)
      })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      settle()
      request.unpipe(outgoing)
      if (response.headersSent || response.destroyed) return void response.destroy()
      const isStale = reuse && outgoing.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '')
      response.off('close', leave)
      if (isStale) return relay({ request, response, seconds }, undefined, true)
      sendFailure(response, isLate ? timedOut(upstream, seconds) : unreachable(error, upstream, found()).error)
    })
    if (hasBody) request.pipe(outgoing)
    else outgoing.end()
  }

  async function passBack(answer: IncomingMessage, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const status = answer.statusCode ?? 502
    const isLeading = status >= 300 && status < 400
    const away = isLeading ? elsewhere(upstream, request.url ?? '/', answer.headers.location) : null
    if (away) {
      answer.destroy()
      throw away.error
    }
    const isPage = /^text\/html/i.test(answer.headers['content-type'] ?? '')
    if (isPage && (status === 403 || status >= 502)) {
      const text = await beginningOf(answer, pageBytes)
      const challenged = answer.headers['cf-mitigated'] === 'challenge'
      const problem = pageProblem({ status, text, challenged }, upstream)
      if (problem) throw problem.error
    }
    // Dashboards send their own pages for unknown paths.
    if (isPage && found().isOther) {
      answer.destroy()
      throw noDashboard(upstream, status).error
    }
    response.writeHead(status, { ...apiHeaders, ...forClient(answer, askerOf(request), upstream) } as Record<
      string,
      string
    >)
    // If either side breaks off, both end: a truncated body must not look whole.
    pipeline(answer, response, () => {})
    // After the first body bytes; a stream may stay silent for long.
    setImmediate(() => response.writableEnded || response.flushHeaders())
  }

  return {
    http(request: IncomingMessage, response: ServerResponse, place: 'api' | 'mcp'): void {
      try {
        demandOwnPage(request, !isSafe(request.method ?? 'GET'))
      } catch (thrown) {
        return void sendFailure(response, thrown)
      }
      if (request.url?.startsWith('/mcp/upload/')) unauthenticated.authenticated(peerOf(request.socket))
      relay({ request, response, seconds: patience[place] })
    },
    upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
      socket.on('error', () => socket.destroy())
      unauthenticated.heard(request)
      const response = new ServerResponse(request)
      response.assignSocket(socket)
      response.shouldKeepAlive = false
      response.once('finish', () => socket.end())
      const { address } = askerOf(request)
      try {
        if (request.method !== 'GET' || request.headers.upgrade?.toLowerCase() !== 'websocket')
          throw new AppError('noRoute')
        demandOwnPage(request, true)
        if ([...sockets.values()].filter((one) => one === address).length >= maxSockets)
          throw new AppError('tooMany', { seconds: 10 })
      } catch (thrown) {
        return void sendFailure(response, thrown)
      }
      sockets.set(socket, address)
      socket.once('close', () => sockets.delete(socket))
      relay({ request, response, seconds: patience.api }, (answer, other, otherHead) => {
        response.detachSocket(socket)
        if (socket.destroyed) return void other.destroy()
        socket.write(linesOfUpgrade(answer))
        if (otherHead.length > 0) socket.write(otherHead)
        if (head.length > 0) other.write(head)
        // Each half ends separately, so that a last message arrives.
        socket.pipe(other).pipe(socket)
        other.on('error', () => other.destroy()).once('close', () => socket.destroySoon())
        socket.once('close', () => other.destroy())
      })
    },
    endSockets(): void {
      for (const socket of sockets.keys()) socket.destroy()
    },
  }
}

/** Answers in the envelope of contract http-api 1.1. */
export function sendFailure(response: ServerResponse, thrown: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy()
  const answer = failure(toAppError(thrown), { realm: 'gateway' })
  void answer.text().then((text) => {
    response.writeHead(answer.status, { ...apiHeaders, ...Object.fromEntries(answer.headers) }).end(text)
  })
}

/** Whether the dashboard has accepted credentials. A refusal carries `WWW-Authenticate` (contract http-api 1.3). */
function isSignedIn(request: IncomingMessage, { statusCode, headers }: IncomingMessage): boolean {
  if (statusCode !== 200 || headers['www-authenticate'] !== undefined) return false
  if (headers['set-cookie']?.some((line) => sessionCookies.some((name) => new RegExp(`^${name}=[^;]`).test(line))))
    return true
  const hasCredentials = sessionCookieOf(request) !== null || request.headers.authorization !== undefined
  return hasCredentials && request.url === '/api/v1/profile'
}
