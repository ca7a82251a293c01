import { type Unreachable, whyUnreachable } from '@qd/core/api'
import { AppError } from '@qd/core/errors'
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

/** Why no answer came, without the name of who did not answer: an error of a socket, of TLS or of the HTTP parser. */
export function reasonOf(thrown: unknown, { url }: Pick<Upstream, 'url'>): string {
  const why = whyUnreachable(thrown, url.href)
  return why ? reasons[why](url.hostname) : (thrown as Error).message
}

/** The dashboard cannot be reached, in a sentence; the client knows the code `unreachable`. */
export function unreachable(upstream: Pick<Upstream, 'url'>, reason: string): AppError {
  const url = upstream.url.href.replace(/\/$/, '')
  return new AppError('unreachable', { url, text: `the dashboard at ${url} cannot be reached: ${reason}` })
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
): AppError | null {
  const { host } = upstream.url
  if (status >= 502)
    return unreachable(upstream, `a proxy in front of it answered ${status}, so it may be down or starting`)
  if (status !== 403) return null
  if (challenged)
    return new AppError('firewall', {
      text: `a service in front of ${host} wants to see a browser and not a gateway: let this machine through there`,
    })
  if (/nezha WAF/i.test(text)) {
    const who =
      upstream.realIpHeader === null
        ? 'this gateway, and with it everybody who comes through it: unblock it there, and name the client’s address with --upstream-real-ip-header'
        : 'you'
    return new AppError('firewall', { text: `the firewall of the dashboard at ${host} has blocked ${who}` })
  }
  return new AppError('firewall', { text: `something in front of ${host} refuses this` })
}
