import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { createClientAddresses } from '../../kernel/net/client-address.ts'
import { apiHeaders } from '../../kernel/net/headers.ts'
import { listen, type Port, type PortParts } from '../../kernel/net/port.ts'
import { createUnauthenticated, isOfThisMachine } from '../../kernel/net/unauthenticated.ts'

const standby = 'this server is a standby; it answers when the active server is gone'

/** What the port answers while the server isn't the active one. `unready`: the status of `/readyz`. */
const withStatus = (unready: 404 | 503): Pick<PortParts, 'http' | 'upgrade' | 'grpc'> => ({
  http({ url = '' }, response) {
    const [path] = url.split('?')
    const status = path === '/healthz' ? 200 : path === '/readyz' ? unready : 503
    const headers = { ...apiHeaders, 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' }
    response.writeHead(status, status === 503 ? { ...headers, 'Retry-After': '1' } : headers)
    response.end(JSON.stringify(status === 200 ? { success: true } : { error: standby }))
  },
  upgrade: (_request, socket) => socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n'),
  // Agents try again by themselves.
  grpc: (socket) => socket.destroy(),
})

export const asStandby = withStatus(503)

/** After 404, a balancer sends no more calls, but cuts none that has begun (haproxy’s `disable-on-404`). */
export const asStopping = withStatus(404)

/** Answers on the server's port while it waits for the database: it is well, but not ready. Errors: Refusal. */
export function listenAsStandby(config: Config, outside: { log: Logger; descriptors: number }): Promise<Port> {
  const clients = createClientAddresses(config.trustProxy)
  const unauthenticated = createUnauthenticated({ ...clients, ...outside, isOwn: isOfThisMachine })
  return listen(config, { unauthenticated, ...asStandby })
}
