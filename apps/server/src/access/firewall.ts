import { type BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Logger } from 'pino'
import { isWithin, neighbourhood, overlaps, rangesOf } from '../kernel/net/address-ranges.ts'
import type { Clock } from '../kernel/ports.ts'
import type { Db } from '../store/db/schema.ts'
import type { Also } from '../store/records/commit.ts'
import { createFirewallTable, type FirewallRow } from './firewall-table.ts'

export interface Block {
  by: 'failures' | 'admin'
  /** Epoch ms; null for ever. */
  until: number | null
}

export type Protection = 'everybody' | 'machine' | 'proxy' | 'allowed'

/** Counts failures to authenticate by client address, and blocks addresses for administrators (contract engines 8). */
export type Firewall = Awaited<ReturnType<typeof createFirewall>>

/** Numbers of a block by hand (contract engines 8.1). Nezha clients read this count as "for ever". */
export const manual = { identifier: -124, reason: 4, count: 99_999 } as const
/** Numbers of a failed sign-in: the user's ID as identifier, `unknownUser` if there is no such user. */
export const signIns = { unknownUser: -125, reason: 1 } as const

const freeWhereShared = 10
const maxAddresses = 20_000
const readEveryMs = 1000
const fewestBits = { ipv4: 8, ipv6: 16 }

interface Entry {
  rows: Map<number, FirewallRow>
  failures: number
  until: number
}

/** Keeps the firewall in memory and writes behind (contract engines 8). `trusts` names proxies. */
export async function createFirewall(parts: {
  db: Db
  clock: Clock
  log: Logger
  trusts?(address: string): boolean
  proxies?(): readonly string[]
  allowed?(): readonly string[]
}) {
  const { clock, log, trusts = () => false, proxies = () => [], allowed = () => [] } = parts
  const table = createFirewallTable(parts)
  const counts = new Map<string, Entry>()
  const blocked = createBlocks()
  const own = { addresses: new Set<string>(), at: Number.NEGATIVE_INFINITY }
  const friends = { of: allowed(), ranges: rangesOf(allowed()) }
  let readAt = Number.NEGATIVE_INFINITY

  const seconds = () => Math.floor(clock.now() / 1000)
  const isOwn = (address: string) => {
    const now = performance.now()
    if (now - own.at >= readEveryMs) {
      own.at = now
      own.addresses = new Set(Object.values(networkInterfaces()).flatMap((all) => all?.map((one) => one.address) ?? []))
    }
    return own.addresses.has(address)
  }
  const isShared = (address: string) => isOwn(address) || trusts(address)
  /** The address, or the IPv6 /64, that failures count against. */
  const whoIs = (address: string) => (address.includes(':') && !isShared(address) ? neighbourhood(address) : address)
  const isAllowed = (address: string) => {
    const now = allowed()
    if (now !== friends.of) Object.assign(friends, { of: now, ranges: rangesOf(now) })
    return now.length > 0 && isIP(address) !== 0 && isWithin(address, friends.ranges)
  }

  function countedUntil(address: string, now: number): number | undefined {
    const entry = counts.get(whoIs(address))
    if (!entry || entry.until <= now) return undefined
    return entry.failures <= freeWhereShared && isShared(address) ? undefined : entry.until
  }

  function put(row: FirewallRow): void {
    if (row.block_identifier === manual.identifier) {
      blocked.put(row)
      return
    }
    const rows = counts.get(row.ip)?.rows ?? new Map<number, FirewallRow>()
    rows.delete(row.block_identifier)
    rows.set(row.block_identifier, row)
    counts.delete(row.ip)
    counts.set(row.ip, entryOf(rows))
  }

  function forget(ip: string): void {
    counts.delete(ip)
    blocked.drop(ip)
  }

  function forgetOld(): void {
    for (const [ip, { rows }] of [...counts])
      for (const row of [...rows.values()]) {
        const count = leftOf(row.count, row.block_timestamp, seconds())
        if (count === 0) succeed(ip, row.block_identifier)
      }
  }

  function succeed(ip: string, identifier: number): void {
    const rows = counts.get(ip)?.rows
    if (!rows?.delete(identifier)) return
    if (rows.size === 0) counts.delete(ip)
    else counts.set(ip, entryOf(rows))
    table.drop(ip, identifier)
  }

  function hearOfUnblocked(): void {
    if (Math.abs(clock.now() - readAt) < readEveryMs) return
    readAt = clock.now()
    table.unblocked().then(
      (ips) => ips.forEach(forget),
      (error: unknown) => log.error({ err: error }, 'firewall cannot access its table'),
    )
  }

  for (const row of await table.load()) put(row)
  forgetOld()
  return {
    isOwn,
    /** Whether many clients may share the address: the host's own and proxies'. Such an address is counted, but never blocked as a whole. */
    isShared,
    settled: table.settled,
    blocks(address: string, allowList?: readonly string[]): Block | null {
      const now = clock.now()
      const byAdmin = blocked.find(address, now)
      const until = byAdmin ? byAdmin.blocked_until : countedUntil(address, now)
      const isFree = allowList ? isWithin(address, rangesOf(allowList)) : isAllowed(address)
      if (until === undefined || isFree) return null
      hearOfUnblocked()
      return { by: byAdmin ? 'admin' : 'failures', until }
    },
    failed(address: string, identifier: number, reason: number): void {
      if (isAllowed(address)) return
      const ip = whoIs(address)
      const before = counts.get(ip)?.rows.get(identifier)
      const count = 1 + (before ? leftOf(before.count, before.block_timestamp, seconds()) : 0)
      const row = { ip, block_identifier: identifier, block_reason: reason, block_timestamp: seconds(), count }
      put({ ...row, note: '', blocked_until: null })
      table.put({ ...row, note: '', blocked_until: null })
      const [oldest] = counts
      if (counts.size <= maxAddresses || !oldest) return
      counts.delete(oldest[0])
      for (const gone of oldest[1].rows.keys()) table.drop(oldest[0], gone)
    },
    succeeded: (address: string, identifier: number): void => succeed(whoIs(address), identifier),
    /** Everything that is blocked or counted, newest first. `until`: epoch ms, null for ever. */
    all(): readonly { row: FirewallRow; until: number | null }[] {
      forgetOld()
      const counted = [...counts.values()].flatMap(({ rows, until }) =>
        [...rows.values()].map((row) => ({ row, until })),
      )
      const byHand = blocked.all().map((row) => ({ row, until: row.blocked_until }))
      return [...counted, ...byHand].reverse().sort((a, b) => b.row.block_timestamp - a.row.block_timestamp)
    },
    protects(target: string): Protection | null {
      const [address = '', bits] = target.split('/')
      const fewest = address.includes(':') ? fewestBits.ipv6 : fewestBits.ipv4
      if (bits !== undefined && Number(bits) < fewest) return 'everybody'
      isOwn(address)
      if ([...own.addresses].some((one) => overlaps(target, one))) return 'machine'
      if (proxies().some((one) => overlaps(target, one))) return 'proxy'
      return allowed().some((one) => overlaps(target, one)) ? 'allowed' : null
    },
    /** `also` runs in the transaction of the change. */
    async block(
      targets: readonly string[],
      { until, note }: { until: number | null; note: string },
      also?: Also<FirewallRow>,
    ): Promise<void> {
      const { identifier, reason, count } = manual
      const numbers = { block_identifier: identifier, block_reason: reason, block_timestamp: seconds(), count }
      const rows = targets.map((ip) => ({ ip, ...numbers, note, blocked_until: until }))
      await table.putNow(rows, also)
      rows.forEach(put)
    },
    async unblock(targets: readonly string[], also?: Also<FirewallRow>): Promise<void> {
      const ips = [...new Set(targets.flatMap((target) => [target, whoIs(target)]))]
      await table.remove(ips, also)
      ips.forEach(forget)
    },
  }
}

