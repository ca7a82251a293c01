/** A call as the server sees it: `GET /capabilities`. */
export interface Seen {
  host: string
  secure: boolean
}

/** Changes by a proxy, as text keys. If the server answers but the feed never opens, the proxy blocks it. */
export function proxyFaults(
  seen: Seen,
  here: Readonly<{ host: string; protocol: string }>,
): readonly ('host' | 'scheme' | 'upgrade')[] {
  if (seen.host.toLowerCase() !== here.host) return ['host']
  return here.protocol === 'https:' && !seen.secure ? ['scheme', 'upgrade'] : ['upgrade']
}
