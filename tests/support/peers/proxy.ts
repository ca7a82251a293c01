import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A reverse proxy as people put one before the server. */
export interface ReverseProxy {
  /** e.g. `http://127.0.0.1:1234`. */
  readonly origin: string
  close(): Promise<void>
}

/**
 * Starts a proxy on 127.0.0.1 before `origin()`. It adds the address of its client to `X-Forwarded-For`, as nginx does with
 * `$proxy_add_x_forwarded_for`, and says HTTPS.
 */
export async function startProxy(origin: () => string): Promise<ReverseProxy> {
  const server = createServer((incoming, outgoing) => {
    const { hostname, port } = new URL(origin())
    const { 'x-forwarded-for': before, ...headers } = incoming.headers
    const chain = [before, incoming.socket.remoteAddress].filter(Boolean).join(', ')
    const call = request(
      {
        hostname,
        port,
        method: incoming.method,
        path: incoming.url,
        headers: { ...headers, 'x-forwarded-for': chain, 'x-forwarded-proto': 'https' },
        agent: false,
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    call.on('error', () => outgoing.destroy())
    incoming.pipe(call)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
