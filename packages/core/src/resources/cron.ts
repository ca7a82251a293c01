import * as z from 'zod'
import { defineAction, defineResource, lazy, namedOptions, type TargetSelection } from '../define/index.ts'
import {
  common,
  commonKinds,
  id,
  ids,
  instant,
  longestCommand,
  longestSchedule,
  nextRuns,
  owner,
  ownerKind,
  parseSchedule,
  scheduleProblem,
  sentAs,
} from '../schemas/index.ts'
import {
  byHand,
  checkSelection,
  driftField,
  selectionFields,
  selectionInitial,
  selectionInput,
  selectionKinds,
} from './following.ts'
import { failedOf, runCounts } from './run.ts'
import { siteTimeZone } from './setting.ts'

export const TaskType = { scheduled: 0, triggered: 1 } as const
/** `onAlert`: the server that raised the alert. */
export const TaskCover = { onlyListed: 0, allExcept: 1, onAlert: 2 } as const
/** `claimed` and `untold` are Nezha’s, which stores no failure: a success may be old (behaviors, "Traps"). */
const TaskResult = namedOptions('never', 'success', 'failure', 'claimed', 'untold')

const input = lazy(() =>
  z
    .strictObject({
      name: z.string().min(1).max(128),
      task_type: z.enum(TaskType),
      // Report only this problem for an overlong one.
      scheduler: z.string().max(longestSchedule, { abort: true }),
      command: z.string().min(1).max(longestCommand),
      cover: z.enum(TaskCover),
      servers: ids,
      ...selectionInput(),
      push_successful: z.boolean(),
      notification_group_id: id,
    })
    .superRefine((task, context) => {
      checkSelection(task, context)
      if (task.task_type !== TaskType.scheduled) return
      const problem = scheduleProblem(task.scheduler)
      if (problem) context.addIssue({ code: 'custom', path: ['scheduler'], params: { code: 'schedule', problem } })
      if (task.cover === TaskCover.onAlert)
        context.addIssue({ code: 'custom', path: ['cover'], params: { code: 'scheduledOnAlert' } })
    }),
)

const added = lazy(() => ({
  ...common,
  last_executed_at: instant.nullable(),
  last_result: z.boolean(),
  last_run_id: id,
  last_counts: runCounts(),
  schedule_set_at: instant.nullable(),
  owner,
}))
type Task = z.output<ReturnType<typeof input>> & z.output<z.ZodObject<ReturnType<typeof added>>>

const isTriggered = { task_type: { is: TaskType.triggered } }

function targetsOf({ cover, servers }: Pick<Task, 'cover' | 'servers'>): TargetSelection {
  if (cover === TaskCover.onAlert) return { mode: 'alert', servers: [] }
  return { mode: cover === TaskCover.allExcept ? 'except' : 'only', servers }
}

/** Tasks with recorded runs have the latest run’s ID. */
function resultOf({ last_executed_at, last_result, last_run_id }: Task): keyof typeof TaskResult {
  if (last_executed_at === null) return 'never'
  if (last_run_id === 0) return last_result ? 'claimed' : 'untold'
  return last_result ? 'success' : 'failure'
}

const run = defineAction<Task>()({
  on: 'many',
  scope: 'nezha:cron:exec',
  icon: 'play',
  key: 'r',
  aliases: ['trigger', 'execute', 'start'],
  confirm: 'targets',
  starts: 'run',
  evidence: { field: 'last_executed_at', proves: 'answer', run: 'cron' },
  blocked: [{ when: { cover: { is: TaskCover.onAlert } }, reason: 'needsAlert' }],
  wire: { method: 'POST', path: 'cron/{id}/manual' },
  outcome: sentAs,
})

export const cron = defineResource({
  name: 'cron',
  icon: 'clock',
  family: 'task',
  go: 'g t',
  input,
  added,
  initial: { task_type: TaskType.scheduled, cover: TaskCover.onlyListed, ...selectionInitial },
  fields: {
    ...commonKinds,
    name: { kind: 'text', show: 'always', wide: true },
    task_type: { kind: 'choice', options: TaskType, words: true, aliases: ['kind'], flag: true },
    scheduler: {
      kind: 'schedule',
      show: 'always',
      since: 'schedule_set_at',
      help: true,
      aliases: ['schedule'],
      absentWhen: isTriggered,
    },
    command: { kind: 'command', show: 'detail', wide: true },
    cover: { kind: 'choice', options: TaskCover, flag: true },
    servers: { kind: 'refs', wide: true, to: 'server', aliases: ['runs-on'], flag: true },
    ...selectionKinds,
    push_successful: { kind: 'flag', aliases: ['notify'] },
    notification_group_id: {
      kind: 'ref',
      show: 'wide',
      short: true,
      to: 'notification-group',
      aliases: ['tells', 'notification-group'],
      flag: true,
    },
    last_executed_at: { kind: 'instant', aliases: ['last'], short: true },
    last_result: { kind: 'flag', hidden: true },
    last_run_id: { kind: 'ref', to: 'run', hidden: true },
    last_counts: { kind: 'part', schema: runCounts, requires: 'runs' },
    schedule_set_at: { kind: 'instant', hidden: true },
    owner: ownerKind,
  },
  derived: {
    next_run_at: {
      kind: 'instant',
      short: true,
      aliases: ['next'],
      absentWhen: isTriggered,
      from(row, view) {
        const parsed = row.task_type === TaskType.scheduled ? parseSchedule(row.scheduler) : null
        if (!parsed?.ok) return null
        const since = Date.parse(row.schedule_set_at ?? row.updated_at ?? '') || view.now
        const [next] = nextRuns(parsed.schedule, { from: view.now, count: 1, timeZone: siteTimeZone(view), since })
        return next === undefined ? null : new Date(next).toISOString()
      },
    },
    last_state: {
      kind: 'choice',
      show: 'always',
      options: TaskResult,
      tones: { never: 'muted', success: 'ok', failure: 'bad', claimed: 'muted', untold: 'muted' },
      words: true,
      counted: {
        texts: ['failed', 'missed', 'both'],
        of: (row) => (resultOf(row as Task) === 'failure' ? failedOf(runCounts().parse(row.last_counts)) : null),
      },
      from: resultOf,
    },
    reach: { kind: 'targets', from: targetsOf },
    drift: driftField(targetsOf),
  },
  columns: [
    'name',
    'scheduler',
    'next_run_at',
    'last_executed_at',
    'last_state',
    'reach',
    'notification_group_id',
    'command',
    'server_query',
    'drift',
  ],
  search: ['command', 'scheduler'],
  facet: 'task_type',
  form: {
    what: ['name', 'command'],
    when: ['task_type', { field: 'scheduler', when: { task_type: { is: TaskType.scheduled } } }],
    where: [
      { field: 'cover', when: byHand },
      { field: 'servers', when: { ...byHand, cover: { not: TaskCover.onAlert } } },
      ...selectionFields,
    ],
    tell: ['notification_group_id', 'push_successful'],
  },
  targets: targetsOf,
  idle: { cover: { not: TaskCover.onAlert } },
  withTargets: (_values, servers) => ({ cover: TaskCover.onlyListed, servers }),
  scopes: { read: 'nezha:cron:read', write: 'nezha:cron:write', remove: 'nezha:cron:delete' },
  actions: { run },
})
