import { TaskType } from '@qd/core/resources'
import { nextRuns, parseSchedule } from '@qd/core/schemas'
import type { Base } from '../base.ts'
import type { Engine } from '../kernel/engine.ts'
import type { CronRow } from '../store/records/rows.ts'
import type { Ledger } from './runs/ledger.ts'

const checkEveryMs = 30_000
const maxOpen = 16

/** Due tasks planned per check: planning takes time. */
const maxAtOnce = 50

type Done = Pick<Planned, 'doneUntil' | 'doneAt'>
const nothingDone: Done = { doneUntil: 0, doneAt: 0 }

/** Runs tasks on schedule. A bad row is logged and doesn't stop the others (contract engines 3, behaviour S-49). */
export function createScheduler(base: Base, runs: Pick<Ledger, 'startCron' | 'openOf'>): Engine {
  const { crons, settings, clock, log } = base
  const planned = new Map<number, Planned>()
  let lastNow = clock.now()
  let cancel = () => {}
  let unlisten: (() => void)[] = []
  const failing = new Set<number>()

  function plan(task: CronRow, from: number, { doneUntil, doneAt } = nothingDone): Planned | null {
    try {
      const entry = planTask(task, { from, timeZone: settings.timeZone(), doneUntil, doneAt })
      if (!entry && task.task_type === TaskType.scheduled) {
        log.warn({ cronId: task.id }, 'skipping task: invalid schedule')
      }
      return entry
    } catch (error) {
      log.error({ err: error, cronId: task.id }, 'failed to schedule task')
      return null
    }
  }

  function keep(id: number, entry: Planned | null) {
    if (entry) planned.set(id, entry)
    else planned.delete(id)
  }

  function planAll(doneOf: (before: Done) => Done) {
    const before = new Map(planned)
    planned.clear()
    for (const task of crons.all()) keep(task.id, plan(task, clock.now(), doneOf(before.get(task.id) ?? nothingDone)))
  }

  /** After a step back, only the newest run isn't repeated: otherwise a minutely task would wait until the clock has caught up. Small corrections repeat nothing. */
  function planAfterStepBack(byMs: number) {
    if (byMs <= graceMs) return planAll((done) => done)
    planAll((done) => (byMs > maxBackMs ? nothingDone : { doneUntil: 0, doneAt: done.doneUntil }))
  }

  const lanes = new Map<number, number[]>()

  /** Starts a task after its owner's queued ones, so that owners don't delay each other. */
  async function startInTurn(id: number) {
    const owner = crons.find(id)?.owner_id ?? 0
    const lane = lanes.get(owner)
    if (lane) {
      // A task that is still queued runs once.
      if (!lane.includes(id)) lane.push(id)
      return
    }
    const waiting: number[] = []
    lanes.set(owner, waiting)
    for (let next: number | undefined = id; next !== undefined; next = waiting.shift()) await start(next)
    lanes.delete(owner)
  }

  async function start(id: number) {
    const task = crons.find(id)
    if (!task) return void failing.delete(id)
    if (runs.openOf(id) >= maxOpen) {
      log.warn({ cronId: id, open: maxOpen }, 'task not started: too many open runs')
      return
    }
    try {
      await runs.startCron(task, { by: 'schedule' })
      failing.delete(id)
    } catch (error) {
      failing.add(id)
      log.error({ err: error, cronId: id }, 'failed to start scheduled task')
    }
  }

  function check() {
    const now = clock.now()
    if (now < lastNow) planAfterStepBack(lastNow - now)
    lastNow = now
    const due = [...planned.values()]
      .filter(({ nextAt }) => nextAt !== null && nextAt <= now)
      .sort((a, b) => a.nextAt! - b.nextAt!)
      .slice(0, maxAtOnce)
    const decision = decide(due, now, (id, { from, ...done }) => {
      const task = crons.find(id)
      return task ? plan(task, from, done) : null
    })
    const next = new Map(decision.planned.map((entry) => [entry.id, entry]))
    for (const { id } of due) keep(id, next.get(id) ?? null)
    if (decision.missed.length > 0)
      log.warn({ cronIds: decision.missed }, 'missed scheduled runs; they will not run late')
    for (const id of decision.run) void startInTurn(id)
    wait()
  }

  function wait() {
    cancel()
    const next = Math.min(...[...planned.values()].map(({ nextAt }) => nextAt ?? Number.POSITIVE_INFINITY))
    cancel = clock.after(Math.min(checkEveryMs, Math.max(0, next - clock.now())), check)
  }

  return {
    name: 'scheduler',
    async start() {
      planAll((done) => done)
      unlisten = [
        crons.onChange(({ id, after }) => {
          keep(id, after && plan(after, clock.now()))
          wait()
        }),
        settings.onChange(() => {
          planAll((done) => done)
          wait()
        }),
      ]
      wait()
    },
    problem: () => (failing.size > 0 ? `failed to start ${failing.size} scheduled tasks` : null),
    async stop() {
      cancel()
      for (const stop of unlisten) stop()
    },
  }
}

interface Planned {
  readonly id: number
  /** Null: no run within five years. */
  readonly nextAt: number | null
  /** Start time of the newest run; later runs only. */
  readonly doneUntil: number
  /** A later time that already ran, by a clock that was ahead; 0 for none. */
  readonly doneAt: number
}

interface Decision {
  readonly run: readonly number[]
  /** Missed by more than `graceMs`, and not made up for (contract engines 3.2). */
  readonly missed: readonly number[]
  readonly planned: readonly Planned[]
}

/** A run missed by more, because the host slept or the clock was set forward, isn't made up for. */
const graceMs = 60_000
/** A clock set back further was wrong before: what ran then may run again. */
const maxBackMs = 2 * 3_600_000

function planTask(
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

/** A due task runs once, however many of its times have passed. */
function decide(
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
    // A missed run doesn't count as done: if the clock was ahead and is set back, it still runs.
    return replan(id, { from: now, doneUntil: isMissed ? doneUntil : nextAt, doneAt }) ?? []
  })
  return { run, missed, planned: next }
}
