import type { HistoryDb } from '../../store/db/schema-history.ts'
import { type Keep, rowMs, spans, tiers } from './tiers.ts'

/** Rows that one transaction deletes. */
const deletedAtOnce = 200

/** Deletes what is past its time, in slices; each turn of the loop is one. */
export async function* clean(
  db: HistoryDb,
  parts: {
    keep: Keep
    now: number
    /** Keeps others out while one slice is at work. */
    exclusive<T>(work: () => Promise<T>): Promise<T>
    compact(): boolean
  },
): AsyncGenerator<void> {
  const { keep, now, exclusive, compact } = parts
  for (const tier of tiers.keys()) {
    const before = now - keep[tier]! - rowMs(tier)
    const some = db
      .selectFrom('history_rows')
      .select('id')
      .where('tier', '=', tier)
      .where('at', '<', before)
      .limit(deletedAtOnce)
    for (;;) {
      const [result] = await exclusive(() => db.deleteFrom('history_rows').where('id', 'in', some).execute())
      yield
      if (Number(result?.numDeletedRows ?? 0) < deletedAtOnce) break
    }
  }
  for (const { ms, kept } of Object.values(spans)) {
    const before = Math.floor(now / ms) - kept - 1
    await exclusive(() => db.deleteFrom('history_sums').where('span_ms', '=', ms).where('slot', '<', before).execute())
    yield
  }
  while (await exclusive(async () => compact())) yield
}
