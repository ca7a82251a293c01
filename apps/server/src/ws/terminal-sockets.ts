import type { IncomingMessage } from 'node:http'
import { demand } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { mostTerminalMessageBytes, terminalProtocol } from '@qd/protocol/stream-close'
import { WebSocketServer } from 'ws'
import type { Base } from '../base.ts'
import type { Streams } from '../streams/streams.ts'
import { demandSignedIn, type SocketRoute, wsPathOf } from './upgrades.ts'
import { createUserSide } from './user-side.ts'

/** The user's end of shells, `/ws/terminal/{id}`. Source: contract http-api 5.4, docs/terminal-stream.md. */
export function createTerminalSockets({ clock, audit }: Base, streams: Streams): SocketRoute {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: mostTerminalMessageBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(terminalProtocol) ? terminalProtocol : false),
  })
  return {
    path: /^terminal\/[^/]+$/,
    async admit(caller, request) {
      demandSignedIn(caller)
      demand(caller.viewer, { audience: 'user', scope: 'nezha:server:exec' })
      const comesBack = offersOurs(request)
      const attach = await streams.find(idOf(request), caller.viewer)?.admit(comesBack)
      if (!attach) {
        audit.record({ caller, action: 'terminal attach', result: 'refused' })
        // A browser shows its script no refusal but a close code.
        if (!comesBack) throw new AppError('forbidden')
      }
      return (socket, head) =>
        server.handleUpgrade(request, socket, head, (ws) => {
          const side = createUserSide({ ws, socket, caller, comesBack, received: receivedOf(request), clock })
          const link = attach?.(side)
          if (link) side.start(link)
          else side.close('unknown')
        })
    },
  }
}

const idOf = (request: IncomingMessage) => wsPathOf(request)?.split('/')[1] ?? ''

/** `?from=`, how much a client that comes back has had already. */
const receivedOf = ({ url = '' }: IncomingMessage) => Number(/[?&]from=(\d{1,15})(?:&|$)/.exec(url)?.[1] ?? 0)

const offersOurs = ({ headers }: IncomingMessage) =>
  (headers['sec-websocket-protocol'] ?? '').split(',').some((offered) => offered.trim() === terminalProtocol)
