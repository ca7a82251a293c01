import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError, errorTraits, toAppError } from '@qd/core/errors'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Base } from '../../base.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/ports.ts'
import { errorText } from '../../kernel/texts.ts'

interface Answer {
  status: number
  type: string
  body: string
  realm?: string
}

/** Takes over the websocket of an admitted caller. */
type Join = (ws: WebSocket, socket: Socket) => void

export interface SocketRoute {
  path: RegExp
  /** Bytes of the largest message. Default: 4096, for clients that send nothing. */
  maxPayload?: number
  /** The subprotocol that is accepted. */
  protocol?: string
  admit(caller: Caller, request: IncomingMessage): Join | Promise<Join>
}

const usualPayload = 4096

const serverFor = ({ maxPayload = usualPayload, protocol }: SocketRoute) =>
  new WebSocketServer({
    noServer: true,
    maxPayload,
    perMessageDeflate: false,
    ...(protocol && { handleProtocols: (offered) => (offered.has(protocol) ? protocol : false) }),
  })

/**
 * Pings a peer until its socket closes. It counts as lost after `maxSilent` pings in a row without a sign of life; one that is paused (`isHeld`) can't
 * answer. Returns how to note a sign of life other than a pong.
 */
export function keepAlive(
  ws: WebSocket,
  { after }: Pick<Clock, 'after'>,
  parts: { everyMs: number; maxSilent?: number; isHeld?(): boolean },
): () => void {
  const { everyMs, maxSilent = Number.POSITIVE_INFINITY, isHeld = () => false } = parts
  let silent = 0
  let cancel = after(everyMs, ping)
  function ping() {
    if (!isHeld()) silent += 1
    if (silent > maxSilent) return ws.terminate()
    ws.ping()
    cancel = after(everyMs, ping)
  }
  const alive = () => {
    silent = 0
  }
  ws.on('pong', alive)
  ws.on('close', () => cancel())
  return alive
}

const root = '/api/v1/ws/'

const forbidden: Answer = { status: 403, type: 'text/plain; charset=utf-8', body: 'Forbidden\n' }
const notUpgrading: Answer = { status: 400, type: 'text/plain; charset=utf-8', body: 'Bad Request\n' }

/** Refusals are plain responses before the upgrade (contract http-api 5.1, behaviour S-20). */
export function createUpgrades({ gate, settings, log }: Base, routes: readonly SocketRoute[]) {
  function failed(thrown: unknown): Answer {
    const error = toAppError(thrown)
    if (error.code === 'internal') log.error({ err: thrown }, 'failed to open websocket')
    return {
      status: errorTraits[error.code].http,
      type: 'application/json; charset=utf-8',
      body: JSON.stringify({ error: errorText(error) }),
      ...(error.code === 'unauthorized' && { realm: settings.get().site_name.replace(/[^\x20-\x7e]/g, '?') }),
    }
  }
  async function admit(route: SocketRoute, request: IncomingMessage): Promise<Join | Answer> {
    try {
      const caller = await gate.identify(request)
      return gate.sameOrigin(request) ? await route.admit(caller, request) : forbidden
    } catch (thrown) {
      return failed(thrown)
    }
  }
  const served = routes.map((route) => ({ route, server: serverFor(route) }))
  const routeOf = (request: IncomingMessage) => {
    const path = wsPathOf(request)
    return path === null ? undefined : served.find(({ route }) => route.path.test(path))
  }
  return {
    accept(request: IncomingMessage, socket: Socket, head: Buffer): boolean {
      const found = routeOf(request)
      if (!found) return false
      socket.on('error', () => socket.destroy())
      void admit(found.route, request).then((admitted) => {
        if (socket.destroyed) return
        if (typeof admitted !== 'function') refuse(socket, admitted)
        else found.server.handleUpgrade(request, socket, head, (ws) => admitted(ws, socket))
      })
      return true
    },
    answerPlain(request: IncomingMessage, response: ServerResponse): boolean {
      const found = routeOf(request)
      if (!found) return false
      void admit(found.route, request).then((admitted) => {
        const answer = typeof admitted === 'function' ? notUpgrading : admitted
        response.writeHead(answer.status, headersOf(answer)).end(answer.body)
      })
      return true
    },
  }
}

export function wsPathOf({ url = '' }: IncomingMessage): string | null {
  const [path = ''] = url.split('?', 1)
  return path.startsWith(root) ? path.slice(root.length) : null
}

export function demandSignedIn({ viewer }: Caller): void {
  if (viewer.id === null) throw new AppError('unauthorized')
}

const headersOf = ({ type, realm }: Answer) => ({
  'content-type': type,
  ...(realm !== undefined && { 'www-authenticate': `JWT realm=${realm}` }),
})

function refuse(socket: Socket, answer: Answer) {
  const { status, body } = answer
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headersOf(answer)).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
