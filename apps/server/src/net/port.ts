import { createServer as createHttp, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTls } from 'node:tls'
import { createHttpsOnly } from './https-only.ts'
import { createSniffer } from './sniff.ts'

/** Where to listen, and who takes what arrives. */
export interface PortParts {
  host: string
  /** 0: any free one. */
  port: number
  /** PEM texts; with them only agents, and what they fetch, are still served in cleartext. */
  tls?: { cert: string; key: string } | null
  http: RequestListener
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void
  /** A connection that speaks HTTP/2 from its first byte. The socket is paused and must not be resumed (trap S10). */
  grpc(socket: Socket): void
}

/** A listening port. */
export interface Port {
  readonly address: AddressInfo
  /** Takes no more connections; those that are open go on. */
  refuse(): void
  /** Ends everything that is still open. */
  close(): Promise<void>
}

/** Existing servers give a client this long for its request headers (agent contract 1.1). */
const headersTimeoutMs = 5000

/**
 * One TCP port for HTTP/1.1 with websockets and for cleartext HTTP/2, told apart by the first bytes, and the same
 * under TLS, where cleartext HTTP/1.1 is not served. A TLS client that offers HTTP/1.1 gets it; HTTP/2 is for those that
 * offer nothing else, the agents.
 * Errors: rejects with the system's error, e.g. EADDRINUSE.
 */
export async function createPort({ host, port, tls, http, upgrade, grpc }: PortParts): Promise<Port> {
  const open = new Set<Socket>()
  const web = createHttp({ headersTimeout: headersTimeoutMs }, http)
  web.on('upgrade', (request, socket, head) => upgrade(request, socket as Socket, head))
  // Node checks header timeouts only for servers that listen themselves.
  web.emit('listening')
  const cleartext = tls ? createHttp({ headersTimeout: headersTimeoutMs }, createHttpsOnly(http)) : web

  const secure = tls
    ? createTls(
        {
          cert: tls.cert,
          key: tls.key,
          minVersion: 'TLSv1.2',
          ALPNCallback: ({ protocols }) => chooseProtocol(protocols),
        },
        (socket) => {
          if (socket.alpnProtocol === 'h2') grpc(socket)
          else web.emit('connection', socket)
        },
      )
    : null
  secure?.on('tlsClientError', (_error, socket) => socket.destroy())

  const listener = createServer({ noDelay: true }, (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    sniff(socket)
  })
  const sniff = createSniffer({
    http(socket) {
      cleartext.emit('connection', socket)
      socket.resume()
    },
    http2: grpc,
    tls: (socket) => (secure ? secure.emit('connection', socket) : socket.destroy()),
  })
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen({ port, host }, () => {
      listener.off('error', reject)
      resolve()
    })
  })
  let closed: Promise<void> | null = null
  const refuse = () => {
    closed ??= new Promise<void>((done) => listener.close(() => done()))
  }
  return {
    address: listener.address() as AddressInfo,
    refuse,
    async close() {
      refuse()
      web.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

const chooseProtocol = (offered: readonly string[]): string | undefined =>
  ['http/1.1', 'h2'].find((protocol) => offered.includes(protocol))
