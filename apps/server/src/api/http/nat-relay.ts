import { request as ask, type ClientRequest, type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex, pipeline } from 'node:stream'
import { cookieNames } from '@qd/core/api'
import { AppError } from '@qd/core/errors'
import type { Base } from '../../base.ts'
import type { Ending, Link, UserSide } from '../../fleet/streams/stream.ts'
import type { Caller } from '../../kernel/caller.ts'
import { apiHeaders } from '../../kernel/net/headers.ts'
import { plainHost } from '../../kernel/net/reserved-hosts.ts'
import { texts } from '../../kernel/texts.ts'
import type { NatRow } from '../../store/records/rows.ts'
import type { Engines } from '../container.ts'

/** Each method returns whether the request was for a NAT profile. */
export type NatRelay = ReturnType<typeof createNatRelay>

/** The console's paths under every name. */
const ofConsole = /^\/(?:dashboard|api|healthz|readyz|metrics|mcp|agent|install)\b/

const offline: NatRefusal = { status: 503, text: texts.notConnected, hint: 'Its agent is not connected right now.' }
const tooMany: NatRefusal = {
  status: 429,
  text: 'stream limit: too many concurrent streams for this server',
  hint: 'Try again in a moment.',
}
const unreachable: NatRefusal = {
  status: 502,
  text: texts.targetSilent,
  hint: 'The agent is connected, but cannot reach the target.',
}
const noAgent: NatRefusal = {
  status: 504,
  text: 'the agent did not respond in time',
  hint: 'NAT may be disabled on it, or it is too busy.',
}

type Parts = Pick<Base, 'nat' | 'servers' | 'accounts' | 'natNames'> & Pick<Engines, 'streams'>

