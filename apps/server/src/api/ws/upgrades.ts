import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError, errorTraits, toAppError } from '@qd/core/errors'
import type { Base } from '../../base.ts'
import type { Caller } from '../../kernel/caller.ts'
import { errorText } from '../../kernel/texts.ts'

interface Answer {
  status: number
  type: string
  body: string
  realm?: string
}

export type TakeUpgrade = (socket: Socket, head: Buffer) => void

export interface SocketRoute {
  path: RegExp
  admit(caller: Caller, request: IncomingMessage): TakeUpgrade | Promise<TakeUpgrade>
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
  async function admit(route: SocketRoute, request: IncomingMessage): Promise<TakeUpgrade | Answer> {
    try {
      const caller = await gate.identify(request)
      return gate.sameOrigin(request) ? await route.admit(caller, request) : forbidden
    } catch (thrown) {
      return failed(thrown)
    }
  }
  const routeOf = (request: IncomingMessage) => {
    const path = wsPathOf(request)
    return path === null ? undefined : routes.find((route) => route.path.test(path))
  }
  return {
    accept(request: IncomingMessage, socket: Socket, head: Buffer): boolean {
      const route = routeOf(request)
      if (!route) return false
      socket.on('error', () => socket.destroy())
      void admit(route, request).then((admitted) => {
        if (socket.destroyed) return
        if (typeof admitted === 'function') admitted(socket, head)
        else refuse(socket, admitted)
      })
      return true
    },
    answerPlain(request: IncomingMessage, response: ServerResponse): boolean {
      const route = routeOf(request)
      if (!route) return false
      void admit(route, request).then((admitted) => {
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
