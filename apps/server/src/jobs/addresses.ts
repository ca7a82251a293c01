import type { GeoIp } from '@qd/core/schemas'

/** A server's addresses, of which it may have either. */
export type Addresses = NonNullable<GeoIp['ip']>

/** `v4`, `v6` or `v4/v6`; empty where none is known. */
export function addressText({ ipv4_addr, ipv6_addr }: Addresses): string {
  return [ipv4_addr, ipv6_addr].filter(Boolean).join('/')
}

/** What a message says of a server's addresses: their middle is kept back unless the settings say otherwise. */
export function noticeAddress(ip: Addresses, isPlain: boolean): string {
  return addressText(
    isPlain ? ip : { ipv4_addr: maskedIpv4(ip.ipv4_addr ?? ''), ipv6_addr: maskedIpv6(ip.ipv6_addr ?? '') },
  )
}

/** Keeps the first and the last number. Existing servers store an IPv6 address here where a host says none (contract engines 5). */
function maskedIpv4(address: string): string {
  if (address.includes(':')) return maskedIpv6(address)
  const parts = address.split('.')
  return parts.length === 4 ? `${parts[0]}.****.${parts[3]}` : address
}

/** Keeps two groups at each end; an address of four or fewer stays as it is. */
function maskedIpv6(address: string): string {
  const groups = address.split(':')
  return groups.length > 4 ? [...groups.slice(0, 2), '****', ...groups.slice(-2)].join(':') : address
}
