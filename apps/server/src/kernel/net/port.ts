import { createServer as createHttp, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTls } from 'node:tls'
import { Refusal } from '../refusal.ts'
import { texts } from '../texts.ts'
import { apiHeaders } from './headers.ts'
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

/** Nezha servers give a client this long for its request headers (agent contract 1.1). */
const timeouts = { headersTimeout: 5000, connectionsCheckingInterval: 2000 }
/** A TLS handshake takes a few round trips. */
const handshakeTimeout = 10_000
/** Listen backlog. Large enough for a whole fleet to reconnect at once. */
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

/** Paths that hosts may fetch without TLS, because agents may connect without it (routes/install.ts). None of them is secret. */
const forHosts = /^\/((install|nezha-agent)\.(sh|ps1)|agent\/(nezha\/)?[\w-]+\.\w+)(\?|$)/

/** Cleartext HTTP on a port with TLS: `http` returns what is for hosts; what else is read is sent to its https address, anything else is refused. */
function createHttpsOnly(http: RequestListener): RequestListener {
  return (request, response) => {
    const { method, url = '', headers } = request
    const isRead = method === 'GET' || method === 'HEAD'
    if (isRead && forHosts.test(url)) http(request, response)
    else if (isRead && headers.host !== undefined && url.startsWith('/')) {
      const Location = `https://${headers.host}${url}`
      response.writeHead(308, { ...apiHeaders, Location, Connection: 'close' }).end()
    } else {
      response
        .writeHead(400, { ...apiHeaders, 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' })
        .end(JSON.stringify({ error: texts.httpsOnly }))
    }
  }
}

/** Who takes a connection once its kind is known. The socket is paused and has nothing consumed. */
interface Takers {
  http(socket: Socket): void
  http2(socket: Socket): void
  tls(socket: Socket): void
}

/** Bytes with which a client that knows the server to speak HTTP/2 begins (RFC 9113, 3.4). */
const preface = Buffer.from('PRI * HTTP/2.0')
const tlsHandshake = 0x16
/** A connection that says nothing for this long is closed. */
const silenceMs = 10_000

/** Looks at the first bytes of new connections, also when they come one at a time, and hands each on. */
function createSniffer(takers: Takers): (socket: Socket) => void {
  return (socket) => {
    let seen = Buffer.alloc(0)
    const stop = () => {
      clearTimeout(timer)
      socket.off('data', inspect)
      socket.off('close', stop)
    }
    const timer = setTimeout(() => socket.destroy(), silenceMs)
    const inspect = (bytes: Buffer) => {
      seen = Buffer.concat([seen, bytes])
      const kind = kindOf(seen)
      if (kind === null) return
      stop()
      socket.pause()
      socket.unshift(seen)
      takers[kind](socket)
    }
    socket.on('data', inspect)
    socket.on('close', stop)
  }
}

/** What a connection speaks; null while it may still become HTTP/2. */
function kindOf(seen: Buffer): keyof Takers | null {
  if (seen[0] === tlsHandshake) return 'tls'
  const length = Math.min(seen.length, preface.length)
  if (!seen.subarray(0, length).equals(preface.subarray(0, length))) return 'http'
  return length === preface.length ? 'http2' : null
}

type Place = Pick<PortParts, 'host' | 'port'> & { tls: { cert: string; key: string } | null }

/** Opens the port that the configuration names. Errors: Refusal if it is taken or cannot be listened on. */
export async function listen({ host, port, tls }: Place, handlers: Omit<PortParts, keyof Place>): Promise<Port> {
  try {
    return await createPort({ host, port, tls, ...handlers })
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new Refusal(`port ${port} on ${host} is already in use; choose another one with --port`, { cause: error })
    throw new Refusal(`cannot listen on ${host} port ${port}: ${message}`, { cause: error })
  }
}

/** Where this machine reaches the server, e.g. `http://127.0.0.1:8008`. */
export function originOf({ host, tls }: Place, { port }: AddressInfo): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `${tls ? 'https' : 'http'}://${name}:${port}`
}
