import * as z from 'zod'
import { defineAction, defineResource, lazy, namedOptions } from '../define/index.ts'
import { firstItem } from '../errors.ts'
import { common, commonKinds, id, instant, owner, ownerKind, sentAs } from '../schemas/index.ts'

type Reason = NonNullable<RunItem['reason']>
type Ended = Pick<RunItem, 'state' | 'reason' | 'exit_code' | 'output'>

/** Null unless the part ended without success. */
export function reasonOf({ state, reason, exit_code }: Omit<Ended, 'output'>): Reason | null {
  if (state === ItemState.noAnswer) return reason ?? 'lost'
  if (state !== ItemState.failure) return reason
  return reason ?? (exit_code === null ? 'failure' : 'exit')
}

const messages: Readonly<Record<Reason, (part: Ended) => string>> = {
  offline: () => 'the server was offline when the run started',
  lost: () => 'the connection was lost before the agent answered',
  deadline: () => 'no answer within the time limit',
  stopped: () => 'the run was stopped before this server’s turn',
  refused: ({ output }) => firstLine(output) || 'the agent refused',
  timeLimit: () => 'the command was stopped at the time limit',
  sameVersion: ({ output }) => `the agent is back with the version it had${output ? `: ${firstLine(output)}` : ''}`,
  exit: ({ exit_code }) => `the command ended with exit code ${exit_code}`,
  failure: ({ output }) => firstLine(output) || 'the agent reported a failure and no more',
}

export function messageOf(part: Ended): string {
  const reason = reasonOf(part)
  return reason === null ? '' : messages[reason](part)
}

const maxShown = 200

const firstLine = (output: string) => (output.trim().split('\n')[0] ?? '').slice(0, maxShown)

export const RunKind = namedOptions('cron', 'exec', 'update', 'config', 'file')
/** By evidence only (spec decisions, "Run states"). `waiting`: for its turn in a rollout. */
export const ItemState = {
  waiting: 'waiting',
  sent: 'sent',
  running: 'running',
  success: 'success',
  failure: 'failure',
  noAnswer: 'no_answer',
} as const
export type ItemState = (typeof ItemState)[keyof typeof ItemState]
/** `open`: parts are waiting, sent or running. `paused`: a rollout waits to be resumed. */
export const RunState = namedOptions('open', 'paused', 'success', 'failure', 'partial')
export const NoAnswerReason = namedOptions('offline', 'lost', 'deadline', 'stopped')
/** `exit`: the command’s exit code; else the agent refused it, hit a time limit, didn’t update, or only reported a failure. */
export const FailureReason = namedOptions('refused', 'timeLimit', 'sameVersion', 'exit', 'failure')

const tones = {
  waiting: 'muted',
  sent: 'muted',
  running: 'accent',
  success: 'ok',
  failure: 'bad',
  no_answer: 'muted',
} as const

/** `exit_code` null: unknown. `cut_bytes`: dropped from `output`. Parts without success have a `reason`, and a `message` in English for scripts. */
export const runItem = lazy(() =>
  z.object({
    server_id: z.int(),
    server_name: z.string().catch(''),
    state: z.enum(ItemState).catch('sent'),
    exit_code: z.int().nullable().catch(null),
    started_at: instant.nullable().catch(null),
    duration_ms: z.number().nullable().catch(null),
    output: z.string().catch(''),
    cut_bytes: z.number().catch(0),
    lines: z.number().catch(0),
    reason: z
      .enum({ ...NoAnswerReason, ...FailureReason })
      .nullable()
      .catch(null),
    message: z.string().catch(''),
  }),
)
export type RunItem = z.output<ReturnType<typeof runItem>>

/** The reason, if it adds to state and exit code. */
export function furtherReason({
  reason,
}: Pick<RunItem, 'reason'>): Exclude<RunItem['reason'], typeof FailureReason.exit | typeof FailureReason.failure> {
  return reason === FailureReason.exit || reason === FailureReason.failure ? null : reason
}

