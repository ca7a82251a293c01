import { type Unreachable, whyUnreachable } from '@qd/core/api'
import { AppError, type ErrorCode, type ErrorParams } from '@qd/core/errors'
import type { Upstream } from '../kernel/upstream.ts'

const reasons: Readonly<Record<Unreachable, (host: string) => string>> = {
  refused: () => 'connection refused: nothing is listening there',
  noName: (host) => `the hostname ${host} does not resolve to an address`,
  noNameNow: (host) => `the hostname ${host} cannot be resolved right now`,
  noWay: () => 'no network route to its host',
  late: () => 'the connection timed out',
  ended: () => 'it closed the connection',
  plain: () => 'it closed the connection; did you mean https://?',
  noTls: () => 'it does not use TLS on this port; did you mean http://?',
  notHttp: () => 'the server there does not speak HTTP',
  expired: () => 'its certificate has expired',
  notYetValid: () => 'its certificate is not valid yet',
  otherName: (host) => `its certificate is not valid for ${host}`,
  unknownAuthority: () =>
    'its certificate is signed by an unknown authority; give the CA certificate with --upstream-ca FILE',
}

/** What is wrong with the dashboard: `says` is for who runs the gateway and names no dashboard, `error` for who asked for something. */
export interface DashboardProblem {
  says: string
  error: AppError
}

/** The dashboard as people write it. */
export const nameOf = ({ url }: Pick<Upstream, 'url'>): string => url.href.replace(/\/$/, '')

/** Clients of ours have a sentence for `why` in their language; all others read `text`. */
function problem(
  upstream: Pick<Upstream, 'url'>,
  { code, says, text, params }: { code: ErrorCode; says: string; text?: string; params: ErrorParams },
): DashboardProblem {
  const place = code === 'firewall' ? { host: upstream.url.host } : { url: nameOf(upstream) }
  const sentence = text ?? `cannot reach the dashboard at ${nameOf(upstream)}: ${says}`
  return { says, error: new AppError(code, { ...place, ...params, text: sentence }) }
}

/** Why no answer came: an error of a socket, of TLS or of the HTTP parser. Of a dashboard that was seen there, nobody doubts the address. */
export function unreachable(
  thrown: unknown,
  upstream: Pick<Upstream, 'url'>,
  { wasSeen }: { wasSeen: boolean },
): DashboardProblem {
  const why = whyUnreachable(thrown, upstream.url.href, wasSeen)
  const says = why ? reasons[why](upstream.url.hostname) : (thrown as Error).message
  // The client's own advice is for who reaches a dashboard without a gateway.
  const hint = why === 'unknownAuthority' && { hint: 'upstreamCa' }
  return problem(upstream, { code: 'unreachable', says, params: { ...(why && { why }), ...hint } })
}

/** The dashboard took the call and said nothing for so long; what the call was to do may have been done. */
export function late(upstream: Pick<Upstream, 'url'>, seconds: number): AppError {
  const text = `the dashboard at ${upstream.url.host} did not respond within ${seconds} s`
  return new AppError('timeout', { seconds, text })
}

/**
 * What a page in place of an answer means; null for one that is passed on as it is. Sources: contract http-api 6.2 (the block page says who blocked),
 * 1.3.
 */
export function pageProblem(
  { status, text, challenged }: { status: number; text: string; challenged: boolean },
  upstream: Upstream,
): DashboardProblem | null {
  const { host } = upstream.url
  if (status >= 502) {
    const says = `a proxy in front of it returned ${status}; it may be down or starting`
    return problem(upstream, { code: 'unreachable', says, params: { why: 'proxy', status } })
  }
  if (status !== 403) return null
  const firewall = (why: string, says: string, text = says) =>
    problem(upstream, { code: 'firewall', says, text, params: { why } })
  if (challenged)
    return firewall(
      'browserWanted',
      `a service in front of ${host} allows browsers but not gateways; allow this machine there`,
    )
  if (!/nezha WAF/i.test(text)) return firewall('refusedBefore', `something in front of ${host} refused the request`)
  const blocked = (why: string, whom: string) =>
    firewall(why, `its firewall is blocking ${whom}`, `the firewall of the dashboard at ${host} is blocking ${whom}`)
  if (upstream.realIpHeader !== null) return blocked('clientBlocked', 'you')
  return blocked(
    'gatewayBlocked',
    'this gateway, and everyone who comes through it; unblock it there, and pass on client addresses with --upstream-real-ip-header',
  )
}

/** What answers is some other program, or a version before 1.0. */
export function noDashboard(upstream: Pick<Upstream, 'url'>, status: number): DashboardProblem {
  const says = `it is not a 1.x or 2.x dashboard (status ${status}); check the address`
  const text = `${nameOf(upstream)} is not a 1.x or 2.x dashboard`
  return problem(upstream, { code: 'noRoute', says, text, params: { why: 'noDashboard' } })
}

/** An answer to a call of `path` that says to ask elsewhere; null for one that leads to another page of the dashboard, as a sign-in provider's. */
export function elsewhere(
  upstream: Pick<Upstream, 'url'>,
  path: string,
  location: string | undefined,
): DashboardProblem | null {
  if (location === undefined || !URL.canParse(location, upstream.url.href)) return null
  const to = new URL(location, upstream.url.href).href
  if (!to.endsWith(path)) return null
  const address = to.slice(0, -path.length)
  const says = `it redirects elsewhere; did you mean --upstream ${address}?`
  const text = `cannot use the dashboard at ${nameOf(upstream)}: ${says}`
  return problem(upstream, { code: 'noRoute', says, text, params: { why: 'elsewhere', to: address } })
}
