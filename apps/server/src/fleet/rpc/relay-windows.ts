import type { Http2Server, ServerHttp2Session } from 'node:http2'
import type { Server } from '@grpc/grpc-js'
import { relayWindowBytes } from '@qd/protocol/stream-frames'
import { peerOf } from '../../kernel/net/unauthenticated.ts'

/** Connections start with HTTP/2's window of 64 KiB, enough for reports; the first relayed stream widens it. Call it after the injector was created. */
export function createRelayWindows(server: Server, onSession: (session: ServerHttp2Session) => void) {
  const sessions = new Map<string, ServerHttp2Session>()
  // grpc-js sets windows only for clients and hides its sessions.
  const { http2Servers } = server as unknown as { http2Servers: ReadonlyMap<Http2Server, unknown> }
  for (const http2 of http2Servers.keys())
    http2.on('session', (session) => {
      const peer = peerOf(session.socket)
      sessions.set(peer, session)
      onSession(session)
      session.once('close', () => sessions.delete(peer))
    })
  return {
    widen(peer: string): void {
      const session = sessions.get(peer)
      if (!session || session.closed || session.destroyed) return
      sessions.delete(peer)
      session.setLocalWindowSize(relayWindowBytes)
      session.settings({ initialWindowSize: relayWindowBytes })
    },
  }
}
