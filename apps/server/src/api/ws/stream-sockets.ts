import type { IncomingMessage } from 'node:http'
import { demand } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { transfer } from '@qd/core/resources'
import { fileProtocol } from '@qd/protocol/files'
import { maxTerminalMessageBytes, terminalProtocol } from '@qd/protocol/stream-close'
import type { WebSocket } from 'ws'
import type { Base } from '../../base.ts'
import type { Streams } from '../../fleet/streams/streams.ts'
import type { Caller } from '../../kernel/caller.ts'
import { fileScopes } from '../../store/records/rights.ts'
import { seesTransfer, transferItem } from '../../store/records/transfers.ts'
import { demandSignedIn, keepAlive, type SocketRoute, wsPathOf } from './upgrades.ts'
import { createUserSide } from './user-side.ts'

/** `protocol`: for our clients, which get close codes. */
const kinds = {
  terminal: {
    protocol: terminalProtocol,
    comesBack: true,
    maxPayload: maxTerminalMessageBytes,
    scopes: ['nezha:server:exec'],
  },
  /** Nezha clients send 1 MiB. */
  file: { protocol: fileProtocol, comesBack: false, maxPayload: 16 * 1024 * 1024, scopes: fileScopes },
} as const

export function createStreamSockets({ clock, audit }: Base, streams: Streams, kind: keyof typeof kinds): SocketRoute {
  const { protocol, comesBack, maxPayload, scopes } = kinds[kind]
  return {
    path: new RegExp(`^${kind}/[^/]+$`),
    maxPayload,
    protocol,
    async admit(caller, request) {
      demandSignedIn(caller)
      for (const scope of scopes) demand(caller.viewer, { audience: 'user', scope })
      const hasCodes = hasProtocol(request, protocol)
      const attach = await streams.find(idOf(request), kind, caller.viewer)?.admit(hasCodes && comesBack)
      if (!attach) {
        audit.record({ caller, action: `${kind} attach`, result: 'refused' })
        // Browser scripts see only close codes, no refusals.
        if (!hasCodes) throw new AppError('forbidden')
      }
      return (ws, socket) => {
        const received = receivedOf(request)
        const side = createUserSide({ ws, socket, caller, comesBack: hasCodes && comesBack, hasCodes, received, clock })
        const link = attach?.(side)
        if (link) side.start(link)
        else side.close('unknown')
      }
    },
  }
}

const idOf = (request: IncomingMessage) => wsPathOf(request)?.split('/')[1] ?? ''

/** `?from=`: bytes that a returning client has received. */
const receivedOf = ({ url = '' }: IncomingMessage) => Number(/[?&]from=(\d{1,15})(?:&|$)/.exec(url)?.[1] ?? 0)

const hasProtocol = ({ headers }: IncomingMessage, protocol: string) =>
  (headers['sec-websocket-protocol'] ?? '').split(',').some((offered) => offered.trim() === protocol)

const pingMs = 30_000
/** A slower reader is dropped; it reloads the list on return. */
const maxUnsentBytes = 256 * 1024

/** `/ws/transfer`: changes of transfers to their participants (contract http-api 5.3). */
export function createTransferSockets(base: Base): SocketRoute {
  const { transfers, sockets, clock } = base
  function join(ws: WebSocket, caller: Caller) {
    const unlisten = transfers.onChange(({ before, after }) => {
      if (!after || after.updated_at === before?.updated_at || !seesTransfer(caller.viewer, after)) return
      if (ws.bufferedAmount > maxUnsentBytes) ws.terminate()
      else ws.send(JSON.stringify(transferItem(after, base)))
    })
    const remove = sockets.add(caller, (reason) => ws.close(1008, reason))
    keepAlive(ws, clock, { everyMs: pingMs })
    ws.on('error', () => ws.terminate())
    ws.on('close', () => {
      unlisten()
      remove()
    })
  }

  return {
    path: /^transfer$/,
    admit(caller) {
      demandSignedIn(caller)
      demand(caller.viewer, { audience: transfer.audience.read, scope: transfer.scopes.read })
      return (ws) => join(ws, caller)
    },
  }
}