export const runCounts = lazy(() =>
  z
    .object({
      waiting: z.int().catch(0),
      sent: z.int(),
      running: z.int(),
      success: z.int(),
      failure: z.int(),
      no_answer: z.int(),
    })
    .catch({ waiting: 0, sent: 0, running: 0, success: 0, failure: 0, no_answer: 0 }),
)
export type RunCounts = z.output<ReturnType<typeof runCounts>>

export function failedOf(
  counts: RunCounts,
): { text: 'failed' | 'missed' | 'both'; params: Record<string, number> } | null {
  const { failure: failed, no_answer: missed } = counts
  const count = Object.values(counts).reduce((sum, one) => sum + one, 0)
  if (count < 2 || failed + missed === 0) return null
  return { text: failed === 0 ? 'missed' : missed === 0 ? 'failed' : 'both', params: { failed, missed, count } }
}

export const RolloutState = namedOptions('going', 'paused', 'stopped')

/** First `canary` servers, then `batch` at a time (0: all), each `soak` seconds after the previous one; stops after more than `max_failures`. */
export const rollout = lazy(() =>
  z
    .object({
      canary: z.int(),
      batch: z.int(),
      soak: z.int().catch(0),
      max_failures: z.int(),
      state: z.enum(RolloutState),
    })
    .nullable()
    .catch(null),
)
export type Rollout = z.output<ReturnType<typeof rollout>>

export function runStateOf(counts: RunCounts, rollout: Rollout = null): (typeof RunState)[keyof typeof RunState] {
  if (rollout?.state === 'paused' && counts.waiting > 0) return 'paused'
  if (counts.waiting + counts.sent + counts.running > 0) return 'open'
  if (counts.failure + counts.no_answer === 0) return 'success'
  return counts.success > 0 ? 'partial' : 'failure'
}

const added = lazy(() => ({
  ...common,
  kind: z.enum(RunKind),
  cron_id: id,
  name: z.string(),
  command: z.string(),
  started_by: z.string(),
  finished_at: instant.nullable(),
  counts: runCounts(),
  items: z.array(runItem()).catch([]),
  rollout: rollout(),
  owner,
}))

const again = defineAction<{
  id: number
  kind: (typeof RunKind)[keyof typeof RunKind]
  state: unknown
  counts: RunCounts
  rollout: Rollout
}>()({
  on: 'one',
  scope: 'nezha:cron:exec',
  icon: 'refresh-cw',
  key: 'r',
  aliases: ['repeat', 'retry'],
  confirm: 'ask',
  runsOn(rows) {
    const { counts, kind } = firstItem(rows)
    return { servers: counts.failure + counts.no_answer, final: kind === RunKind.update }
  },
  allAtOnce: ([row]) => row?.kind === RunKind.update && row.rollout === null,
  starts: 'run',
  blocked: [
    { when: { state: { is: 'open' } }, reason: 'stillOpen' },
    { when: { state: { is: 'success' } }, reason: 'nothingLeft' },
    { when: { kind: { is: RunKind.file } }, reason: 'sendAgain' },
  ],
  wire: { method: 'POST', path: 'run/{id}/again' },
  outcome: (answer) => sentAs(answer, []),
})

const hasNo = (state: Exclude<keyof typeof RolloutState, 'stopped'>) =>
  [
    state === 'going'
      ? { when: { rollout_state: { is: 'paused' } }, reason: 'isPaused', already: true as const }
      : { when: { rollout_state: { is: 'going' } }, reason: 'isGoing', already: true as const },
    { when: { rollout_state: { not: state } }, reason: state === 'going' ? 'notGoing' : 'notPaused' },
  ] as const

const pause = defineAction<{ id: number; rollout_state: unknown }>()({
  on: 'one',
  scope: 'nezha:server:write',
  icon: 'pause',
  key: 'p',
  aliases: ['hold', 'halt'],
  blocked: hasNo('going'),
  wire: { method: 'POST', path: 'run/{id}/pause' },
})

