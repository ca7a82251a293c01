import type { IncomingMessage } from 'node:http'
import type { Upstream } from '../kernel/upstream.ts'

/** Request headers passed on; others could forge an address. */
const passedOn = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'content-type',
  'content-length',
  'content-encoding',
  'if-match',
  'if-none-match',
  'if-range',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'prefer',
  'range',
  'user-agent',
  'x-csrf-token',
])

const ofWebsockets = new Set([
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-protocol',
  'sec-websocket-extensions',
])

const passedBack = new Set([
  'accept-ranges',
  'allow',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'date',
  'etag',
  'last-modified',
  'mcp-protocol-version',
  'mcp-session-id',
  'prefer',
  'retry-after',
  'vary',
  'www-authenticate',
])

/** Other cookies of the host belong to other sites (contract http-api 2.2). */
const ofDashboard = /^(?:__Host-)?nz-[\w-]+$/

export interface Asker {
  address: string
  isSecure: boolean
}

type Headers = Record<string, string | string[]>

/** `Origin` was compared with our `Host` before, so the dashboard gets its own. The client's address goes only into `--upstream-real-ip-header`. */
export function forUpstream(
  { headers, httpVersion }: Pick<IncomingMessage, 'headers' | 'httpVersion'>,
  asker: Asker,
  { url, host, realIpHeader }: Upstream,
  isUpgrade = false,
): Headers {
  const kept: Headers = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && (passedOn.has(name) || (isUpgrade && ofWebsockets.has(name)))) kept[name] = value
  const cookies = (headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => ofDashboard.test(part.split('=', 1)[0] as string))
  if (cookies.length > 0) kept.cookie = cookies.join('; ')
  const isOwnHost = host !== url.host
  const scheme = isOwnHost && asker.isSecure ? 'https:' : url.protocol
  if (headers.origin !== undefined) kept.origin = `${scheme}//${host}`
  if (isOwnHost) kept['x-forwarded-proto'] = scheme.slice(0, -1)
  if (realIpHeader !== null) kept[realIpHeader.toLowerCase()] = asker.address
  if (isUpgrade) Object.assign(kept, { connection: 'Upgrade', upgrade: 'websocket' })
  else if (headers['transfer-encoding'] !== undefined && httpVersion !== '1.0') kept['transfer-encoding'] = 'chunked'
  return { ...kept, host }
}

/** Rewrites cookies: no domain, path `/`, `Secure` only over HTTPS. */
export function ownCookies(lines: readonly string[] | undefined, { isSecure }: Pick<Asker, 'isSecure'>): string[] {
  return (lines ?? []).flatMap((line) => {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
    if (!ofDashboard.test(pair.split('=', 1)[0] as string)) return []
    const kept = attributes.filter((one) => one !== '' && !/^(domain|path|secure)(=|$)/i.test(one))
    // Browsers refuse the prefix without HTTPS.
    const own = isSecure ? pair : pair.replace(/^__Host-/, '')
    return [[own, 'Path=/', ...kept, ...(isSecure ? ['Secure'] : [])].join('; ')]
  })
}

/** Rewrites redirects within the dashboard; others, such as to a sign-in provider, stay. */
function ownLocation(location: string, { url, host }: Upstream): string {
  const to = URL.canParse(location, url.href) ? new URL(location, url.href) : null
  const isSelf = to !== null && (to.host === url.host || to.host === host) && /^https?:$/.test(to.protocol)
  if (!isSelf) return location
  const below = url.pathname.replace(/\/$/, '')
  const path = to.pathname.startsWith(`${below}/`) ? to.pathname.slice(below.length) : to.pathname
  // `//x` would lead to the host x.
  return `/${path.replace(/^[/\\]+/, '')}${to.search}${to.hash}`
}

export function forClient(
  { headers }: Pick<IncomingMessage, 'headers'>,
  asker: Pick<Asker, 'isSecure'>,
  upstream: Upstream,
): Headers {
  const kept: Headers = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && passedBack.has(name)) kept[name] = value
  if (headers.location !== undefined) kept.location = ownLocation(headers.location, upstream)
  const cookies = ownCookies(headers['set-cookie'], asker)
  if (cookies.length > 0) kept['set-cookie'] = cookies
  return kept
}

export function linesOfUpgrade({ headers, statusMessage }: IncomingMessage): string {
  const kept = ['sec-websocket-accept', 'sec-websocket-protocol', 'sec-websocket-extensions'].flatMap((name) =>
    headers[name] === undefined ? [] : [`${name}: ${headers[name]}`],
  )
  const first = [`HTTP/1.1 101 ${statusMessage || 'Switching Protocols'}`, 'connection: Upgrade', 'upgrade: websocket']
  return `${[...first, ...kept].join('\r\n')}\r\n\r\n`
}
