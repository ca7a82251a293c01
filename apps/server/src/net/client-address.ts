import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { TLSSocket } from 'node:tls'
import proxyAddress from 'proxy-addr'
import { plainAddress } from './address-ranges.ts'

/** Who a call is from, where proxies stand in front. Only headers of trusted peers count (behaviours S-03, S-04). */
export interface ClientAddresses {
  /** The client of an HTTP request; IPv4 without the mapping. */
  of(request: Pick<IncomingMessage, 'socket' | 'headers'>): string
  /** The client of an agent's call: `peer` is the connection's address, `forwarded` its `x-forwarded-for`. */
  ofCall(peer: string, forwarded: string | undefined): string
  /** True if the client speaks HTTPS, to us or to a trusted proxy. */
  isSecure(request: Pick<IncomingMessage, 'socket' | 'headers'>): boolean
  /** True for a proxy whose word counts. */
  trusts(address: string): boolean
}

/**
 * Builds the look-up for a list of trusted proxies: addresses, ranges in CIDR notation, and `loopback`, `linklocal`, `uniquelocal`.
 * The client is the last address of `X-Forwarded-For` that no trusted proxy bears; the peer itself where the peer is not
 * trusted or says nothing. `onUntrusted` receives each peer that sent the header without being trusted.
 * Errors: throws a TypeError for a list that cannot be read.
 */
export function createClientAddresses(
  trusted: readonly string[],
  onUntrusted: (peer: string) => void = () => {},
): ClientAddresses {
  const trusts = trusted.length === 0 ? () => false : proxyAddress.compile([...trusted])

  function find(remoteAddress: string, headers: IncomingHttpHeaders): string {
    const peer = plainAddress(remoteAddress)
    if (headers['x-forwarded-for'] === undefined) return peer
    if (!trusts(peer, 0)) {
      onUntrusted(peer)
      return peer
    }
    const request = { socket: { remoteAddress: peer }, connection: { remoteAddress: peer }, headers }
    const chain = proxyAddress.all(request as unknown as IncomingMessage, trusts).map(withoutPort)
    // A proxy that writes anything but an address is the last one that is known.
    const unknown = chain.findIndex((address) => isIP(address) === 0)
    return chain.slice(0, unknown === -1 ? chain.length : unknown).at(-1) ?? peer
  }

  return {
    trusts: (address) => trusts(address, 0),
    of: ({ socket, headers }) => find(socket.remoteAddress ?? '', headers),
    ofCall: (peer, forwarded) => find(peer, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
    isSecure({ socket, headers }) {
      if ((socket as Partial<TLSSocket>).encrypted) return true
      const said = String(headers['x-forwarded-proto'] ?? '')
        .split(',')[0]!
        .trim()
      return said.toLowerCase() === 'https' && trusts(plainAddress(socket.remoteAddress ?? ''), 0)
    },
  }
}

/** `1.2.3.4:5678` and `[::1]:5678`, as some proxies write a client, without the port. */
function withoutPort(address: string): string {
  const found = /^(\d+\.\d+\.\d+\.\d+)(?::\d+)?$|^\[(.*)\](?::\d+)?$/.exec(address)
  return plainAddress(found?.[1] ?? found?.[2] ?? address)
}
