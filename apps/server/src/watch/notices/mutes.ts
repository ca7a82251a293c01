import type { Base } from '../../base.ts'
import { excluded } from '../../store/db/columns.ts'

/** When a notification was last sent (epoch ms), and how long its repeats are dropped. */
export interface Mute {
  sentAt: number
  waitMs: number
}

const firstWaitMs = 15 * 60_000
const longestWaitMs = 24 * 3_600_000
/** A notification this long after its wait counts as the first again. */
const graceMs = 10 * 60_000

/** Decides whether to send, and the next state (contract engines 4.8). If the clock was set back, the mute ends. */
export function decideMute(known: Mute | undefined, now: number): { isSent: boolean; mute: Mute } {
  const since = known ? now - known.sentAt : -1
  if (!known || since < 0 || since >= known.waitMs + graceMs)
    return { isSent: true, mute: { sentAt: now, waitMs: firstWaitMs } }
  if (since < known.waitMs) return { isSent: false, mute: known }
  return { isSent: true, mute: { sentAt: now, waitMs: Math.min(known.waitMs * 2, longestWaitMs) } }
}

/** Stored with the notification that they follow, so that a restart repeats none. */
export function createMutes({ clock, db, writes }: Pick<Base, 'clock' | 'db' | 'writes'>) {
  const mutes = new Map<string, Mute>()
  let sweptAt = clock.now()
  const write = writes.join<{ key: string; mute: Mute | null }>('mutes', async (handle, changes) => {
    const gone = changes.flatMap(({ key, mute }) => (mute === null ? key : []))
    if (gone.length > 0) await handle.deleteFrom('mutes').where('key', 'in', gone).execute()
    const rows = changes.flatMap(({ key, mute }) =>
      mute === null ? [] : { key, sent_at: mute.sentAt, wait_ms: mute.waitMs },
    )
    if (rows.length > 0)
      await handle
        .insertInto('mutes')
        .values(rows)
        .onConflict((conflict) => conflict.column('key').doUpdateSet(excluded('sent_at', 'wait_ms')))
        .execute()
  })
  const keyOf = (label: string, group: string) => JSON.stringify([label, group])

  function remove(key: string) {
    if (mutes.delete(key)) write(key, { key, mute: null })
  }

  function sweep(now: number) {
    if (Math.abs(now - sweptAt) < graceMs) return
    sweptAt = now
    for (const [key, { sentAt, waitMs }] of mutes) if (now - sentAt >= waitMs + graceMs) remove(key)
  }

  return {
    async load(): Promise<void> {
      const rows = await db.selectFrom('mutes').selectAll().execute()
      for (const { key, sent_at, wait_ms } of rows) mutes.set(key, { sentAt: sent_at, waitMs: wait_ms })
    },
    take(label: string, group: string): boolean {
      const now = clock.now()
      sweep(now)
      const key = keyOf(label, group)
      const { isSent, mute } = decideMute(mutes.get(key), now)
      if (isSent) {
        mutes.set(key, mute)
        write(key, { key, mute })
      }
      return isSent
    },
    lift(label: string, group: string): void {
      remove(keyOf(label, group))
    },
  }
}