const resume = defineAction<{ id: number; rollout_state: unknown }>()({
  on: 'one',
  scope: 'nezha:server:write',
  icon: 'play',
  key: 'P',
  aliases: ['continue', 'go on'],
  blocked: hasNo('paused'),
  wire: { method: 'POST', path: 'run/{id}/resume' },
})

/** The server also requires the scope for starting such a run. */
const stop = defineAction<{
  id: number
  kind: (typeof RunKind)[keyof typeof RunKind]
  state: unknown
  rollout_state: unknown
}>()({
  on: 'one',
  scope: 'nezha:cron:exec',
  icon: 'square',
  key: 'S',
  tone: 'bad',
  aliases: ['abort', 'kill', 'cancel rollout'],
  confirm: 'ask',
  blocked: [
    { when: { state: { in: ['success', 'failure', 'partial'] } }, reason: 'noRollout' },
    {
      when: {
        kind: { in: [RunKind.update, RunKind.config, RunKind.file] },
        rollout_state: { in: ['none', 'stopped'] },
      },
      reason: 'noRollout',
    },
  ],
  wire: { method: 'POST', path: 'run/{id}/stop' },
})

/** Lists omit `items`. */
export const run = defineResource({
  name: 'run',
  icon: 'history',
  family: 'task',
  go: 'g r',
  added,
  fields: {
    ...commonKinds,
    kind: { kind: 'choice', options: RunKind },
    cron_id: { kind: 'ref', to: 'cron' },
    name: { kind: 'text', show: 'always' },
    command: { kind: 'command' },
    started_by: { kind: 'text', show: 'wide', short: true },
    finished_at: { kind: 'instant' },
    counts: { kind: 'part', schema: runCounts },
    items: { kind: 'part', schema: () => z.array(runItem()).catch([]) },
    rollout: { kind: 'part', schema: rollout },
    owner: ownerKind,
  },
  derived: {
    state: {
      kind: 'choice',
      show: 'always',
      options: RunState,
      tones: { open: 'accent', paused: 'warn', success: 'ok', failure: 'bad', partial: 'warn' },
      words: true,
      from: ({ counts, rollout }) => runStateOf(counts, rollout),
    },
    rollout_state: {
      kind: 'choice',
      options: { none: 'none', ...RolloutState },
      hidden: true,
      from: ({ counts, rollout }) => (rollout && counts.waiting > 0 ? rollout.state : 'none'),
    },
    success: { kind: 'number', digits: 0, from: ({ counts }) => counts.success },
    failure: { kind: 'number', digits: 0, from: ({ counts }) => counts.failure },
    no_answer: { kind: 'number', digits: 0, from: ({ counts }) => counts.no_answer },
    took: {
      kind: 'duration',
      show: 'wide',
      from: ({ created_at, finished_at }) =>
        created_at && finished_at ? (Date.parse(finished_at) - Date.parse(created_at)) / 1000 : null,
    },
  },
  columns: ['name', 'state', 'success', 'failure', 'no_answer', 'created_at', 'took', 'started_by'],
  sort: { field: 'created_at', order: 'desc' },
  search: ['command', 'started_by'],
  facet: 'state',
  scopes: { read: 'nezha:cron:read', write: 'nezha:cron:exec', remove: null },
  wire: { verbs: ['list', 'get'], paging: 'server' },
  requires: 'runs',
  open: 'detail',
  detail: { sections: [{ kind: 'parts', field: 'items' }] },
  actions: { again, pause, resume, stop },
})

export const itemTones: Readonly<Record<ItemState, (typeof tones)[keyof typeof tones]>> = tones

/** What needs a look comes first. */
const itemOrder: readonly ItemState[] = [
  ItemState.failure,
  ItemState.noAnswer,
  ItemState.running,
  ItemState.sent,
  ItemState.waiting,
  ItemState.success,
]

export function sortItems(items: readonly RunItem[]): RunItem[] {
  return [...items].sort(
    (a, b) =>
      itemOrder.indexOf(a.state) - itemOrder.indexOf(b.state) ||
      a.server_name.localeCompare(b.server_name, 'en', { numeric: true }),
  )
}