function entryOf(rows: Map<number, FirewallRow>): Entry {
  const all = [...rows.values()]
  const failures = all.reduce((sum, { count }) => sum + count, 0)
  const newest = Math.max(...all.map(({ block_timestamp }) => block_timestamp))
  return { rows, failures, until: (newest + banSeconds(failures)) * 1000 }
}

function createBlocks() {
  const byTarget = new Map<string, FirewallRow>()
  /** Null if there are none; undefined until they are asked for. */
  let ranges: BlockList | null | undefined

  const isOn = (row: FirewallRow, now: number) => row.blocked_until === null || row.blocked_until > now
  const rangesNow = () => [...byTarget.values()].filter(({ ip }) => ip.includes('/'))
  function allRanges(): BlockList | null {
    const found = rangesNow()
    return found.length === 0 ? null : rangesOf(found.map(({ ip }) => ip))
  }

  return {
    find(address: string, now: number): FirewallRow | null {
      const exact = byTarget.get(address)
      if (exact && isOn(exact, now)) return exact
      if (ranges === undefined) ranges = allRanges()
      if (ranges === null || isIP(address) === 0 || !isWithin(address, ranges)) return null
      return rangesNow().find((row) => isOn(row, now) && isWithin(address, rangesOf([row.ip]))) ?? null
    },
    all: () => [...byTarget.values()],
    put(row: FirewallRow): void {
      byTarget.delete(row.ip)
      byTarget.set(row.ip, row)
      ranges = undefined
    },
    drop(ip: string): void {
      if (byTarget.delete(ip)) ranges = undefined
    },
  }
}

/** A day without a failure halves the count (behaviour S-02). */
const calmSeconds = 86_400

/** How long an address is blocked after its newest failure, by its number of failures (contract engines 8.3). */
export const banSeconds = (failures: number): number => (failures === 0 ? 0 : Math.max(3, failures ** 4))

/** What remains of a count: each day after the block has ended halves it. `at` and `now` in epoch seconds. */
export function leftOf(count: number, at: number, now: number): number {
  const days = Math.floor((now - at - banSeconds(count)) / calmSeconds)
  return days <= 0 ? count : Math.floor(count / 2 ** days)
}
