import type { Selectable } from 'kysely'
import type { Logger } from 'pino'
import { excluded } from '../store/db/columns.ts'
import type { Db, WafTable } from '../store/db/schema.ts'
import { type Also, createOrder } from '../store/records/commit.ts'

export type FirewallRow = Selectable<WafTable>

const batchSize = 200
const maxWaiting = 50_000

export function createFirewallTable({ db, log }: { db: Db; log: Logger }) {
  const waiting = new Map<string, { ip: string; identifier: number; row: FirewallRow | null }>()
  let isWriting = false
  const inOrder = createOrder()

  function later(ip: string, identifier: number, row: FirewallRow | null): void {
    const key = `${ip} ${identifier}`
    waiting.delete(key)
    waiting.set(key, { ip, identifier, row })
    const [oldest] = waiting.keys()
    if (waiting.size > maxWaiting && oldest !== undefined) waiting.delete(oldest)
    if (isWriting) return
    isWriting = true
    inOrder(writeAll)
      .catch((error: unknown) => log.error({ err: error }, 'firewall cannot access its table'))
      .finally(() => {
        isWriting = false
      })
  }

  async function writeAll(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, batchSize)
      for (const [key] of batch) waiting.delete(key)
      const rows = batch.flatMap(([, { row }]) => row ?? [])
      const gone = batch.filter(([, { row }]) => row === null)
      await db.transaction().execute(async (handle) => {
        for (const [, { ip, identifier }] of gone)
          await handle.deleteFrom('waf').where('ip', '=', ip).where('block_identifier', '=', identifier).execute()
        if (rows.length > 0) await upsert(handle, rows)
      })
    }
  }

  return {
    async load(): Promise<readonly FirewallRow[]> {
      await db.deleteFrom('waf_unblocked').execute()
      return db.selectFrom('waf').selectAll().orderBy('block_timestamp').execute()
    },
    put: (row: FirewallRow): void => later(row.ip, row.block_identifier, row),
    drop: (ip: string, identifier: number): void => later(ip, identifier, null),
    /** `also` runs in the transaction of the change. */
    putNow: (rows: readonly FirewallRow[], also?: Also<FirewallRow>): Promise<void> =>
      inOrder(() =>
        db.transaction().execute(async (handle) => {
          for (let at = 0; at < rows.length; at += batchSize) await upsert(handle, rows.slice(at, at + batchSize))
          await also?.(handle, rows)
        }),
      ),
    remove: (ips: readonly string[], also?: Also<FirewallRow>): Promise<void> =>
      inOrder(async () => {
        await db.transaction().execute(async (handle) => {
          await handle.deleteFrom('waf').where('ip', 'in', ips).execute()
          await also?.(handle, [])
        })
        for (const [key, { ip }] of waiting) if (ips.includes(ip)) waiting.delete(key)
      }),
    /** The addresses that `qd-server unblock` lifted since the last call. */
    unblocked: () =>
      inOrder(async () => {
        const found = (await db.selectFrom('waf_unblocked').select('ip').execute()).map(({ ip }) => ip)
        if (found.length > 0) await db.deleteFrom('waf_unblocked').where('ip', 'in', found).execute()
        return found
      }),
    settled: (): Promise<void> => inOrder(async () => {}),
  }
}

async function upsert(db: Pick<Db, 'insertInto'>, rows: readonly FirewallRow[]): Promise<void> {
  await db
    .insertInto('waf')
    .values([...rows])
    .onConflict((conflict) =>
      conflict
        .columns(['ip', 'block_identifier'])
        .doUpdateSet(excluded('block_reason', 'block_timestamp', 'count', 'note', 'blocked_until')),
    )
    .execute()
}
