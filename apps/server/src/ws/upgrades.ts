import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { toAppError } from '@qd/core/errors'
import type { Base, Caller } from '../services.ts'
import { errorText, texts } from '../texts.ts'
import type { LiveSockets } from './live-sockets.ts'

/** An answer before any websocket exists. */
interface Answer {
  status: number
  type: string
  body: string
}

/** Decides who gets a websocket. */
export interface Upgrades {
  /** True where the path is one of its own. */
  accept(request: IncomingMessage, socket: Socket, head: Buffer): boolean
  /** The same for a request without an upgrade. */
  answerPlain(request: IncomingMessage, response: ServerResponse): boolean
}

const livePath = '/api/v1/ws/server'

const forbidden: Answer = { status: 403, type: 'text/plain; charset=utf-8', body: 'Forbidden\n' }
const notUpgrading: Answer = { status: 400, type: 'text/plain; charset=utf-8', body: 'Bad Request\n' }
const envelope = (error: string, status = 200): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify({ error }),
})

/** The websocket routes. Refusals are plain answers before the upgrade. Source: contract http-api 5.1, behaviour S-20. */
export function createUpgrades({ gate, settings, log }: Base, live: LiveSockets): Upgrades {
  async function admit(request: IncomingMessage): Promise<Caller | Answer> {
    try {
      const caller = await gate.identify(request)
      if (!gate.sameOrigin(request)) return forbidden
      if (caller.viewer.id === null && settings.get().force_auth) return envelope(texts.unauthorized)
      return caller
    } catch (thrown) {
      const error = toAppError(thrown)
      if (error.code === 'internal') log.error({ err: thrown }, 'a websocket caller could not be identified')
      return envelope(errorText(error), error.code === 'unauthorized' ? 401 : 500)
    }
  }
  return {
    accept(request, socket, head) {
      if (pathOf(request) !== livePath) return false
      socket.on('error', () => socket.destroy())
      void admit(request).then((admitted) => {
        if (socket.destroyed) return
        if ('status' in admitted) refuse(socket, admitted)
        else live.accept(request, socket, head, admitted)
      })
      return true
    },
    answerPlain(request, response) {
      if (pathOf(request) !== livePath) return false
      void admit(request).then((admitted) => {
        const { status, type, body } = 'status' in admitted ? admitted : notUpgrading
        response.writeHead(status, { 'content-type': type }).end(body)
      })
      return true
    },
  }
}

const pathOf = (request: IncomingMessage) => (request.url ?? '').split('?', 1)[0]

function refuse(socket: Socket, { status, type, body }: Answer) {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${type}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
