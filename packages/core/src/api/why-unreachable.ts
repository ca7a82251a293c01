import type { AppError } from '../errors/index.ts'

/** Why no answer came, as far as a program that is no browser learns it; sentences at `errors.why.unreachable.<reason>`. */
export type Unreachable = (typeof reasons)[keyof typeof reasons] | 'noTls' | 'plain' | 'notHttp'

/** By the codes of Node's sockets, names and TLS. */
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

/** Reasons that come after a connection stood, so that the call may have gone through; without a reason nobody knows. */
const whileConnected: readonly unknown[] = ['ended', 'plain', 'notHttp', 'proxy', undefined]

/** True for a failure that does not tell whether the server did what it was sent. Pure. */
export function leavesOpen({ code, params }: AppError): boolean {
  if (code === 'unreachable') return whileConnected.includes(params.why)
  return ['timeout', 'cancelled', 'badAnswer', 'internal'].includes(code)
}

/**
 * The reason of what a socket, TLS or an HTTP parser threw on the way to `url`; null where it says nothing that people know. Where an
 * answer was seen before (`wasSeen`), nobody doubts the address. Pure.
 */
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
