import { sql } from 'kysely'
import { joinPostgres, type PostgresPlace } from '../../store/db/postgres-pool.ts'
import type { HistoryDb, HistoryTables } from '../../store/db/schema.ts'
import { type OpenedHistory, openHistoryStore } from './store.ts'

/** Opens the history in the server’s PostgreSQL. */
export async function openHistoryDatabase(place: PostgresPlace): Promise<OpenedHistory> {
  const db = await joinPostgres<HistoryTables>(place)
  try {
    return await openHistoryIn(db)
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** The database frees space itself. */
export async function openHistoryIn(db: HistoryDb): Promise<OpenedHistory> {
  const size = sql<{ bytes: number }>`
    select sum(pg_total_relation_size(name::regclass)) as bytes
    from unnest(array['history_journal', 'history_rows', 'history_sums']) as name`
  const store = await openHistoryStore(db, {
    sizeBytes: async () => Number((await size.execute(db)).rows[0]?.bytes ?? 0),
    compact: () => false,
  })
  return {
    ...store,
    note: null,
    gone: () => null,
    async close() {
      await store.close()
      await db.destroy()
    },
  }
}
