/** Host and port of this page, as agents get them. */
export function addressHere(): string {
  const { host, port, protocol } = location
  return port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host
}

const isLocalName = (hostname: string) => /(^|\.)localhost$/.test(hostname)

/** Whether an address, with or without port, is loopback. */
export function isLoopback(address: string): boolean {
  const hostname = address.replace(/:\d+$/, '')
  return isLocalName(hostname) || /^(127\.[\d.]+|\[::1\])$/.test(hostname)
}

/** The host name of this page; null for an IP address or localhost, which no NAT profile can use. */
export function nameHere(hostname: string = location.hostname): string | null {
  const isAddress = /^[\d.]+$|:/.test(hostname)
  return isAddress || isLocalName(hostname) ? null : hostname
}
