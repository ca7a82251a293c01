import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Logger } from 'pino'
import { hasQueryToken } from '../../access/gate.ts'
import type { Base } from '../../base.ts'
import type { Config } from '../../config.ts'
import { createClientAddresses } from '../../kernel/net/client-address.ts'
import { apiHeaders, strictTransport } from '../../kernel/net/headers.ts'
import { listen, type Port, type PortParts } from '../../kernel/net/port.ts'
import { createTurns } from '../../kernel/net/turns.ts'
import { createUnauthenticated, isOfThisMachine } from '../../kernel/net/unauthenticated.ts'
import type { Engines } from '../container.ts'
import { createFirewallCheck, endBlocked, type Refused, sendAboutServer, sendBlocked, sendBusy } from './blocked.ts'
import type { NatRelay } from './nat-relay.ts'
import type { HttpEnv } from './request.ts'

export function createListening(parts: {
  base: Pick<Base, 'firewall' | 'clients' | 'gate' | 'clock'>
  engines: Pick<Engines, 'answerPlain' | 'acceptUpgrade'>
  app: Hono<HttpEnv>
  answering: Answering
  nat: NatRelay
}) {
  const { base, engines, app, answering, nat } = parts
  // HTTP/1.0 has no Host header.
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false, hostname: 'localhost' })
  const turns = createTurns()
  const answer: RequestListener = (request, response) => {
    if (request.url === '*') return sendAboutServer(response)
    // None of our paths has one, and parsers disagree on it (S-44).
    if (request.url?.includes('\\')) request.url = '/not-found'
    if (!request.url?.startsWith('/api/v1/ws/') || !engines.answerPlain(request, response))
      void listener(request, response)
  }
  const checkFirewall = createFirewallCheck(base)
  /** Synchronous if possible: few callers are blocked. */
  const passed = (request: IncomingMessage, go: (refused: Refused | null) => void) => {
    const judged = checkFirewall(request)
    if (judged instanceof Promise) void judged.then(go)
    else go(judged)
  }
  return {
    http(request: IncomingMessage, response: ServerResponse) {
      // Also while it waits for its turn: a stop that didn't know of it would close the database before.
      answering.track(response)
      // First: NAT visitors aren't identified (contract engines 7).
      if (nat.http(request, response)) return
      // Behind a proxy, this is the proxy's decision.
      if ((request.socket as Partial<TLSSocket>).encrypted) response.setHeader(...strictTransport)
      passed(request, (refused) => {
        if (refused) return void sendBlocked(response, refused, base.clock.now())
        const begin = () => answer(request, response)
        const user = base.gate.userOf(request)
        const of = user === null ? base.clients.of(request) : `user ${user}`
        if (!turns.enter({ of, request, response, begin })) sendBusy(response)
      })
    },
    upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
      if (nat.upgrade(request, socket, head)) return
      passed(request, (refused) => {
        if (refused) endBlocked(socket)
        else if (hasQueryToken(request)) refuse(socket, '401 Unauthorized')
        else if (!engines.acceptUpgrade(request, socket, head)) refuse(socket, '404 Not Found')
      })
    },
  }
}

function refuse(socket: Socket, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

type Answering = ReturnType<typeof createAnswering>

export function createAnswering() {
  let count = 0
  let waiting: (() => void)[] = []
  return {
    track(response: ServerResponse): void {
      count += 1
      response.once('close', () => {
        count -= 1
        if (count > 0) return
        for (const resolve of waiting) resolve()
        waiting = []
      })
    },
    idle: (): Promise<void> => (count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}

const standby = 'this server is a standby; it answers when the active server is gone'

/** What the port answers while the server isn't the active one. `unready`: the status of `/readyz`. */
const withStatus = (unready: 404 | 503): Pick<PortParts, 'http' | 'upgrade' | 'grpc'> => ({
  http({ url = '' }, response) {
    const [path] = url.split('?')
    const status = path === '/healthz' ? 200 : path === '/readyz' ? unready : 503
    const headers = { ...apiHeaders, 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' }
    response.writeHead(status, status === 503 ? { ...headers, 'Retry-After': '1' } : headers)
    response.end(JSON.stringify(status === 200 ? { success: true } : { error: standby }))
  },
  upgrade: (_request, socket) => socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n'),
  // Agents try again by themselves.
  grpc: (socket) => socket.destroy(),
})

const asStandby = withStatus(503)

/** After 404, a balancer sends no more calls, but cuts none that has begun (haproxy’s `disable-on-404`). */
export const asStopping = withStatus(404)

/** Answers on the server's port while it waits for the database: it is well, but not ready. Errors: Refusal. */
export function listenAsStandby(config: Config, outside: { log: Logger; descriptors: number }): Promise<Port> {
  const clients = createClientAddresses(config.trustProxy)
  const unauthenticated = createUnauthenticated({ ...clients, ...outside, isOwn: isOfThisMachine })
  return listen(config, { unauthenticated, ...asStandby })
}
