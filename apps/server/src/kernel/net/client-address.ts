import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { firstItem } from '@qd/core/errors'
import type { Logger } from 'pino'
import proxyAddress from 'proxy-addr'
import { plainAddress } from './address-ranges.ts'

/** Client addresses behind proxies. Only headers of trusted peers count (behaviours S-03, S-04). */
export type ClientAddresses = ReturnType<typeof createClientAddresses>

/** The settings `web_real_ip_header` and `agent_real_ip_header`. */
export interface RealIpHeaders {
  web: string
  agent: string
}

/** Instead of a header: the connection's own address (contract engines 8.5). */
export const usePeer = 'NZ::Use-Peer-IP'
const usual = 'x-forwarded-for'
/** Trusted if a header is set but no proxy is named. */
const nearest = ['loopback']

const words: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** The client is the last address in the header that isn't a trusted proxy's, or the peer if it isn't trusted or sends none (S-04). `trusted`: addresses, CIDR ranges, `loopback`, `linklocal`, `uniquelocal`; throws TypeError if invalid. `onUntrusted`: untrusted peers that send the header; `onSilent`: trusted ones that don't. */
export function createClientAddresses(
  trusted: readonly string[],
  more: {
    headers?(): RealIpHeaders
    onUntrusted?(peer: string, header: string): void
    onSilent?(peer: string, header: string): void
  } = {},
) {
  const { headers: wanted = () => ({ web: '', agent: '' }), onUntrusted = () => {}, onSilent = () => {} } = more
  const named = trusted.length === 0 ? () => false : proxyAddress.compile([...trusted])
  const near = proxyAddress.compile([...nearest])
  const usesNearest = () =>
    trusted.length === 0 && Object.values(wanted()).some((name) => name !== '' && name !== usePeer)
  const trusts = (address: string) => named(address, 0) || (usesNearest() && near(address, 0))

  function find(remoteAddress: string, name: string, header: (name: string) => string | undefined): string {
    const peer = plainAddress(remoteAddress)
    if (name === usePeer) return peer
    const forwarded = header(name.toLowerCase() || usual)
    if (forwarded === undefined) {
      if (name !== '' && trusts(peer)) onSilent(peer, name)
      return peer
    }
    if (!trusts(peer)) {
      onUntrusted(peer, name || 'X-Forwarded-For')
      return peer
    }
    const headers: IncomingHttpHeaders = { [usual]: forwarded }
    const request = { socket: { remoteAddress: peer }, connection: { remoteAddress: peer }, headers }
    const chain = proxyAddress.all(request as unknown as IncomingMessage, trusts).map(withoutPort)
    // If a proxy writes something else, the proxy counts as the client.
    const unknown = chain.findIndex((address) => isIP(address) === 0)
    return chain.slice(0, unknown === -1 ? chain.length : unknown).at(-1) ?? peer
  }

  return {
    trusts,
    proxies: () => [...trusted, ...(usesNearest() ? nearest : [])].flatMap((one) => words[one] ?? [one]),
    of: ({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>) =>
      find(socket.remoteAddress ?? '', wanted().web, (name) => headers[name]?.toString()),
    /** The same with another header. */
    with: (web: string, request: Pick<IncomingMessage, 'socket' | 'headers'>) =>
      createClientAddresses(trusted, { headers: () => ({ ...wanted(), web }) }).of(request),
    /** An agent's call: `header` reads metadata by lower-case name. */
    ofCall: (peer: string, header: (name: string) => string | undefined) => find(peer, wanted().agent, header),
    /** HTTPS to us or to a trusted proxy. */
    isSecure({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
      if ((socket as Partial<TLSSocket>).encrypted) return true
      const said = firstItem(String(headers['x-forwarded-proto'] ?? '').split(',')).trim()
      return said.toLowerCase() === 'https' && trusts(plainAddress(socket.remoteAddress ?? ''))
    },
  }
}

/** Some proxies write `1.2.3.4:5678` and `[::1]:5678`. */
function withoutPort(address: string): string {
  const found = /^(\d+\.\d+\.\d+\.\d+)(?::\d+)?$|^\[(.*)\](?::\d+)?$/.exec(address)
  return plainAddress(found?.[1] ?? found?.[2] ?? address)
}

const maxWarned = 20

/** Logs each misconfigured proxy once, because all its clients share one address (S-04). */
export function createProxyWarnings(log: Pick<Logger, 'warn'>) {
  const noting = (text: (header: string) => string) => {
    const warned = new Set<string>()
    return (peer: string, header: string) => {
      if (warned.has(`${peer} ${header}`) || warned.size >= maxWarned) return
      warned.add(`${peer} ${header}`)
      log.warn({ address: peer }, text(header))
    }
  }
  return {
    onUntrusted: noting((header) => `${header} from this address is ignored; if it is your proxy, see --trust-proxy`),
    onSilent: noting(
      (header) => `this proxy does not send ${header}, the header in the settings; all its clients share one address`,
    ),
  }
}
