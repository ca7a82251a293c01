import { isIP } from 'node:net'
import { type ConnectionOptions, checkServerIdentity, connect as connectTls, type TLSSocket } from 'node:tls'

/**
 * TLS of the single-file agent: grpc-js names the server also if it is an IP address, which Bun rejects. Without the name, the certificate must
 * still be one of that address. The build puts this file in the place of `tls`.
 */
export * from 'node:tls'

export const connect = (options: ConnectionOptions, onConnect?: () => void): TLSSocket => {
  const { servername: address, checkServerIdentity: check = checkServerIdentity, ...rest } = options
  if (!address || isIP(address) === 0) return connectTls(options, onConnect)
  return connectTls({ ...rest, checkServerIdentity: (_name, certificate) => check(address, certificate) }, onConnect)
}
