import type { Http2Server, ServerHttp2Session } from 'node:http2'
import type { Server } from '@grpc/grpc-js'
import { relayWindowBytes } from '@qd/protocol/stream-frames'
import { peerOf } from '../../kernel/net/unauthenticated.ts'

/** How much the agents of connections may send before it is read. */
export interface RelayWindows {
  /** From now on the agent at `address:port` may send as much as a relayed stream needs. */
  widen(peer: string): void
}

/**
 * Connections begin with the 64 KiB of HTTP/2, which is enough for reports and for unauthenticated connections; the first relayed stream of a connection
 * widens them; `onSession` hears of each. To be called after the server's one connection injector was made.
 */
export function createRelayWindows(server: Server, onSession: (session: ServerHttp2Session) => void): RelayWindows {
  const sessions = new Map<string, ServerHttp2Session>()
  // The library sets a window on a client only, and does not tell of its sessions.
  const { http2Servers } = server as unknown as { http2Servers: ReadonlyMap<Http2Server, unknown> }
  for (const http2 of http2Servers.keys())
    http2.on('session', (session) => {
      const peer = peerOf(session.socket)
      sessions.set(peer, session)
      onSession(session)
      session.once('close', () => sessions.delete(peer))
    })
  return {
    widen(peer) {
      const session = sessions.get(peer)
      if (!session || session.closed || session.destroyed) return
      // Once for each connection.
      sessions.delete(peer)
      session.setLocalWindowSize(relayWindowBytes)
      session.settings({ initialWindowSize: relayWindowBytes })
    },
  }
}