/** Relays by the exact `Host` header (contract engines 7). Each request has its own stream and connection, so that none runs under another's credentials. */
export function createNatRelay(parts: Parts) {
  const { nat, servers, accounts, streams, natNames } = parts
  let known = { version: -1, rows: new Map<string, NatRow>(), names: new Map<string, NatRow>() }

  /** Profiles by exact host, and by name alone (first wins). */
  function profiles() {
    const version = nat.version()
    if (known.version !== version) {
      const all = nat.all()
      const names = new Map(all.toReversed().map((row) => [plainHost(row.domain), row]))
      known = { version, rows: new Map(all.map((row) => [row.domain, row])), names }
    }
    return known
  }

  function rowFor({ headers: { host } }: IncomingMessage): NatRow | null {
    const row = host === undefined ? undefined : profiles().rows.get(host)
    // A name that belongs to the console or never to its owner isn't relayed (S-45).
    return row && natNames.refusalOf(row) === null ? row : null
  }

  /** Explains a wrong port, where the console's 404 would mislead. */
  function otherPort({ url = '', headers: { host = '' } }: IncomingMessage): NatRefusal | null {
    if (ofConsole.test(url) || profiles().names.size === 0) return null
    const row = profiles().names.get(plainHost(host))
    if (!row || natNames.refusalOf(row) !== null) return null
    const port = /:(\d{1,5})$/.exec(host)?.[1]
    const came = port === undefined ? 'without a port' : `with the port ${port}`
    return {
      status: 421,
      text: `nat host ${row.domain} was requested ${came}`,
      hint: 'The domain of the NAT profile must be exactly what browsers send: with the port if it is not 80 or 443.',
    }
  }

  /** The profile's owner must still own the server (S-27). */
  function mayRelay({ owner_id, server_id }: NatRow): boolean {
    const server = servers.find(server_id)
    return server !== undefined && (server.owner_id === owner_id || accounts.isAdmin(owner_id))
  }

  async function connect({ server_id, host }: NatRow): Promise<NatConnection> {
    const id = streams.create({ caller: visitor, serverId: server_id, purpose: 'nat', more: { Host: host } })
    const connection = createNatConnection()
    const attach = await streams.find(id, 'nat', visitor.viewer)?.admit(false)
    const link = attach?.(connection.side)
    if (!link) throw new AppError('blocked', { reason: 'notConnected', text: texts.notConnected })
    connection.start(link)
    return connection
  }

  async function send(
    request: IncomingMessage,
    row: NatRow,
  ): Promise<{ outgoing: ClientRequest; connection: NatConnection }> {
    const connection = await connect(row)
    const url = request.url ?? '/'
    const outgoing = ask({
      createConnection: () => connection.socket,
      method: request.method,
      path: url.startsWith('/') || url === '*' ? url : url.replace(/^https?:\/\/[^/]*/i, '') || '/',
      headers: forTarget(request.rawHeaders),
      setHost: false,
    })
    return { outgoing, connection }
  }

  function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    if (!(error instanceof AppError)) return void response.destroy()
    sendRefusal(request, response, error.params.reason === 'serverStreams' ? tooMany : offline)
  }

  function relay(row: NatRow, request: IncomingMessage, response: ServerResponse, switched?: Switched): void {
    if (!row.enabled) return void sendDisabled(response, row.domain)
    if (!mayRelay(row)) return void sendRefusal(request, response, offline)
    send(request, row).then(
      ({ outgoing, connection }) => {
        outgoing.on('response', (answer) => {
          response.sendDate = false
          response.writeHead(answer.statusCode ?? 502, answer.statusMessage, forVisitor(answer.rawHeaders))
          response.flushHeaders()
          pipeline(answer, response, (error) => {
            if (error) response.destroy()
            connection.socket.destroy()
          })
        })
        if (switched) outgoing.on('upgrade', (answer, target, head) => switched(answer, target, head))
        outgoing.on('error', () => {
          request.unpipe(outgoing).resume()
          if (response.headersSent || response.destroyed) return void response.destroy()
          sendRefusal(request, response, connection.ending() === 'no-agent' ? noAgent : unreachable)
        })
        response.on('close', () => connection.socket.destroy())
        if (switched) outgoing.end()
        else request.pipe(outgoing)
      },
      (error: unknown) => refuse(request, response, error),
    )
  }

  return {
    http(request: IncomingMessage, response: ServerResponse): boolean {
      const row = rowFor(request)
      const refusal = row === null ? otherPort(request) : null
      if (row) relay(row, request, response)
      else if (refusal) sendRefusal(request, response, refusal)
      return row !== null || refusal !== null
    },
    upgrade(request: IncomingMessage, socket: Socket, head: Buffer): boolean {
      const row = rowFor(request)
      if (!row) return false
      const response = new ServerResponse(request)
      response.assignSocket(socket)
      response.shouldKeepAlive = false
      response.on('finish', () => socket.end())
      relay(row, request, response, (answer, target, targetHead) => {
        response.detachSocket(socket)
        const lines = forVisitor(answer.rawHeaders, true)
        const headers = lines.flatMap((text, index) => (index % 2 === 0 ? [`${text}: ${lines[index + 1]}`] : []))
        socket.write(`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\n${headers.join('\r\n')}\r\n\r\n`)
        if (targetHead.length > 0) socket.write(targetHead)
        if (head.length > 0) target.write(head)
        pipeline(socket, target, () => target.destroy())
        pipeline(target, socket, () => socket.destroy())
      })
      return true
    },
  }
}

type Switched = (answer: IncomingMessage, target: Duplex, head: Buffer) => void

interface NatRefusal {
  status: number
  text: string
  hint: string
}

function sendRefusal(request: IncomingMessage, response: ServerResponse, { status, text, hint }: NatRefusal): void {
  const isPage = (request.headers.accept ?? '').includes('text/html')
  const type = isPage ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8'
  const body = isPage ? pageOf(`${status}`, text, hint) : text
  response.writeHead(status, { ...apiHeaders, 'Content-Type': type, Connection: 'close' }).end(body)
}

/** The contract's page. `domain` is a hostname and holds no markup. */
function sendDisabled(response: ServerResponse, domain: string): void {
  const body = pageOf('Blocked', `nat host ${domain} is disabled`, 'nezha WAF')
  response.writeHead(403, { ...apiHeaders, 'Content-Type': 'text/html; charset=utf-8', Connection: 'close' }).end(body)
}

