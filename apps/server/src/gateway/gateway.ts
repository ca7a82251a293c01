import type { IncomingHttpHeaders, IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { AppError } from '@qd/core/errors'
import { Hono } from 'hono'
import { healthAnswer, safeJson } from '../api/http/answer.ts'
import { sendAboutServer, sendBusy } from '../api/http/blocked.ts'
import { createAnswering } from '../api/http/listening.ts'
import type { HttpEnv } from '../api/http/request.ts'
import type { AskApi } from '../api/routes/first-answers.ts'
import { createPages } from '../api/routes/pages.ts'
import type { Config } from '../config.ts'
import { stopInTurn } from '../kernel/engine.ts'
import { jsonOf } from '../kernel/json.ts'
import { createClientAddresses, createProxyWarnings } from '../kernel/net/client-address.ts'
import { listen, originOf } from '../kernel/net/port.ts'
import { createTurns } from '../kernel/net/turns.ts'
import { createUnauthenticated, isOfThisMachine } from '../kernel/net/unauthenticated.ts'
import type { Upstream } from '../kernel/upstream.ts'
import type { Outside, RunningServer } from '../server.ts'
import { createForwarding, sendFailure } from './forward.ts'
import { type Asker, forUpstream, ownCookies } from './headers.ts'
import { createProbe } from './probe.ts'
import { beginningOf, createTarget, type Target } from './target.ts'

/** How long a page waits for embedded data; the console can fetch it itself. */
const timeoutMs = 500
const maxBytes = 4 * 1024 * 1024

/** Requests embedded data as the page's visitor. Errors, timeouts and oversized responses fail; successes are safe inside HTML. */
function createAsk(parts: {
  upstream: Upstream
  target: Target
  askerOf(request: IncomingMessage): Asker
  isUp(): boolean
}): (incoming: IncomingMessage) => AskApi {
  const { upstream, target, askerOf, isUp } = parts
  return (incoming) => (path) =>
    new Promise((resolve) => {
      const fail = () => resolve(new Response(null, { status: 503 }))
      if (!isUp()) return fail()
      const asker = askerOf(incoming)
      const kept = pick(incoming.headers, ['cookie', 'authorization', 'user-agent', 'accept-language'])
      const own = { ...kept, accept: 'application/json', 'accept-encoding': 'identity' }
      const headers = forUpstream({ headers: own, httpVersion: '1.1' }, asker, upstream)
      const request = target.send({ method: 'GET', path: `/api/v1/${path}`, headers, reuse: true })
      const timer = setTimeout(() => request.destroy(), timeoutMs)
      request.on('error', fail)
      request.on('close', () => clearTimeout(timer))
      request.once('response', (answer) => {
        if (answer.statusCode !== 200) {
          answer.destroy()
          return fail()
        }
        void beginningOf(answer, maxBytes).then((text) => {
          const json = safeSuccess(text)
          if (json === null) return fail()
          const cookies = ownCookies(answer.headers['set-cookie'], asker)
          resolve(new Response(json, { headers: cookies.map((line): [string, string] => ['set-cookie', line]) }))
        })
      })
      request.end()
    })
}

const pick = (headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)))

function safeSuccess(text: string): string | null {
  const answer = jsonOf(text) as { success?: unknown } | null | undefined
  return answer?.success === true ? safeJson(JSON.stringify(answer)) : null
}

const firstProbeMs = 3000

export type RunningGateway = Pick<RunningServer, 'address' | 'origin' | 'stop'> & { container: null }

