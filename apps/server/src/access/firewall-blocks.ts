import { type BlockList, isIP } from 'node:net'
import { isWithin, rangesOf } from '../kernel/net/address-ranges.ts'
import type { FirewallRow } from './firewall-table.ts'

/** What administrators blocked: addresses and ranges, for ever or until a time. */
export interface Blocks {
  /** The block that an address falls under. */
  find(address: string, now: number): FirewallRow | null
  all(): readonly FirewallRow[]
  put(row: FirewallRow): void
  /** False if there was none. */
  drop(ip: string): boolean
}

/** In memory. An address is found without a look at the others; of ranges there are few. */
export function createBlocks(): Blocks {
  const byTarget = new Map<string, FirewallRow>()
  let ranges: BlockList | null = null

  const isOn = (row: FirewallRow, now: number) => row.blocked_until === null || row.blocked_until > now
  const rangesNow = () => [...byTarget.values()].filter(({ ip }) => ip.includes('/'))
  function changed(): void {
    const found = rangesNow()
    ranges = found.length === 0 ? null : rangesOf(found.map(({ ip }) => ip))
  }

  return {
    find(address, now) {
      const exact = byTarget.get(address)
      if (exact && isOn(exact, now)) return exact
      if (ranges === null || isIP(address) === 0 || !isWithin(address, ranges)) return null
      return rangesNow().find((row) => isOn(row, now) && isWithin(address, rangesOf([row.ip]))) ?? null
    },
    all: () => [...byTarget.values()],
    put(row) {
      byTarget.delete(row.ip)
      byTarget.set(row.ip, row)
      changed()
    },
    drop(ip) {
      const isGone = byTarget.delete(ip)
      if (isGone) changed()
      return isGone
    },
  }
}
