import type { GeoIp } from '@qd/core/schemas'

/** `v4`, `v6` or `v4/v6`, masked unless `plain` (contract engines 5). */
export function shownAddress({ ip }: GeoIp, plain: boolean): string {
  const { ipv4_addr: v4 = '', ipv6_addr: v6 = '' } = ip ?? {}
  const shown = plain ? [v4, v6] : [maskV4(v4), maskV6(v6)]
  return shown.filter((address) => address !== '').join('/')
}

export const maskedAddress = (address: string): string => maskV4(address)

/** Keeps the first and last octet. Agents may mix up the families. */
function maskV4(address: string): string {
  if (address.includes(':')) return maskV6(address)
  const parts = address.split('.')
  return parts.length < 4 ? address : `${parts[0]}.****.${parts.at(-1)}`
}

/** Keeps two groups at each end; four groups or fewer stay. */
function maskV6(address: string): string {
  const groups = address.split(':')
  return groups.length <= 4 ? address : `${groups.slice(0, 2).join(':')}:****:${groups.slice(-2).join(':')}`
}
