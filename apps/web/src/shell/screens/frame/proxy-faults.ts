/** What the server sees of a call: `GET /capabilities`. */
export interface Seen {
  host: string
  secure: boolean
}

/** What a proxy in between changes, by the text that says so. While the rest of the server answers, a feed that never opens was not let through. */
export function proxyFaults(
  seen: Seen,
  here: Readonly<{ host: string; protocol: string }>,
): readonly ('host' | 'scheme' | 'upgrade')[] {
  if (seen.host.toLowerCase() !== here.host) return ['host']
  return here.protocol === 'https:' && !seen.secure ? ['scheme', 'upgrade'] : ['upgrade']
}
