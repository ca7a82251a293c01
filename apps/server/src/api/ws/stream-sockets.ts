import type { IncomingMessage } from 'node:http'
import { demand } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { fileProtocol } from '@qd/protocol/files'
import { mostTerminalMessageBytes, terminalProtocol } from '@qd/protocol/stream-close'
import { WebSocketServer } from 'ws'
import type { Base } from '../../base.ts'
import type { Streams } from '../../fleet/streams/streams.ts'
import { fileScopes } from '../../store/records/rights.ts'
import { demandSignedIn, type SocketRoute, wsPathOf } from './upgrades.ts'
import { createUserSide } from './user-side.ts'

/** What sets the kinds of relayed streams apart. `protocol`: by which a client of ours is told why it is closed. */
const kinds = {
  terminal: {
    protocol: terminalProtocol,
    comesBack: true,
    maxPayload: mostTerminalMessageBytes,
    scopes: ['nezha:server:exec'],
  },
  /** Existing servers have no limit; existing clients send 1 MiB. */
  file: { protocol: fileProtocol, comesBack: false, maxPayload: 16 * 1024 * 1024, scopes: fileScopes },
} as const

/**
 * The user's end of a shell or of files, `/ws/terminal/{id}` and `/ws/file/{id}`. Source: contract http-api 5.4 and 5.5, docs/terminal-stream.md,
 * docs/files.md.
 */
export function createStreamSockets({ clock, audit }: Base, streams: Streams, kind: keyof typeof kinds): SocketRoute {
  const { protocol, comesBack, maxPayload, scopes } = kinds[kind]
  const server = new WebSocketServer({
    noServer: true,
    maxPayload,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(protocol) ? protocol : false),
  })
  return {
    path: new RegExp(`^${kind}/[^/]+$`),
    async admit(caller, request) {
      demandSignedIn(caller)
      for (const scope of scopes) demand(caller.viewer, { audience: 'user', scope })
      const hasCodes = offers(request, protocol)
      const attach = await streams.find(idOf(request), kind, caller.viewer)?.admit(hasCodes && comesBack)
      if (!attach) {
        audit.record({ caller, action: `${kind} attach`, result: 'refused' })
        // A browser shows its script no refusal but a close code.
        if (!hasCodes) throw new AppError('forbidden')
      }
      return (socket, head) =>
        server.handleUpgrade(request, socket, head, (ws) => {
          const received = receivedOf(request)
          const side = createUserSide({
            ws,
            socket,
            caller,
            comesBack: hasCodes && comesBack,
            hasCodes,
            received,
            clock,
          })
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

const offers = ({ headers }: IncomingMessage, protocol: string) =>
  (headers['sec-websocket-protocol'] ?? '').split(',').some((offered) => offered.trim() === protocol)
