/** Where this page came from, as an agent would be told: host and port. */
export function addressHere(): string {
  const { host, port, protocol } = location
  return port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host
}

/** The name that this page was opened by; null for an address or this very machine, which no NAT profile can take. */
export function nameHere(hostname: string = location.hostname): string | null {
  const isAddress = /^[\d.]+$|:/.test(hostname)
  return isAddress || /(^|\.)localhost$/.test(hostname) ? null : hostname
}
