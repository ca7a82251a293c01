import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { createClientAddresses } from '../../kernel/net/client-address.ts'
import { apiHeaders } from '../../kernel/net/headers.ts'
import { listen, type Port, type PortParts } from '../../kernel/net/port.ts'
import { createUnauthenticated, isOfThisMachine } from '../../kernel/net/unauthenticated.ts'

const standby = 'this server is a standby; it answers when the active server is gone'

/** What the port answers before the server is the active one, and after. */
export const asStandby: Pick<PortParts, 'http' | 'upgrade' | 'grpc'> = {
  http({ url = '' }, response) {
    const isHealth = /^\/healthz(\?|$)/.test(url)
    const headers = { ...apiHeaders, 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' }
    response.writeHead(isHealth ? 200 : 503, isHealth ? headers : { ...headers, 'Retry-After': '1' })
    response.end(JSON.stringify(isHealth ? { success: true } : { error: standby }))
  },
  upgrade: (_request, socket) => socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n'),
  // Agents try again by themselves.
  grpc: (socket) => socket.destroy(),
}

/** Answers on the server's port while it waits for the database: it is well, but not ready. Errors: Refusal. */
export function listenAsStandby(config: Config, outside: { log: Logger; descriptors: number }): Promise<Port> {
  const clients = createClientAddresses(config.trustProxy)
  const unauthenticated = createUnauthenticated({ ...clients, ...outside, isOwn: isOfThisMachine })
  return listen(config, { unauthenticated, ...asStandby })
}
