import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Block } from '../../access/firewall.ts'
import type { Base } from '../../base.ts'
import { apiHeaders } from '../../kernel/net/headers.ts'
import { texts } from '../../kernel/texts.ts'
import { type Reader, readerOf } from './reader.ts'

const style = `:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}
body{max-width:34rem;margin:15vh auto;padding:0 1.5rem}code{font-size:.93em}`
const headers = {
  ...apiHeaders,
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'`,
  'Content-Type': 'text/html; charset=utf-8',
  Vary: 'Accept-Language',
}

function pageOf({ language, t, duration }: Reader, address: string, seconds: number | null): string {
  const until = seconds === null ? '' : `<p>${t('ui.blockedPage.until', { span: duration(seconds) })}</p>`
  // Anything but an address must not become markup.
  const shown = isIP(address) === 0 ? '' : address
  const command = `qd-server unblock ${shown}`
  const title = t('ui.blockedPage.title')
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style>
<main><h1>${title}</h1><p>${t('ui.blockedPage.text')}</p>${until}
<p>${t('ui.blockedPage.end', { address: shown, command: `<code>${command}</code>` })}</p><p lang="en"><small>${texts.blocked}</small></p></main></html>
`
}

export type Refused = { address: string; block: Block }

export function createFirewallCheck({ firewall, clients, gate }: Pick<Base, 'firewall' | 'clients' | 'gate'>) {
  return (request: IncomingMessage): Refused | null | Promise<Refused | null> => {
    const address = clients.of(request)
    const block = firewall.blocks(address)
    if (block === null || firewall.isShared(address)) return null
    const refused = { address, block }
    if (block.by === 'admin') return refused
    return gate.isSignedIn(request).then(
      (isIn) => (isIn ? null : refused),
      () => refused,
    )
  }
}

/** 403 with the block page (contract engines 8.5), in the browser's language. */
export async function sendBlocked(response: ServerResponse, { address, block }: Refused, now: number): Promise<void> {
  const reader = await readerOf(response.req.headers['accept-language'])
  const seconds = block.until === null ? null : Math.max(1, Math.ceil((block.until - now) / 1000))
  const again = seconds === null ? {} : { 'Retry-After': String(seconds) }
  response.writeHead(403, { ...headers, ...again }).end(pageOf(reader, address, seconds))
}

export function endBlocked(socket: Duplex): void {
  socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
}

/** Sends 503 to a client with too many pending requests. Later requests on the connection aren't read. */
export function sendBusy(response: ServerResponse): void {
  response.writeHead(503, { ...apiHeaders, 'Retry-After': '1', Connection: 'close' }).end()
}

/** `OPTIONS *`: no capabilities of the server as a whole (RFC 9110, 9.3.7). */
export function sendAboutServer(response: ServerResponse): void {
  const isAsked = response.req.method === 'OPTIONS'
  response.writeHead(isAsked ? 204 : 400, apiHeaders).end()
}
