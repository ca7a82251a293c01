import { demand } from '@qd/core/define'
import { streamClose } from '@qd/protocol/stream-close'
import type { WebSocket } from 'ws'
import type { LogReadings } from '../../act/hosts/logs.ts'
import type { Base } from '../../base.ts'
import type { Caller } from '../../kernel/caller.ts'
import { demandSignedIn, keepAlive, type SocketRoute, wsPathOf } from './upgrades.ts'

/** Right that reading logs needs. */
export const logScope = 'nezha:server:exec'

/** Unsent bytes before hosts are paused. */
const maxUnsentBytes = 256 * 1024
const pingMs = 30_000
/** Pings without an answer, or a reader that takes nothing, until the connection counts as lost. */
const maxSilentPings = 4

/** `/ws/logs/{session_id}`: messages of a reading. Source: docs/reference/host-resources.md. */
export function createLogSockets({ clock }: Pick<Base, 'clock'>, readings: LogReadings): SocketRoute {
  function join(ws: WebSocket, caller: Caller, id: string, onDrain: (drained: () => void) => void) {
    ws.on('error', () => ws.terminate())
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
    keepAlive(ws, clock, { everyMs: pingMs, maxSilent: maxSilentPings })
    ws.on('close', () => link.gone())
  }

  return {
    path: /^logs\/[0-9a-f]+$/,
    admit(caller, request) {
      demandSignedIn(caller)
      demand(caller.viewer, { audience: 'user', scope: logScope })
      const id = wsPathOf(request)?.split('/')[1] ?? ''
      return (ws, socket) => join(ws, caller, id, (drained) => void socket.on('drain', drained))
    },
  }
}
