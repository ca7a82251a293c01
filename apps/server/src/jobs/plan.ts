import { TaskType } from '@qd/core/resources'
import { nextRuns, parseSchedule } from '@qd/core/schemas'
import type { CronRow } from '../rows.ts'

/** When one task runs next. Times are epoch ms. */
export interface Planned {
  readonly id: number
  /** Null: never again within five years. */
  readonly nextAt: number | null
  /** The newest time it has been run for; no run is planned at or before it. */
  readonly doneUntil: number
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
  { from, timeZone, doneUntil }: { from: number; timeZone: string; doneUntil: number },
): Planned | null {
  if (task.task_type !== TaskType.scheduled) return null
  const parsed = parseSchedule(task.scheduler)
  if (!parsed.ok) return null
  const [nextAt = null] = nextRuns(parsed.schedule, {
    from: Math.max(from, doneUntil),
    count: 1,
    timeZone,
    since: task.schedule_set_at,
  })
  return { id: task.id, nextAt, doneUntil }
}

/** What is due at `now`. A task is run once however many of its times have passed. Pure. */
export function decide(
  planned: readonly Planned[],
  now: number,
  replan: (id: number, after: { from: number; doneUntil: number }) => Planned | null,
): Decision {
  const run: number[] = []
  const missed: number[] = []
  const next = planned.flatMap((task) => {
    const { id, nextAt } = task
    if (nextAt === null || nextAt > now) return task
    if (now - nextAt > graceMs) missed.push(id)
    else run.push(id)
    return replan(id, { from: now, doneUntil: nextAt }) ?? []
  })
  return { run, missed, planned: next }
}
