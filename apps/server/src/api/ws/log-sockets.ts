import { demand } from '@qd/core/define'
import { streamClose } from '@qd/protocol/stream-close'
import { type WebSocket, WebSocketServer } from 'ws'
import type { LogReadings } from '../../act/hosts/logs.ts'
import type { Base } from '../../base.ts'
import type { Caller } from '../../kernel/caller.ts'
import { demandSignedIn, type SocketRoute, wsPathOf } from './upgrades.ts'

/** Right that reading logs needs. */
export const logScope = 'nezha:server:exec'

const maxIncomingBytes = 4096
/** Unsent bytes before hosts are paused. */
const maxUnsentBytes = 256 * 1024
const pingMs = 30_000
/** Pings without an answer, or a reader that takes nothing, until the connection counts as lost. */
const maxSilentPings = 4

/** `/ws/logs/{session_id}`: messages of a reading. Source: docs/reference/host-resources.md. */
export function createLogSockets({ clock }: Pick<Base, 'clock'>, readings: LogReadings): SocketRoute {
  const server = new WebSocketServer({ noServer: true, maxPayload: maxIncomingBytes, perMessageDeflate: false })

  function join(ws: WebSocket, caller: Caller, id: string, onDrain: (drained: () => void) => void) {
    let silentPings = 0
    let cancelPing = () => {}
    const ping = () => {
      silentPings += 1
      if (silentPings > maxSilentPings) return ws.terminate()
      ws.ping()
      cancelPing = clock.after(pingMs, ping)
    }
    ws.on('error', () => ws.terminate())
    ws.on('pong', () => {
      silentPings = 0
    })
    const link = readings.attach(id, caller.viewer, {
      send(message) {
        ws.send(message)
        return ws.bufferedAmount < maxUnsentBytes
      },
      close(ending) {
        if (ending === 'stop') ws.close(1001)
        else if (ending === 'left') ws.close(1000)
        else ws.close(streamClose[ending], ending)
      },
    })
    if (!link) return ws.close(streamClose.unknown, 'unknown')
    onDrain(link.drained)
    cancelPing = clock.after(pingMs, ping)
    ws.on('close', () => {
      cancelPing()
      link.gone()
    })
  }

  return {
    path: /^logs\/[0-9a-f]+$/,
    admit(caller, request) {
      demandSignedIn(caller)
      demand(caller.viewer, { audience: 'user', scope: logScope })
      const id = wsPathOf(request)?.split('/')[1] ?? ''
      return (socket, head) =>
        server.handleUpgrade(request, socket, head, (ws) =>
          join(ws, caller, id, (drained) => void socket.on('drain', drained)),
        )
    },
  }
}
