import { sql } from 'kysely'
import { inSlices } from '../../store/db/clearing.ts'
import { excluded } from '../../store/db/columns.ts'
import type { Db } from '../../store/db/schema.ts'
import { type Bytes, type Counters, sum } from './meter.ts'

/** Traffic in the hour that begins at `at`, and the counters after it. */
export interface TrafficRow {
  serverId: number
  at: number
  bytes: Bytes
  counters: Counters
}

export type TrafficStore = ReturnType<typeof createTrafficStore>

export function createTrafficStore(db: Db) {
  return {
    async snapshots(): Promise<ReadonlyMap<number, Counters>> {
      const rows = await db.selectFrom('traffic_snapshots').selectAll().execute()
      return new Map(
        rows.map(({ server_id, boot_time, in_bytes, out_bytes }) => [
          server_id,
          { boot: boot_time, in: in_bytes, out: out_bytes },
        ]),
      )
    },
    async add(rows: readonly TrafficRow[]): Promise<void> {
      const moved = rows.filter(({ bytes }) => bytes.in + bytes.out > 0)
      await db.transaction().execute(async (handle) => {
        if (moved.length > 0) {
          await handle
            .insertInto('traffic')
            .values(
              moved.map(({ serverId, at, bytes }) => ({
                server_id: serverId,
                at,
                in_bytes: bytes.in,
                out_bytes: bytes.out,
              })),
            )
            .onConflict((conflict) =>
              conflict.columns(['server_id', 'at']).doUpdateSet({
                in_bytes: sql`traffic.in_bytes + excluded.in_bytes`,
                out_bytes: sql`traffic.out_bytes + excluded.out_bytes`,
              }),
            )
            .execute()
        }
        await handle
          .insertInto('traffic_snapshots')
          .values(
            rows.map(({ serverId, counters }) => ({
              server_id: serverId,
              boot_time: counters.boot,
              in_bytes: counters.in,
              out_bytes: counters.out,
            })),
          )
          .onConflict((conflict) =>
            conflict.column('server_id').doUpdateSet(excluded('boot_time', 'in_bytes', 'out_bytes')),
          )
          .execute()
      })
    },
    async since(from: number, servers: readonly number[]): Promise<ReadonlyMap<number, Bytes>> {
      const rows = await db
        .selectFrom('traffic')
        .select(({ fn }) => ['server_id', fn.sum<number>('in_bytes').as('in'), fn.sum<number>('out_bytes').as('out')])
        .where('server_id', 'in', [...servers])
        .where('at', '>=', from)
        .groupBy('server_id')
        .execute()
      return new Map(rows.map((row) => [row.server_id, { in: Number(row.in), out: Number(row.out) }]))
    },
    async servers(): Promise<number[]> {
      const rows = await db.selectFrom('traffic').select('server_id').distinct().execute()
      return rows.map(({ server_id }) => server_id)
    },
    /** `before` null: all hours. */
    async forget(serverId: number, before: number | null): Promise<void> {
      const old = db
        .selectFrom('traffic')
        .select('at')
        .where('server_id', '=', serverId)
        .$if(before !== null, (query) => query.where('at', '<', before as number))
      await inSlices({ rows: 500 }, async (rows) => {
        const some = old.orderBy('at').limit(rows)
        const [result] = await db
          .deleteFrom('traffic')
          .where('server_id', '=', serverId)
          .where('at', 'in', some)
          .execute()
        return Number(result?.numDeletedRows ?? 0)
      })
    },
    async forgetSnapshot(serverId: number): Promise<void> {
      await db.deleteFrom('traffic_snapshots').where('server_id', '=', serverId).execute()
    },
  }
}

/** Servers per query: a year of hours each must not delay other calls. */
const maxAtOnce = 20

/** `inTurn` runs work while no hour is being written, so that none is read twice or missed. */
export function createTrafficSums(store: Pick<TrafficStore, 'since'>, inTurn: (work: () => Promise<void>) => void) {
  const known = new Map<number, Map<number, Bytes>>()
  const wanted = new Map<number, Set<number>>()
  let isReading = false

  const under = <T>(map: Map<number, T>, key: number, make: () => T): T => {
    const found = map.get(key) ?? make()
    map.set(key, found)
    return found
  }

  async function readAll() {
    isReading = false
    for (const [from, servers] of wanted) {
      wanted.delete(from)
      const ids = [...servers]
      for (let first = 0; first < ids.length; first += maxAtOnce) {
        const some = ids.slice(first, first + maxAtOnce)
        const sums = await store.since(from, some)
        const kept = under(known, from, () => new Map<number, Bytes>())
        for (const id of some) kept.set(id, sums.get(id) ?? { in: 0, out: 0 })
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
  }

  return {
    /** Null until it is read. */
    since(from: number, serverId: number): Bytes | null {
      const sums = known.get(from)?.get(serverId)
      if (sums) return sums
      under(wanted, from, () => new Set<number>()).add(serverId)
      if (!isReading) inTurn(readAll)
      isReading = true
      return null
    },
    add(serverId: number, at: number, bytes: Bytes): void {
      for (const [from, sums] of known) {
        const before = sums.get(serverId)
        if (before && at >= from) sums.set(serverId, sum(before, bytes))
      }
    },
    clear: (): void => known.clear(),
  }
}
