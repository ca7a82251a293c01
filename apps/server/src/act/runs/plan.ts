import { TaskType } from '@qd/core/resources'
import { nextRuns, parseSchedule } from '@qd/core/schemas'
import type { CronRow } from '../../store/records/rows.ts'

/** When one task runs next. Times are epoch ms. */
export interface Planned {
  readonly id: number
  /** Null: no run within five years. */
  readonly nextAt: number | null
  /** The newest time it has been run for; no run is planned at or before it. */
  readonly doneUntil: number
  /** Besides, a later time for which it has been run already, by a clock that was ahead; 0 for none. */
  readonly doneAt: number
}

/** What to do at one instant. */
export interface Decision {
  /** Tasks to run now, each once. */
  readonly run: readonly number[]
  /** Tasks whose time was missed by more than `graceMs`: not caught up (contract engines 3.2). */
  readonly missed: readonly number[]
  readonly planned: readonly Planned[]
}

/** A time that was missed by this much, by a sleeping machine or a clock set forward, is not caught up. */
export const graceMs = 60_000
/** A clock set back further than this was wrong before, so that what ran then may run again. */
export const mostBackMs = 2 * 3_600_000

/** The next run of a task after `from`; null for one without a schedule, or with one that is not valid. Pure. */
export function planTask(
  task: CronRow,
  { from, timeZone, doneUntil, doneAt = 0 }: { from: number; timeZone: string; doneUntil: number; doneAt?: number },
): Planned | null {
  if (task.task_type !== TaskType.scheduled) return null
  const parsed = parseSchedule(task.scheduler)
  if (!parsed.ok) return null
  const times = nextRuns(parsed.schedule, {
    from: Math.max(from, doneUntil),
    count: doneAt === 0 ? 1 : 2,
    timeZone,
    since: task.schedule_set_at,
  })
  const [nextAt = null] = times.filter((at) => at !== doneAt)
  return { id: task.id, nextAt, doneUntil, doneAt }
}

/** What is due at `now`. A task is run once however many of its times have passed. Pure. */
export function decide(
  planned: readonly Planned[],
  now: number,
  replan: (id: number, after: { from: number; doneUntil: number; doneAt: number }) => Planned | null,
): Decision {
  const run: number[] = []
  const missed: number[] = []
  const next = planned.flatMap((task) => {
    const { id, nextAt, doneUntil, doneAt } = task
    if (nextAt === null || nextAt > now) return task
    const isMissed = now - nextAt > graceMs
    if (isMissed) missed.push(id)
    else run.push(id)
    // A missed run has not been done. It runs if the clock was ahead and is then set back before its time.
    return replan(id, { from: now, doneUntil: isMissed ? doneUntil : nextAt, doneAt }) ?? []
  })
  return { run, missed, planned: next }
}
