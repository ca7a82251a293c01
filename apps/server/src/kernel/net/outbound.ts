import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { AppError } from '@qd/core/errors'
import type { Resolve, Resolved } from '../ports.ts'
import { texts } from '../texts.ts'
import { version } from '../version.ts'
import { plainAddress } from './address-ranges.ts'
import type { Allowlist } from './allowlist.ts'

export interface OutboundRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string | null
  verifyTls: boolean
  /** Covers lookup, connection, sending and the status line. */
  timeoutMs: number
  readsBytes?: number
  /** A missing body counts as empty. */
  mayBeCut?: true
}

export interface OutboundAnswer {
  status: number
  reason: string
  body?: string
}

/** Sends to the internet or the allowlist only: one lookup, all addresses allowed, no redirects, no proxies (behaviour S-42). Errors: `failed` with a reason, without the URL's path. */
export type Outbound = (request: OutboundRequest) => Promise<OutboundAnswer>

const ofConnection =
  /^(host|connection|content-length|transfer-encoding|keep-alive|te|trailer|upgrade|expect|proxy-.*)$/i

export function createOutbound({
  resolve,
  allowlist,
  mayAct = () => true,
}: {
  resolve: Resolve
  allowlist(): Allowlist
  /** Looked at last. False: nothing is sent, because another server may do so. */
  mayAct?(): boolean
}): Outbound {
  async function addressesOf(url: URL): Promise<readonly Resolved[]> {
    const host = plainAddress(url.hostname)
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    const family = isIP(host)
    const addresses = family === 0 ? await resolve(host) : [{ address: host, family }]
    const isAllowed = ({ address }: Resolved) => allowlist().allows({ host, port, address })
    if (addresses.length === 0 || !addresses.every(isAllowed)) throw refused()
    return addresses
  }

  return async ({ url: text, timeoutMs, readsBytes = 0, mayBeCut, ...request }) => {
    const url = targetOf(text)
    const signal = AbortSignal.timeout(timeoutMs)
    const timeout = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    timeout.catch(() => {})
    try {
      const addresses = await Promise.race([addressesOf(url), timeout])
      if (!mayAct()) throw new AppError('databaseAway')
      const answer = await answerOf(url, request, { signal, lookup: pinnedTo(addresses) })
      const reading = Promise.race([beginningOf(answer, readsBytes), timeout])
      const body = await (mayBeCut ? reading.catch(() => '') : reading)
      return { status: answer.statusCode ?? 0, reason: answer.statusMessage ?? '', ...(readsBytes > 0 && { body }) }
    } catch (error) {
      if (error instanceof AppError) throw error
      const said = signal.aborted ? texts.outboundLate : messageOf(error)
      throw new AppError('notDelivered', { text: said }, { cause: error })
    }
  }
}

function targetOf(text: string): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw refused()
  }
  if (!['http:', 'https:'].includes(url.protocol) || url.hostname === '') throw refused()
  return url
}

const refused = () => new AppError('addressRefused', { text: texts.outboundRefused, hint: 'outboundAllowlist' })

/** Node wraps several failed attempts without a message. */
function messageOf(error: unknown): string {
  const { errors, message } = error as { errors?: readonly Error[]; message: string }
  return errors?.[0]?.message ?? message
}

function pinnedTo(addresses: readonly Resolved[]): LookupFunction {
  return (_host, options, done) => {
    const [first] = addresses
    if (options.all) done(null, [...addresses])
    else done(null, first!.address, first!.family)
  }
}

async function beginningOf(answer: IncomingMessage, most: number): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  if (most > 0) {
    for await (const part of answer as AsyncIterable<Buffer>) {
      parts.push(part)
      size += part.length
      if (size >= most) break
    }
  }
  answer.destroy()
  return Buffer.concat(parts).subarray(0, most).toString()
}

function answerOf(
  url: URL,
  { method, headers, body, verifyTls }: Omit<OutboundRequest, 'url' | 'timeoutMs' | 'readsBytes' | 'mayBeCut'>,
  connect: { signal: AbortSignal; lookup: LookupFunction },
): Promise<IncomingMessage> {
  const content = body === null ? null : Buffer.from(body)
  const own = Object.entries(headers).filter(([name]) => !ofConnection.test(name))
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, {
      ...connect,
      method,
      agent: false,
      rejectUnauthorized: verifyTls,
      headers: {
        'User-Agent': `Quarterdeck/${version}`,
        ...(content && { 'Content-Length': content.length }),
        // Node writes Latin-1: pass UTF-8 bytes.
        ...Object.fromEntries(own.map(([name, value]) => [name, Buffer.from(value).toString('latin1')])),
      },
    })
    request.once('error', reject)
    request.once('response', (answer) => {
      resolve(answer)
      answer.on('error', () => {})
      request.on('error', () => {})
    })
    request.end(content)
  })
}