/** Serves our console and passes `/api/v1` and `/mcp` to one dashboard. No database, no agents. Errors: Refusal; an unreachable dashboard is none. */
export async function startGateway(
  config: Config,
  upstream: Upstream,
  outside: Pick<Outside, 'clock' | 'random' | 'log' | 'descriptors'>,
): Promise<RunningGateway> {
  const { clock, random, log } = outside
  if (upstream.url.protocol === 'http:' && !isNear(upstream.url.hostname))
    log.warn(`connecting to ${upstream.url.origin} without TLS; passwords are sent unencrypted`)
  const clients = createClientAddresses(config.trustProxy, createProxyWarnings(log))
  const unauthenticated = createUnauthenticated({ ...clients, ...outside, isOwn: isOfThisMachine })
  const target = createTarget(upstream)
  const probe = createProbe({ upstream, target, clock, log })
  const askerOf = (request: IncomingMessage) => ({ address: clients.of(request), isSecure: clients.isSecure(request) })
  const forwarding = createForwarding({ upstream, target, clock, unauthenticated, askerOf, found: () => probe.found() })
  const ask = createAsk({ upstream, target, askerOf, isUp: () => probe.found().problem === null })
  const page = createPages({ folder: config.web, random, settings: { get: () => probe.found().settings } })

  const app = new Hono<HttpEnv>()
  app.on('GET', ['/healthz', '/readyz'], () => {
    const { problem } = probe.found()
    return healthAnswer(problem && `cannot use the dashboard at ${upstream.url.host}: ${problem}`)
  })
  app.notFound((context) => page(context, ask(context.env.incoming)))
  const pages = getRequestListener(app.fetch, { overrideGlobalObjects: false, hostname: 'localhost' })

  const answering = createAnswering()
  const turns = createTurns()
  const http: RequestListener = (request, response) => {
    answering.track(response)
    const place = placeOf(request.url ?? '')
    const begin = () => {
      if (request.url === '*') return sendAboutServer(response)
      if (place === 'api' || place === 'mcp') forwarding.http(request, response, place)
      else if (place === 'own') void pages(request, response)
      else sendFailure(response, new AppError('noRoute'))
    }
    if (!turns.enter({ of: clients.of(request), request, response, begin })) sendBusy(response)
  }
  const upgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (placeOf(request.url ?? '') === 'api' && request.url?.startsWith('/api/v1/ws/'))
      forwarding.upgrade(request, socket, head)
    else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  }
  // Agents connect to the dashboard itself.
  const port = await listen(config, { unauthenticated, http, upgrade, grpc: (socket) => socket.destroy() })
  const probed = probe.start()
  await Promise.race([probed, new Promise<void>((resolve) => clock.after(firstProbeMs, resolve))])

  let stopping: Promise<readonly string[]> | null = null
  async function stop(): Promise<readonly string[]> {
    port.refuse()
    probe.stop()
    forwarding.endSockets()
    await stopInTurn([{ name: 'http', stop: answering.idle }], log)
    await port.close()
    target.close()
    return []
  }
  return {
    container: null,
    address: port.address,
    origin: originOf(config, port.address),
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}

const isNear = (host: string) => /^(localhost|127\.[\d.]+|\[::1\])$/.test(host)

/** `own`: answered by this server. */
type Place = 'api' | 'mcp' | 'own' | 'none'

/** Path characters of RFC 3986, 3.3. */
const plainPath = /^(\/([\w.~!$&'()*+,;=:@-]|%[\da-f]{2})*)+$/i
/** Escapes that could be read as separator, dot, escape or end. */
const ambiguous = /%(2f|5c|2e|25|00)/i

/** Absolute-form targets lead nowhere. Below `/api` and `/mcp`, so do ambiguous paths: `.`, `..`, empty segments, escaped separators, backslashes. */
function placeOf(url: string): Place {
  const [path = ''] = url.split(/[?#]/, 1)
  if (!path.startsWith('/') || path.startsWith('//')) return 'none'
  if (!/^\/api|^\/mcp(\/|$)/.test(path)) return 'own'
  if (!plainPath.test(path) || ambiguous.test(path)) return 'none'
  const segments = path.split('/').slice(1)
  const isStrange = (segment: string, index: number) =>
    segment === '.' || segment === '..' || (segment === '' && index < segments.length - 1)
  if (segments.some(isStrange)) return 'none'
  if (path.startsWith('/api/v1/')) return 'api'
  return /^\/mcp(\/(download|upload)\/[^/]+)?$/.test(path) ? 'mcp' : 'none'
}
