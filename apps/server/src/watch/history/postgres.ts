import { sql } from 'kysely'
import type { Db } from '../../store/db/schema.ts'
import type { HistoryTables } from '../../store/db/schema-history.ts'
import { type HistoryStore, openHistoryStore } from './store.ts'

/** The history in a Postgres database, over the server's own pool; Postgres gives back by itself what was freed. */
export function createPostgresHistory(database: Db): HistoryStore {
  const db = database.withTables<HistoryTables>()
  const size = sql<{ bytes: number }>`
    select sum(pg_total_relation_size(name::regclass)) as bytes
    from unnest(array['history_journal', 'history_rows', 'history_sums']) as name`
  const disk = {
    sizeBytes: async () => Number((await size.execute(db)).rows[0]?.bytes ?? 0),
    compact: () => false,
  }
  let opening: Promise<HistoryStore> | null = null
  /** Tried again with each call until it can be opened: the database may be away for a while. */
  const opened = () => {
    opening ??= openHistoryStore(db, disk).catch((error: unknown) => {
      opening = null
      throw error
    })
    return opening
  }
  return {
    write: async (batch) => (await opened()).write(batch),
    read: async (query) => (await opened()).read(query),
    sums: async () => (await opened()).sums(),
    tidied: async () => (await opened()).tidied(),
    close: async () => (await opening?.catch(() => null))?.close(),
  }
}
