import { jitteredBackoffMs } from '@qd/protocol/backoff'
import type { Call } from '../define/index.ts'
import { AppError, errorTraits } from '../errors.ts'
import { readAnswer } from './envelope.ts'
import type { FetchResponse, Ports } from './ports.ts'

/** Why there was no response, as far as programs other than browsers know; texts at `errors.why.unreachable.<reason>`. */
export type Unreachable = (typeof reasons)[keyof typeof reasons] | 'noTls' | 'plain' | 'notHttp'

/** By Node’s error codes for sockets, names and TLS. */
const reasons = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'noName',
  EAI_AGAIN: 'noNameNow',
  EHOSTUNREACH: 'noWay',
  ENETUNREACH: 'noWay',
  ETIMEDOUT: 'late',
  ECONNRESET: 'ended',
  EPIPE: 'ended',
  EPROTO: 'noTls',
  ERR_SSL_WRONG_VERSION_NUMBER: 'noTls',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'notYetValid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'otherName',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'unknownAuthority',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknownAuthority',
  UNABLE_TO_GET_ISSUER_CERT: 'unknownAuthority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknownAuthority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknownAuthority',
  CERT_UNTRUSTED: 'unknownAuthority',
} as const

/** Reasons with an established connection, so that the call may have succeeded; without a reason nobody knows. */
const whileConnected: readonly unknown[] = ['ended', 'plain', 'notHttp', 'proxy', undefined]

/** Whether the server may have executed the call nevertheless. */
export function leavesOpen({ code, params }: AppError): boolean {
  if (code === 'unreachable') return whileConnected.includes(params.why)
  return ['timeout', 'cancelled', 'badAnswer', 'internal', 'databaseAway'].includes(code)
}

/** The reason for an error of a socket, TLS or HTTP parser; null if it means nothing to people. `wasSeen`: earlier responses prove that the address is right. */
export function whyUnreachable(thrown: unknown, url: string, wasSeen: boolean): Unreachable | null {
  const [first] = thrown instanceof AggregateError ? (thrown.errors as unknown[]) : [thrown]
  const { code, message = '' } = (first ?? {}) as { code?: unknown; message?: string }
  if (typeof code !== 'string') return null
  if (code.startsWith('HPE_')) return 'notHttp'
  const reason = Object.hasOwn(reasons, code) ? reasons[code as keyof typeof reasons] : null
  if (reason !== 'ended') return reason
  if (message.includes('before secure TLS')) return 'noTls'
  return url.startsWith('http:') && !wasSeen ? 'plain' : 'ended'
}

export interface SendOptions {
  signal?: AbortSignal
  /** For the call with its retries, in ms. */
  timeoutMs?: number
  /** Only checks for a sign-in, without asking for one. */
  probe?: true
}

export interface TransportOptions {
  ports: Pick<Ports, 'fetch' | 'now' | 'random' | 'setTimer'>
  /** Origin and perhaps a path, without a trailing slash: `https://fleet.example`. */
  baseUrl: string
  timeoutMs: number
  retries: number
  headers(call: Call): Readonly<Record<string, string>>
  onAnswer(response: FetchResponse): void
}

/** Sends a call and returns its `data`. Errors: AppError; `timeout`, `cancelled`, `unreachable` and those of `readAnswer`. */
export type Transport = (call: Call, options?: SendOptions) => Promise<unknown>

const repeatBackoff = { firstMs: 300, maxMs: 30_000 }

