import { parseSchedule } from '@qd/core/schemas'
import type { AnyDb } from '../columns.ts'

/** Intervals below a second ran each second until now. */
export async function shortestInterval(db: AnyDb): Promise<void> {
  const tasks: { id: number; scheduler: string }[] = await db
    .selectFrom('crons')
    .select(['id', 'scheduler'])
    .where('scheduler', 'like', '%@every %')
    .execute()
  for (const { id, scheduler } of tasks) {
    const parsed = parseSchedule(scheduler)
    if (parsed.ok || parsed.problem.code !== 'durationShort') continue
    await db.updateTable('crons').set({ scheduler: '@every 1s' }).where('id', '=', id).execute()
  }
}
