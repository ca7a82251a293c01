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

/** `says`: for the operator; `error`: for the client. */
export interface DashboardProblem {
  says: string
  error: AppError
}

export const nameOf = ({ url }: Pick<Upstream, 'url'>): string => url.href.replace(/\/$/, '')

/** Our clients translate `why`; others show `text`. */
function problem(
  upstream: Pick<Upstream, 'url'>,
  { code, says, text, params }: { code: ErrorCode; says: string; text?: string; params: ErrorParams },
): DashboardProblem {
  const place = code === 'firewall' ? { host: upstream.url.host } : { url: nameOf(upstream) }
  const sentence = text ?? `cannot reach the dashboard at ${nameOf(upstream)}: ${says}`
  return { says, error: new AppError(code, { ...place, ...params, text: sentence }) }
}

/** Why no response came. Once a dashboard was seen, the address isn't doubted. */
export function unreachable(
  thrown: unknown,
  upstream: Pick<Upstream, 'url'>,
  { wasSeen }: { wasSeen: boolean },
): DashboardProblem {
  const why = whyUnreachable(thrown, upstream.url.href, wasSeen)
  const says = why ? reasons[why](upstream.url.hostname) : (thrown as Error).message
  // The client's own hint is for access without a gateway.
  const hint = why === 'unknownAuthority' && { hint: 'upstreamCa' }
  return problem(upstream, { code: 'unreachable', says, params: { ...(why && { why }), ...hint } })
}

export function timedOut(upstream: Pick<Upstream, 'url'>, seconds: number): AppError {
  const text = `the dashboard at ${upstream.url.host} did not respond within ${seconds} s`
  return new AppError('timeout', { seconds, text })
}

/** Meaning of an HTML page sent instead of JSON; null to pass it on (contract http-api 6.2, 1.3). */
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

export function noDashboard(upstream: Pick<Upstream, 'url'>, status: number): DashboardProblem {
  const says = `it is not a 1.x or 2.x dashboard (status ${status}); check the address`
  const text = `${nameOf(upstream)} is not a 1.x or 2.x dashboard`
  return problem(upstream, { code: 'noRoute', says, text, params: { why: 'noDashboard' } })
}

/** A redirect of the same path to another place; null for other redirects, such as to a sign-in provider. */
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