export function urlOf(baseUrl: string, { path, query = {} }: Call): string {
  const url = new URL(`${baseUrl}/api/v1/${path}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  return url.href
}

function requestOf(baseUrl: string, call: Call): string {
  const url = urlOf(baseUrl, call)
  return `${call.method} ${url.slice(new URL(url).origin.length)}`
}

/** Retries only reads, on network errors, 429 and 5xx, with backoff and before the deadline; changing calls are sent once (behaviors C-21, C-22). */
export function createTransport(options: TransportOptions): Transport {
  const { ports, retries, timeoutMs: defaultTimeoutMs } = options
  let wasSeen = false
  return async (call, { signal, timeoutMs = defaultTimeoutMs } = {}) => {
    const end = new AbortController()
    let timedOut = false
    const stop = () => end.abort()
    const cancelTimer = ports.setTimer(() => {
      timedOut = true
      stop()
    }, timeoutMs)
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
    const deadline = ports.now() + timeoutMs
    const failure = (thrown: unknown): AppError => {
      if (timedOut) return new AppError('timeout', { seconds: Math.round(timeoutMs / 1000) })
      if (end.signal.aborted) return new AppError('cancelled')
      if (thrown instanceof AppError) return thrown
      if (isOwnMistake(thrown)) return new AppError('internal', {}, { cause: thrown })
      const why = whyUnreachable(thrown, options.baseUrl, wasSeen)
      return new AppError('unreachable', { url: options.baseUrl, ...(why && { why }) }, { cause: thrown })
    }
    try {
      for (let attempt = 0; ; attempt++) {
        let status = 0
        const onAnswer = (response: FetchResponse) => {
          status = response.status
          wasSeen = true
          options.onAnswer(response)
        }
        try {
          return await sendOnce(call, end.signal, { ...options, onAnswer })
        } catch (thrown) {
          const error = failure(thrown)
          const isReading = call.method === 'GET' && !call.once
          const mayBeDone = !isReading && !call.changesNothing && leavesOpen(error)
          const request = requestOf(options.baseUrl, call)
          error.call = { server: options.baseUrl, request, status: status || null, mayBeDone }
          const waitMs = waitOf(error, attempt, ports.random())
          const again = isReading && mayPass(error) && !end.signal.aborted
          if (!again || attempt >= retries || ports.now() + waitMs >= deadline) throw error
          await rest(ports, waitMs, end.signal)
          if (end.signal.aborted) throw failure(error)
        }
      }
    } finally {
      cancelTimer()
      signal?.removeEventListener('abort', stop)
    }
  }
}

/** Whether the request couldn’t be built, such as a header with a character that HTTP can’t carry. */
const isOwnMistake = (thrown: unknown) =>
  thrown instanceof TypeError && String((thrown as { code?: unknown }).code).startsWith('ERR_INVALID')

/** Whether the call may succeed later: the server is busy, restarting, or can’t be reached. */
export function mayPass({ code, call }: AppError): boolean {
  return errorTraits[code].retry || (call?.status ?? 0) >= 500
}

async function sendOnce(call: Call, signal: AbortSignal, options: TransportOptions): Promise<unknown> {
  const { ports, baseUrl, headers, onAnswer } = options
  const hasBody = call.body !== undefined
  const response = await ports.fetch({
    method: call.method,
    url: urlOf(baseUrl, call),
    headers: {
      Accept: 'application/json',
      ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
      ...(call.ifMatch === undefined ? {} : { 'If-Match': call.ifMatch }),
      ...(call.prefersRecord ? { Prefer: 'return=representation' } : {}),
      ...headers(call),
    },
    ...(hasBody ? { body: JSON.stringify(call.body) } : {}),
    signal,
  })
  onAnswer(response)
  return readAnswer({
    status: response.status,
    text: await response.text(),
    retryAfter: response.headers.get('Retry-After'),
  })
}

/** Returns the delay that the server asked for, or an exponential backoff with jitter. */
function waitOf(error: AppError, attempt: number, random: number): number {
  const { seconds } = error.params
  if (error.code === 'tooMany' && typeof seconds === 'number') return seconds * 1000
  return jitteredBackoffMs(repeatBackoff, attempt, random)
}

function rest(ports: Pick<Ports, 'setTimer'>, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = ports.setTimer(resolve, ms)
    const stop = () => {
      cancel()
      resolve()
    }
    signal.addEventListener('abort', stop, { once: true })
  })
}
