import { isIP } from 'node:net'
import { type ConnectionOptions, checkServerIdentity, connect as connectTls, type TLSSocket } from 'node:tls'

/** grpc-js passes IP addresses as server names, which Bun rejects; the certificate is still checked against the address. The build substitutes this file for `tls`. */
export * from 'node:tls'

export const connect = (options: ConnectionOptions, onConnect?: () => void): TLSSocket => {
  const { servername: address, checkServerIdentity: check = checkServerIdentity, ...rest } = options
  if (!address || isIP(address) === 0) return connectTls(options, onConnect)
  return connectTls({ ...rest, checkServerIdentity: (_name, certificate) => check(address, certificate) }, onConnect)
}
