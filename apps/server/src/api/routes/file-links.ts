import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { AppError, toAppError } from '@qd/core/errors'
import { maxTransferBytes, parseTransferMessage } from '@qd/protocol/files'
import { Hono } from 'hono'
import type { Base } from '../../base.ts'
import type { Ending, Link, UserSide } from '../../fleet/streams/stream.ts'
import type { Streams } from '../../fleet/streams/streams.ts'
import type { Caller } from '../../kernel/caller.ts'
import { texts } from '../../kernel/texts.ts'
import { ownServer } from '../../store/records/rights.ts'
import type { HttpContext, HttpEnv } from '../http/request.ts'

/** `seconds`: validity of the URL, default 300. */
export interface LinkOrder {
  caller: Caller
  serverId: number
  path: string
  isUpload: boolean
  seconds: number | undefined
  target: { mode?: string; if_match_sha256?: string; create_dirs?: boolean }
}

/** One-time file URLs (contract http-api 3.22, agent contract 11). */
export type FileLinks = ReturnType<typeof createFileLinks>

const seconds = { usual: 300, least: 30, most: 600 }
const transferMs = 600_000
const maxOpen = 1000

export function createFileLinks(
  { clock, random, clients, audit, servers, accounts, apiTokens }: Base,
  streams: Streams,
) {
  const open = new Map<string, LinkOrder & { until: number }>()
  const forget = () => {
    for (const [token, { until }] of open) if (until <= clock.now()) open.delete(token)
  }
  /** The creator may have lost the server, token or account since. */
  const mayStill = ({ caller, serverId }: LinkOrder) => {
    const isThere = !caller.token || apiTokens.find(caller.token.id) !== undefined
    return isThere && accounts.find(caller.viewer.id!) !== undefined && ownServer(servers, caller.viewer, serverId)
  }
  const find = (context: HttpContext, isUpload: boolean) => {
    forget()
    const token = context.req.param('token') ?? ''
    const order = open.get(token)
    return order?.isUpload === isUpload && mayStill(order) ? { token, order } : null
  }
  /** Errors: `blocked`. */
  async function connect(
    { caller, serverId, path, target }: Pick<LinkOrder, 'caller' | 'serverId' | 'path' | 'target'>,
    more: object,
  ): Promise<TransferSide> {
    const id = streams.create({ caller, serverId, purpose: 'transfer', more: { path, ...target, ...more } })
    const transfer = createTransferSide(caller)
    const attach = await streams.find(id, 'transfer', caller.viewer)?.admit(false)
    const link = attach?.(transfer.side)
    if (!link) throw new AppError('blocked', { reason: 'notConnected', text: texts.notConnected })
    transfer.start(link)
    clock.after(transferMs, transfer.close)
    return transfer
  }
  const note = (caller: Caller, order: LinkOrder, result: 'ok' | 'failed') =>
    audit.record({
      caller,
      action: order.isUpload ? 'file put' : 'file take',
      target: `${order.serverId} ${order.path}`,
      names: servers.find(order.serverId)?.name ?? '',
      result,
    })

  const routes = new Hono<HttpEnv>()
  routes.get('/download/:token', async (context) => {
    const found = find(context, false)
    if (!found) return plain(texts.transferToken, 401)
    const { order, token } = found
    open.delete(token)
    try {
      const transfer = await connect(order, { op: 'download' })
      const first = await messageOf(transfer)
      if (first.kind !== 'begin') return endWith(transfer, first)
      note(order.caller, order, 'ok')
      return new Response(piecesOf(transfer, first.size), {
        headers: {
          'Content-Type': 'application/octet-stream',
          'Content-Length': String(first.size),
          'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(nameOf(order.path))}`,
          'Cache-Control': 'no-store',
        },
      })
    } catch (thrown) {
      return plain(wordsOf(thrown), 502)
    }
  })
  routes.post('/upload/:token', async (context) => {
    const found = find(context, true)
    if (!found) return plain(texts.transferToken, 401)
    const { order, token } = found
    const { incoming } = context.env
    const length = incoming.headers['content-length']
    const sum = context.req.query('sha256')
    if (length === undefined) return plain('Content-Length required', 411)
    const size = Number(length)
    if (!Number.isSafeInteger(size) || size < 0) return plain('bad Content-Length', 400)
    if (size > maxTransferBytes) return plain(`at most ${maxTransferBytes} bytes`, 413)
    if (sum !== undefined && !/^[0-9a-f]{64}$/i.test(sum)) return plain('sha256 must be 64 hex digits', 400)
    open.delete(token)
    try {
      const transfer = await connect(order, {
        op: 'upload',
        size,
        ...(sum !== undefined && { expected_sha256: sum.toLowerCase() }),
      })
      const ready = await messageOf(transfer)
      if (ready.kind !== 'ready') return endWith(transfer, ready)
      for await (const chunk of incoming) if (!(await transfer.send(chunk as Buffer))) break
      if (!incoming.complete) {
        transfer.close()
        note(order.caller, order, 'failed')
        return plain('upload interrupted', 400)
      }
      const last = await messageOf(transfer)
      if (last.kind !== 'done') return endWith(transfer, last)
      transfer.close()
      note(order.caller, order, 'ok')
      return new Response(JSON.stringify({ size: last.size, sha256: last.sha256 }), {
        headers: { 'Content-Type': 'application/json; charset=utf-8' },
      })
    } catch (thrown) {
      return plain(wordsOf(thrown), 502)
    }
  })

  return {
    routes,
    /** The SHA-256 of a file on a Nezha agent, by downloading it (at most 100 MiB). Errors: `failed` in the agent's words, `blocked`. */
    async checksum(caller: Caller, serverId: number, path: string): Promise<{ sha256: string; size: number }> {
      const transfer = await connect({ caller, serverId, path, target: {} }, { op: 'download' })
      const hash = createHash('sha256')
      try {
        const first = await messageOf(transfer)
        if (first.kind !== 'begin') throw new AppError('failed', { text: 'text' in first ? first.text : first.kind })
        for await (const piece of piecesOf(transfer, first.size)) hash.update(piece)
        return { sha256: hash.digest('hex'), size: first.size }
      } finally {
        transfer.close()
      }
    },
    /** Errors: `tooMany`. */
    make(order: LinkOrder, request: IncomingMessage): { url: string; method: 'GET' | 'POST'; expires_at: string } {
      forget()
      if (open.size >= maxOpen) throw new AppError('tooMany', { seconds: seconds.usual })
      const lasts = Math.min(seconds.most, Math.max(seconds.least, order.seconds ?? seconds.usual))
      const until = clock.now() + lasts * 1000
      const token = Buffer.from(random.bytes(32)).toString('hex')
      open.set(token, { ...order, until })
      const origin = `${clients.isSecure(request) ? 'https' : 'http'}://${request.headers.host ?? 'localhost'}`
      return {
        url: `${origin}/mcp/${order.isUpload ? 'upload' : 'download'}/${token}`,
        method: order.isUpload ? 'POST' : 'GET',
        expires_at: new Date(until).toISOString(),
      }
    },
  }
}

