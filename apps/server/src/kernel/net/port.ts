import { createServer as createHttp, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTls } from 'node:tls'
import { createHttpsOnly } from './https-only.ts'
import { createSniffer } from './sniff.ts'
import type { Unauthenticated } from './unauthenticated.ts'

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
  /** Who may have how many connections on which nobody has proved who they are. */
  unauthenticated: Pick<Unauthenticated, 'enter' | 'speaks' | 'heard'>
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
const timeouts = { headersTimeout: 5000, connectionsCheckingInterval: 2000 }
/** A TLS handshake takes a few round trips. */
const handshakeTimeout = 10_000
/** Connections that the system takes while the server is busy, so that a fleet that comes back at once is not sent away. */
const backlog = 4096

/**
 * One TCP port for HTTP/1.1 with websockets and for cleartext HTTP/2, told apart by the first bytes, and the same
 * under TLS, where cleartext HTTP/1.1 is not served. A TLS client that offers HTTP/1.1 gets it; HTTP/2 is for those that
 * offer nothing else, the agents.
 * Errors: rejects with the system's error, e.g. EADDRINUSE.
 */
export async function createPort({ host, port, tls, http, upgrade, grpc, unauthenticated }: PortParts): Promise<Port> {
  const open = new Set<Socket>()
  const hearing =
    (listener: RequestListener): RequestListener =>
    (request, response) => {
      unauthenticated.heard(request)
      listener(request, response)
    }
  const web = createHttp(timeouts, hearing(http))
  web.on('upgrade', (request, socket, head) => upgrade(request, socket as Socket, head))
  // Node checks header timeouts only for servers that listen themselves.
  web.emit('listening')
  const cleartext = tls ? createHttp(timeouts, hearing(createHttpsOnly(http))) : web

  const secure = tls
    ? createTls(
        {
          cert: tls.cert,
          key: tls.key,
          minVersion: 'TLSv1.2',
          handshakeTimeout,
          ALPNCallback: ({ protocols }) => chooseProtocol(protocols),
        },
        (socket) => {
          if (socket.alpnProtocol === 'h2') unauthenticated.speaks('http2', socket, () => grpc(socket))
          else web.emit('connection', socket)
        },
      )
    : null
  secure?.on('tlsClientError', (_error, socket) => socket.destroy())

  // Paused: a connection that has to wait for its turn keeps what it sends in the system's buffers.
  const listener = createServer({ noDelay: true, pauseOnConnect: true }, (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    unauthenticated.enter(socket, () => {
      sniff(socket)
      socket.resume()
    })
  })
  const sniff = createSniffer({
    http(socket) {
      cleartext.emit('connection', socket)
      socket.resume()
    },
    http2: (socket) => unauthenticated.speaks('http2', socket, () => grpc(socket)),
    tls: (socket) =>
      secure ? unauthenticated.speaks('tls', socket, () => secure.emit('connection', socket)) : socket.destroy(),
  })
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen({ port, host, backlog }, () => {
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
