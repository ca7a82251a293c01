import { createServer as createHttp, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { createServer as createTls } from 'node:tls'
import { Refusal } from '../errors.ts'
import { texts } from '../texts.ts'
import { apiHeaders } from './headers.ts'
import type { Unauthenticated } from './unauthenticated.ts'

export interface PortParts {
  host: string
  /** 0: any free one. */
  port: number
  /** PEM. With TLS, cleartext serves only agents and their downloads. */
  tls?: { cert: string; key: string } | null
  http: RequestListener
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void
  /** HTTP/2 from the first byte. The socket is paused and must not be resumed (trap S10). */
  grpc(socket: Socket): void
  unauthenticated: Pick<Unauthenticated, 'enter' | 'speaks' | 'heard'>
}

export interface Port {
  readonly address: AddressInfo
  refuse(): void
  /** Refuses new connections, and cuts those that are left after `withinMs`. */
  close(withinMs?: number): Promise<void>
}

const timeouts = { headersTimeout: 5000, connectionsCheckingInterval: 2000 }
const handshakeTimeout = 10_000
/** Listen backlog. Large enough for a whole fleet to reconnect at once. */
const backlog = 4096

/** One port for HTTP/1.1 with websockets and cleartext HTTP/2, by the first bytes, and the same under TLS, where HTTP/2 is for agents that offer nothing else. Rejects with the system's error. */
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
  // Otherwise Node doesn't check header timeouts.
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

  // Paused: a waiting connection leaves its data in the system's buffers.
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
    async close(withinMs = 0) {
      // Who has connected while the process was busy would be cut in the midst of a call. A full turn of the event loop takes two.
      for (let turn = 0; withinMs > 0 && turn < 2; turn += 1) await setImmediate()
      refuse()
      web.close()
      if (withinMs > 0) await Promise.race([closed, sleep(withinMs, undefined, { ref: false })])
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

const chooseProtocol = (offered: readonly string[]): string | undefined =>
  ['http/1.1', 'h2'].find((protocol) => offered.includes(protocol))

/** Fetched without TLS by hosts whose agents use none (routes/install.ts). Nothing secret. */
const forHosts = /^\/((install|nezha-agent)\.(sh|ps1)|agent\/(nezha\/)?[\w-]+\.\w+)(\?|$)/

/** Cleartext HTTP beside TLS: serves hosts, redirects reads to https, refuses the rest. */
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

/** Sockets arrive paused and unread. */
interface Takers {
  http(socket: Socket): void
  http2(socket: Socket): void
  tls(socket: Socket): void
}

/** HTTP/2 connection preface (RFC 9113, 3.4). */
const preface = Buffer.from('PRI * HTTP/2.0')
const tlsHandshake = 0x16
const silenceMs = 10_000

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

/** Null while undecided. */
function kindOf(seen: Buffer): keyof Takers | null {
  if (seen[0] === tlsHandshake) return 'tls'
  const length = Math.min(seen.length, preface.length)
  if (!seen.subarray(0, length).equals(preface.subarray(0, length))) return 'http'
  return length === preface.length ? 'http2' : null
}

type Place = Pick<PortParts, 'host' | 'port'> & { tls: { cert: string; key: string } | null }

/** Errors: Refusal. */
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

export function originOf({ host, tls }: Place, { port }: AddressInfo): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `${tls ? 'https' : 'http'}://${name}:${port}`
}
