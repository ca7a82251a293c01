import type { GeoIp } from '@qd/core/schemas'

/** A host's addresses for a message: `v4`, `v6` or `v4/v6`, masked unless plain ones are wanted; empty if none is known. Source: contract engines 5. */
export function shownAddress({ ip }: GeoIp, plain: boolean): string {
  const { ipv4_addr: v4 = '', ipv6_addr: v6 = '' } = ip ?? {}
  const shown = plain ? [v4, v6] : [maskV4(v4), maskV6(v6)]
  return shown.filter((address) => address !== '').join('/')
}

/** An address or a range, masked. */
export const maskedAddress = (address: string): string => maskV4(address)

/** First and last octet stay. An address that an agent told in the wrong place is masked by what it is. */
function maskV4(address: string): string {
  if (address.includes(':')) return maskV6(address)
  const parts = address.split('.')
  return parts.length < 4 ? address : `${parts[0]}.****.${parts.at(-1)}`
}

/** The first two and the last two groups stay; empty groups count, four groups or fewer stay as they are. */
function maskV6(address: string): string {
  const groups = address.split(':')
  return groups.length <= 4 ? address : `${groups.slice(0, 2).join(':')}:****:${groups.slice(-2).join(':')}`
}
