import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import type { GeoIp } from '@qd/core/schemas'

/** Non-public ranges (contract engines 4.6). */
const special = rangesOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
])

/** All public IPv6; addresses that embed IPv4 lie outside. */
const unicast6 = rangesOf(['2000::/3'])

/** This host and its link, where clouds serve credentials. */
const near = rangesOf(['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '::/127', 'fe80::/10'])

export function isPublic(address: string): boolean {
  const plain = plainAddress(address)
  if (isIP(plain) === 0) return false
  return !isWithin(plain, special) && (isIPv4(plain) || isWithin(plain, unicast6))
}

export function isNear(address: string): boolean {
  return isWithin(plainAddress(address), near)
}

/** Without brackets and zone; an IPv4-mapped address as IPv4. */
export function plainAddress(address: string): string {
  const bare = address.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
  if (isIP(bare) !== 6) return bare
  const written = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(written)
  if (!mapped) return written
  const number = Number.parseInt(mapped[1]!, 16) * 65_536 + Number.parseInt(mapped[2]!, 16)
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
}

export function rangesOf(blocks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const block of blocks) {
    const [address = '', bits] = block.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family)
  }
  return list
}

export function isWithin(address: string, ranges: BlockList): boolean {
  return ranges.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

/** The unit for limits: an IPv4 address, or an IPv6 /64, which one host can use freely. */
export function neighbourhood(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  if (tail !== undefined) while (groups.length + tail.split(':').filter(Boolean).length < 8) groups.push('0')
  return `${plainAddress(`${[...groups, ...(tail?.split(':') ?? [])].slice(0, 4).join(':')}::`)}/64`
}

/** Normalizes an address or a range; a range of one becomes an address. Null if invalid. */
export function targetOf(text: string): string | null {
  const [written = '', bits, ...more] = text.trim().split('/')
  const address = isIP(written) === 0 ? '' : plainAddress(written)
  const most = isIPv4(address) ? 32 : 128
  if (isIP(address) === 0 || more.length > 0) return null
  if (bits === undefined) return address
  // A mapped address can't have a prefix length of its own.
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > most || isIP(written) !== isIP(address)) return null
  return Number(bits) === most ? address : `${address}/${Number(bits)}`
}

export function overlaps(one: string, other: string): boolean {
  const [a = '', b = ''] = [one, other].map((target) => target.split('/')[0])
  return isWithin(a, rangesOf([other])) || isWithin(b, rangesOf([one]))
}

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
