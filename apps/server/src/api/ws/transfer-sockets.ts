import { demand } from '@qd/core/define'
import { transfer } from '@qd/core/resources'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Base } from '../../base.ts'
import type { Caller } from '../../kernel/caller.ts'
import { seesTransfer, transferItem } from '../../store/records/transfers.ts'
import { demandSignedIn, type SocketRoute } from './upgrades.ts'

const pingMs = 30_000
/** What a client sends is ignored; this is only how much of it is read at once. */
const mostIncomingBytes = 4096
/** A reader with this much unsent is dropped; it reads the list again when it comes back. */
const mostUnsentBytes = 256 * 1024

/** `/ws/transfer`: each transfer as it changes, to those it is about. Source: contract http-api 5.3. */
export function createTransferSockets(base: Base): SocketRoute {
  const { transfers, sockets, clock } = base
  const server = new WebSocketServer({ noServer: true, maxPayload: mostIncomingBytes, perMessageDeflate: false })

  function join(ws: WebSocket, caller: Caller) {
    const unlisten = transfers.onChange(({ before, after }) => {
      if (!after || after.updated_at === before?.updated_at || !seesTransfer(caller.viewer, after)) return
      if (ws.bufferedAmount > mostUnsentBytes) ws.terminate()
      else ws.send(JSON.stringify(transferItem(after, base)))
    })
    const remove = sockets.add(caller, (reason) => ws.close(1008, reason))
    let cancelPing = () => {}
    const ping = () => {
      ws.ping()
      cancelPing = clock.after(pingMs, ping)
    }
    cancelPing = clock.after(pingMs, ping)
    ws.on('error', () => ws.terminate())
    ws.on('close', () => {
      unlisten()
      remove()
      cancelPing()
    })
  }

  return {
    path: /^transfer$/,
    admit(caller, request) {
      demandSignedIn(caller)
      demand(caller.viewer, { audience: transfer.audience.read, scope: transfer.scopes.read })
      return (socket, head) => server.handleUpgrade(request, socket, head, (ws) => join(ws, caller))
    },
  }
}
