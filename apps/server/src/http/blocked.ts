import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Base } from '../base.ts'
import { apiHeaders } from '../net/headers.ts'
import { texts } from '../texts.ts'

const page = `<!doctype html><title>403</title><p>${texts.blocked}</p>\n`

/**
 * True for a caller that gets nothing but the block page. The machine's own addresses do not: a proxy on it would shut out
 * everybody who comes through (S-04).
 */
export function isBlocked(
  { firewall, clients }: Pick<Base, 'firewall' | 'clients'>,
  request: IncomingMessage,
): boolean {
  const address = clients.of(request)
  return firewall.blocks(address) && !firewall.isOwn(address)
}

/** Answers 403 with the block page (contract engines 8.5). */
export function sendBlocked(response: ServerResponse): void {
  response.writeHead(403, { ...apiHeaders, 'Content-Type': 'text/html; charset=utf-8' }).end(page)
}

/** The same for a websocket upgrade. */
export function endBlocked(socket: Duplex): void {
  socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
}

/** Answers somebody with too many calls under way. What they sent after this one is not read. */
export function sendBusy(response: ServerResponse): void {
  response.writeHead(503, { ...apiHeaders, 'Retry-After': '1', Connection: 'close' }).end()
}

/** Answers `OPTIONS *`: what the server as a whole can do, which is nothing (RFC 9110, 9.3.7). */
export function sendAboutServer(response: ServerResponse): void {
  const isAsked = response.req.method === 'OPTIONS'
  response.writeHead(isAsked ? 204 : 400, apiHeaders).end()
}