function pageOf(title: string, text: string, hint: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<main><h1>${title}</h1><p>${text}</p><p>${hint}</p></main></html>
`
}

/** Nezha agents end a relay with this as a message of its own (agent contract 7.2). */
const endText = Buffer.from('EOF')

type NatConnection = ReturnType<typeof createNatConnection>

const visitor: Caller = { viewer: { id: 0, username: '', role: 1, scopes: null }, session: null, address: '' }

function createNatConnection() {
  let link: Link | null = null
  let ended: Ending | null = null
  let isOpen = false
  let waiting: { bytes: Buffer; done(): void } | null = null
  let held: Uint8Array | null = null

  function flush() {
    if (!isOpen || !waiting || !link) return
    const { bytes, done } = waiting
    waiting = null
    link.data(bytes)
    if (isOpen) done()
    else waiting = { bytes: Buffer.alloc(0), done }
  }
  const socket = new Duplex({
    allowHalfOpen: true,
    read: () => link?.drained(),
    write(bytes: Buffer, _encoding, done) {
      waiting = { bytes, done }
      flush()
    },
    final: (done) => done(),
    destroy(error, done) {
      link?.gone(true)
      done(error)
    },
  })
  const side: UserSide = {
    caller: visitor,
    comesBack: false,
    received: 0,
    answers: async () => true,
    send(bytes) {
      const before = held
      held = endText.equals(bytes) ? bytes : null
      const parts = [...(before ? [before] : []), ...(held ? [] : [bytes])]
      return parts.map((part) => socket.push(part)).every(Boolean)
    },
    flow(isOn) {
      isOpen = isOn
      flush()
    },
    close(ending) {
      ended = ending
      if (ending === 'ended') socket.push(null)
      else if (!socket.destroyed) socket.destroy(new Error(ending))
    },
  }
  return {
    socket,
    side,
    start(attached: Link): void {
      link = attached
      flush()
    },
    ending: () => ended,
  }
}

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const ofConnection =
  /^(connection|keep-alive|proxy-connection|proxy-authenticate|proxy-authorization|te|trailer|transfer-encoding)$/i

const ourCookies: readonly string[] = Object.values(cookieNames)

const isOurs = (cookie: string) => ourCookies.includes(cookie.replace(/=.*/s, '').trim())

type Pair = readonly [string, string]

const pairsOf = (raw: readonly string[]): readonly Pair[] =>
  raw.flatMap((name, index): readonly Pair[] => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []))

/** Drops the console's cookies, which a shared domain brings along. */
function withoutOurs(value: string): string {
  const kept = value.split(';').filter((part) => !isOurs(part))
  return kept.join(';').trim()
}

/** Request headers for the target: all but hop-by-hop ones, `Authorization` and our cookies. No forwarding headers (contract engines 7, agent-protocol 7.1). */
export function forTarget(raw: readonly string[]): string[] {
  const pairs = pairsOf(raw)
  const isUpgrade = pairs.some(([name]) => name.toLowerCase() === 'upgrade')
  const isChunked = pairs.some(([name, value]) => name.toLowerCase() === 'transfer-encoding' && /chunked/i.test(value))
  const kept = pairs.flatMap(([name, value]): readonly Pair[] => {
    const lower = name.toLowerCase()
    if (ofConnection.test(name) || lower === 'authorization' || lower === 'expect') return []
    if (lower !== 'cookie') return [[name, value]]
    const own = withoutOurs(value)
    return own === '' ? [] : [[name, own]]
  })
  const ends: readonly Pair[] = [
    ['Connection', isUpgrade ? 'Upgrade' : 'close'],
    ...(isChunked ? ([['Transfer-Encoding', 'chunked']] as const) : []),
  ]
  return [...kept, ...ends].flat()
}

/** Response headers for the visitor: all but hop-by-hop ones, and cookies named like ours. */
export function forVisitor(raw: readonly string[], isUpgrade = false): string[] {
  return pairsOf(raw)
    .filter(([name, value]) => {
      const lower = name.toLowerCase()
      if (lower === 'set-cookie') return !isOurs(value)
      return isUpgrade || !ofConnection.test(name)
    })
    .flat()
}
