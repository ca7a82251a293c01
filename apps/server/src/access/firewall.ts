import { networkInterfaces } from 'node:os'
import type { Selectable } from 'kysely'
import type { Logger } from 'pino'
import type { Db, WafTable } from '../db/schema.ts'
import type { Clock } from '../ports.ts'

/** Who fails to prove itself, counted per direct peer address (contract engines 8). */
export interface Firewall {
  /** True while calls of this address are to be refused. */
  blocks(address: string): boolean
  /** True for the machine's own addresses: of its own agent, and of a proxy that many come through. */
  isOwn(address: string): boolean
  /** `identifier` and `reason` as contract engines 8.1 numbers them. */
  failed(address: string, identifier: number, reason: number): void
  /** Forgets what was counted under the identifier. */
  succeeded(address: string, identifier: number): void
  /** Resolves when the table has everything. */
  settled(): Promise<void>
}

type Row = Selectable<WafTable>

/** Failures that the machine's own addresses may have without being blocked: behind them may be a proxy with everybody. */
const freeOnOwn = 10
/** Addresses remembered; with more the one that failed first is forgotten. */
const mostAddresses = 20_000
/** How often a blocked address is looked up, in case `unblock` removed it, and the machine's own addresses. */
const lookUpMs = 1000

/** The firewall with its counts in memory, written through. Source: contract engines 8. */
export async function createFirewall({ db, clock, log }: { db: Db; clock: Clock; log: Logger }): Promise<Firewall> {
  const counts = new Map<string, Map<number, Row>>()
  let lookedUpAt = 0
  let work: Promise<void> = Promise.resolve()
  const inOrder = (step: () => Promise<unknown>) => {
    const failed = (error: unknown) => log.error({ err: error }, 'the firewall could not reach its table')
    work = work.then(step).then(() => {}, failed)
  }
  const put = (row: Row) => {
    const rows = counts.get(row.ip) ?? new Map<number, Row>()
    counts.set(row.ip, rows.set(row.block_identifier, row))
  }
  const drop = (address: string) => {
    counts.delete(address)
    inOrder(() => db.deleteFrom('waf').where('ip', '=', address).execute())
  }
  const lookUp = (address: string) =>
    inOrder(async () => {
      const found = await db.selectFrom('waf').select('ip').where('ip', '=', address).executeTakeFirst()
      if (!found) counts.delete(address)
    })
  const own = { addresses: new Set<string>(), at: Number.NEGATIVE_INFINITY }
  const isOwn = (address: string) => {
    const now = performance.now()
    if (now - own.at >= lookUpMs) {
      own.at = now
      own.addresses = new Set(Object.values(networkInterfaces()).flatMap((all) => all?.map((one) => one.address) ?? []))
    }
    return own.addresses.has(address)
  }

  for (const row of await db.selectFrom('waf').selectAll().orderBy('block_timestamp').execute()) put(row)
  return {
    isOwn,
    settled: () => work,
    blocks(address) {
      const rows = [...(counts.get(address)?.values() ?? [])]
      const failures = rows.reduce((sum, row) => sum + row.count, 0)
      const since = Math.max(0, ...rows.map((row) => row.block_timestamp))
      const isOver = clock.now() / 1000 >= since + banSeconds(failures)
      if (isOver || (failures <= freeOnOwn && isOwn(address))) return false
      if (Math.abs(clock.now() - lookedUpAt) >= lookUpMs) {
        lookedUpAt = clock.now()
        lookUp(address)
      }
      return true
    },
    failed(address, identifier, reason) {
      const count = (counts.get(address)?.get(identifier)?.count ?? 0) + 1
      const change = { block_reason: reason, block_timestamp: Math.floor(clock.now() / 1000), count }
      const row = { ip: address, block_identifier: identifier, ...change }
      put(row)
      const [oldest] = counts.keys()
      if (counts.size > mostAddresses && oldest !== undefined) drop(oldest)
      inOrder(() =>
        db
          .insertInto('waf')
          .values(row)
          .onConflict((conflict) => conflict.columns(['ip', 'block_identifier']).doUpdateSet(change))
          .execute(),
      )
    },
    succeeded(address, identifier) {
      const rows = counts.get(address)
      if (!rows?.delete(identifier)) return
      if (rows.size === 0) counts.delete(address)
      inOrder(() => db.deleteFrom('waf').where('ip', '=', address).where('block_identifier', '=', identifier).execute())
    },
  }
}

/** How long an address is blocked after its newest failure, by failures under all identifiers (contract engines 8.3). */
export const banSeconds = (failures: number): number => (failures === 0 ? 0 : Math.max(3, failures ** 4))
