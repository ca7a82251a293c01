import type { IncomingMessage, ServerResponse } from 'node:http'
import { apiHeaders } from '../../kernel/net/headers.ts'

/** What a visitor is told when a request cannot be relayed. `text` is the contract's. */
export interface NatRefusal {
  status: number
  text: string
  /** For people. */
  hint: string
}

/** Answers instead of the target: a page for browsers, the bare text for everything else. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, text, hint }: NatRefusal,
): void {
  const isPage = (request.headers.accept ?? '').includes('text/html')
  const type = isPage ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8'
  const body = isPage ? pageOf(`${status}`, text, hint) : text
  response.writeHead(status, { ...apiHeaders, 'Content-Type': type, Connection: 'close' }).end(body)
}

/** The contract's page for a profile that is switched off. `domain` holds no markup: it is a host name. */
export function sendDisabled(response: ServerResponse, domain: string): void {
  const body = pageOf('Blocked', `nat host ${domain} is disabled`, 'nezha WAF')
  response.writeHead(403, { ...apiHeaders, 'Content-Type': 'text/html; charset=utf-8', Connection: 'close' }).end(body)
}

function pageOf(title: string, text: string, hint: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<main><h1>${title}</h1><p>${text}</p><p>${hint}</p></main></html>
`
}
