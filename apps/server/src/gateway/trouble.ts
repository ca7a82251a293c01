import { type Unreachable, whyUnreachable } from '@qd/core/api'
import { AppError, type ErrorCode, type ErrorParams } from '@qd/core/errors'
import type { Upstream } from '../upstream.ts'

const reasons: Readonly<Record<Unreachable, (host: string) => string>> = {
  refused: () => 'nothing listens there',
  noName: (host) => `the name ${host} has no address`,
  noNameNow: (host) => `the address of ${host} cannot be looked up now`,
  noWay: () => 'there is no way to its host',
  late: () => 'no connection came about in time',
  ended: () => 'it ended the connection',
  plain: () => 'it ended the connection: perhaps https:// is meant',
  noTls: () => 'it does not speak TLS there: perhaps http:// is meant',
  notHttp: () => 'what answers there does not speak HTTP',
  expired: () => 'its certificate has expired',
  notYetValid: () => 'its certificate is not valid yet',
  otherName: (host) => `its certificate is for other names than ${host}`,
  unknownAuthority: () =>
    'this machine does not know who signed its certificate: name that authority with --upstream-ca FILE',
}

/** What is wrong with the dashboard: `says` is for who runs the gateway and names no dashboard, `error` for who asked for something. */
export interface Trouble {
  says: string
  error: AppError
}

/** The dashboard as people write it. */
export const nameOf = ({ url }: Pick<Upstream, 'url'>): string => url.href.replace(/\/$/, '')

/** Clients of ours have a sentence for `why` in their language; all others read `text`. */
function trouble(
  upstream: Pick<Upstream, 'url'>,
  { code, says, text, params }: { code: ErrorCode; says: string; text?: string; params: ErrorParams },
): Trouble {
  const place = code === 'firewall' ? { host: upstream.url.host } : { url: nameOf(upstream) }
  const sentence = text ?? `the dashboard at ${nameOf(upstream)} cannot be reached: ${says}`
  return { says, error: new AppError(code, { ...place, ...params, text: sentence }) }
}

/** Why no answer came: an error of a socket, of TLS or of the HTTP parser. Of a dashboard that was seen there, nobody doubts the address. */
export function unreachable(
  thrown: unknown,
  upstream: Pick<Upstream, 'url'>,
  { wasSeen }: { wasSeen: boolean },
): Trouble {
  const why = whyUnreachable(thrown, upstream.url.href, wasSeen)
  const says = why ? reasons[why](upstream.url.hostname) : (thrown as Error).message
  // The client's own advice is for who reaches a dashboard without a gateway.
  const hint = why === 'unknownAuthority' && { hint: 'upstreamCa' }
  return trouble(upstream, { code: 'unreachable', says, params: { ...(why && { why }), ...hint } })
}

/** The dashboard took the call and said nothing for so long; what the call was to do may have been done. */
export function late(upstream: Pick<Upstream, 'url'>, seconds: number): AppError {
  const text = `the dashboard at ${upstream.url.host} did not answer within ${seconds} s`
  return new AppError('timeout', { seconds, text })
}

/**
 * What a page in place of an answer means; null for one that is passed on as it is. Sources: contract http-api 6.2 (the block page says who blocked),
 * 1.3.
 */
export function pageTrouble(
  { status, text, challenged }: { status: number; text: string; challenged: boolean },
  upstream: Upstream,
): Trouble | null {
  const { host } = upstream.url
  if (status >= 502) {
    const says = `a proxy in front of it answered ${status}, so it may be down or starting`
    return trouble(upstream, { code: 'unreachable', says, params: { why: 'proxy', status } })
  }
  if (status !== 403) return null
  const firewall = (why: string, says: string, text = says) =>
    trouble(upstream, { code: 'firewall', says, text, params: { why } })
  if (challenged)
    return firewall(
      'browserWanted',
      `a service in front of ${host} wants to see a browser and not a gateway: let this machine through there`,
    )
  if (!/nezha WAF/i.test(text)) return firewall('refusedBefore', `something in front of ${host} refuses this`)
  const blocked = (why: string, whom: string) =>
    firewall(why, `its firewall has blocked ${whom}`, `the firewall of the dashboard at ${host} has blocked ${whom}`)
  if (upstream.realIpHeader !== null) return blocked('clientBlocked', 'you')
  return blocked(
    'gatewayBlocked',
    'this gateway, and with it everybody who comes through it: unblock it there, and name the client’s address with --upstream-real-ip-header',
  )
}

/** What answers is some other program, or a version before 1.0. */
export function noDashboard(upstream: Pick<Upstream, 'url'>, status: number): Trouble {
  const says = `what answers there (status ${status}) is no dashboard of version 1 or 2: check the address`
  const text = `what answers at ${nameOf(upstream)} is no dashboard of version 1 or 2`
  return trouble(upstream, { code: 'noRoute', says, text, params: { why: 'noDashboard' } })
}

/** An answer to a call of `path` that says to ask elsewhere; null for one that leads to another page of the dashboard, as a sign-in provider's. */
export function elsewhere(upstream: Pick<Upstream, 'url'>, path: string, location: string | undefined): Trouble | null {
  if (location === undefined || !URL.canParse(location, upstream.url.href)) return null
  const to = new URL(location, upstream.url.href).href
  if (!to.endsWith(path)) return null
  const address = to.slice(0, -path.length)
  const says = `it leads elsewhere: perhaps --upstream ${address} is meant`
  const text = `the dashboard at ${nameOf(upstream)} cannot be used: ${says}`
  return trouble(upstream, { code: 'noRoute', says, text, params: { why: 'elsewhere', to: address } })
}