const nameOf = (path: string) => Buffer.from(path.split(/[\\/]/).findLast((name) => name !== '') ?? 'file').toString()

async function messageOf(transfer: TransferSide) {
  const bytes = await transfer.next()
  return bytes ? parseTransferMessage(bytes) : ({ kind: 'error', text: texts.operationTimeout } as const)
}

function endWith(transfer: TransferSide, message: { kind: string; text?: string }): Response {
  transfer.close()
  return plain(message.text ?? `unexpected ${message.kind}`, 502)
}

function piecesOf(transfer: TransferSide, size: number): ReadableStream<Uint8Array> {
  const hash = createHash('sha256')
  let taken = 0
  return new ReadableStream({
    async pull(controller) {
      const fail = (text: string) => {
        transfer.close()
        controller.error(new AppError('failed', { text }))
      }
      try {
        const message = await messageOf(transfer)
        if (message.kind === 'data') {
          taken += message.bytes.length
          if (taken > size) return fail('more data than declared')
          hash.update(message.bytes)
          return controller.enqueue(message.bytes)
        }
        if (message.kind !== 'done') return fail('text' in message ? message.text : message.kind)
        const isWhole = taken === size && message.size === size
        if (!isWhole || (message.sha256 !== null && message.sha256 !== hash.digest('hex')))
          return fail('sha256 mismatch')
        transfer.close()
        controller.close()
      } catch (error) {
        fail(String(error))
      }
    },
    cancel: transfer.close,
  })
}

const wordsOf = (thrown: unknown): string => {
  const { code, params } = toAppError(thrown)
  return typeof params.text === 'string' ? params.text : code
}

const plain = (text: string, status: number) =>
  new Response(text, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' } })

/** This server's own end of a stream to an agent: messages in order, with back-pressure both ways. */
type TransferSide = ReturnType<typeof createTransferSide>

/** Messages of at most 1 MiB that wait before the agent is held back. */
const maxWaiting = 4

function createTransferSide(caller: Caller) {
  const arrived: Uint8Array[] = []
  let link: Link | null = null
  let ended: Ending | null = null
  let isOpen = false
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const resolve of waiting) resolve()
    waiting.clear()
  }
  const change = () => new Promise<void>((resolve) => waiting.add(resolve))
  const side: UserSide = {
    caller,
    comesBack: false,
    received: 0,
    answers: async () => true,
    send(bytes) {
      arrived.push(bytes)
      wake()
      return arrived.length < maxWaiting
    },
    flow(isOn) {
      isOpen = isOn
      wake()
    },
    close(ending) {
      ended = ending
      wake()
    },
  }
  return {
    side,
    start(attached: Link): void {
      link = attached
      wake()
    },
    /** The agent's next message; null once the stream has ended. */
    async next(): Promise<Uint8Array | null> {
      while (arrived.length === 0) {
        if (ended !== null) return null
        await change()
      }
      const message = arrived.shift()!
      link?.drained()
      return message
    },
    /** Waits while the agent is slow; false once the stream has ended. */
    async send(bytes: Uint8Array): Promise<boolean> {
      while (!(isOpen && link)) {
        if (ended !== null) return false
        await change()
      }
      if (ended !== null) return false
      link.data(bytes)
      return true
    },
    close: (): void => link?.gone(true),
  }
}
