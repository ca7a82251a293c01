/** Where this page came from, as an agent would be told: host and port. */
export function addressHere(): string {
  const { host, port, protocol } = location
  return port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host
}

const isLocalName = (hostname: string) => /(^|\.)localhost$/.test(hostname)

/** Whether only programs on the same host can reach an address, with or without a port. */
export function isLoopback(address: string): boolean {
  const hostname = address.replace(/:\d+$/, '')
  return isLocalName(hostname) || /^(127\.[\d.]+|\[::1\])$/.test(hostname)
}

/** The name that this page was opened by; null for an address or this very machine, which no NAT profile can take. */
export function nameHere(hostname: string = location.hostname): string | null {
  const isAddress = /^[\d.]+$|:/.test(hostname)
  return isAddress || isLocalName(hostname) ? null : hostname
}
