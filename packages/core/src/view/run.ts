import { type Action, type AnyRow, argumentsOf, type Buckets, fieldKey, type View } from '../define/index.ts'
import type { Format, Translator } from '../i18n/index.ts'
import {
  furtherReason,
  ItemState,
  messageOf,
  NoAnswerReason,
  type Rollout,
  type RunCounts,
  type RunItem,
  RunKind,
  runItem,
  server,
} from '../resources/index.ts'
import type { Targets } from '../targets/index.ts'
import type { Surface } from './cell.ts'

/** The canary is the first step if there is one; each batch is another. */
export interface RolloutStep {
  readonly step: number
  readonly steps: number
  readonly isCanary: boolean
}

export function rolloutStep({ canary, batch }: NonNullable<Rollout>, counts: RunCounts): RolloutStep {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const first = Math.min(canary, total)
  const each = batch === 0 ? Math.max(1, total - first) : batch
  const batchesOf = (count: number) => Math.ceil(Math.max(0, count - first) / each)
  const before = first > 0 ? 1 : 0
  const step = before + batchesOf(total - counts.waiting)
  return { step: Math.max(1, step), steps: before + batchesOf(total), isCanary: first > 0 && step <= 1 }
}

/** A text for each value: "Canary servers 1". Omits a soak time of 0. */
export function rolloutPlan(
  rollout: NonNullable<Rollout>,
  { translator, format }: { translator: Pick<Translator, 'say'>; format: Pick<Format, 'number' | 'duration'> },
): readonly string[] {
  const args = argumentsOf(server, 'force-update')
  const values: Readonly<Record<string, unknown>> = rollout
  return Object.entries(args.fields).flatMap(([name, { kind }]) => {
    const value = values[name]
    if (typeof value !== 'number' || (kind === 'duration' && value === 0)) return []
    return [
      `${translator.say(fieldKey(args, name))} ${kind === 'duration' ? format.duration(value) : format.number(value)}`,
    ]
  })
}

export interface Unrecorded {
  rows: readonly AnyRow[]
  action: Action
  targets: Targets | null
  buckets: Buckets | undefined
  /** Epoch ms. */
  sentAt: number
  /** Evidence by server. */
  proved: ReadonlyMap<number, string>
}

/** The run of an action on a server that keeps no runs, with id 0. Parts are `sent` unless known otherwise. */
export function unrecordedRun(
  { action, rows, targets, buckets, sentAt, proved }: Unrecorded,
  { now, title }: Pick<View, 'now' | 'title'>,
): AnyRow {
  const kind = action.evidence?.run
  const at = new Date(now).toISOString()
  const [first] = rows
  const isTask = kind === RunKind.cron
  const { online = [], offline = [] } = targets ?? {}
  const missed = new Set(buckets?.offline ?? offline)
  const failed = new Set(buckets?.failure)
  const items = [...new Set([...(buckets?.success ?? online), ...missed, ...failed])].map((id) => {
    const known = missed.has(id)
      ? { state: ItemState.noAnswer, reason: NoAnswerReason.offline }
      : failed.has(id)
        ? { state: ItemState.failure, reason: 'failure' as const }
        : { state: proved.has(id) ? ItemState.success : ItemState.sent, reason: null }
    const item = runItem().parse({
      server_id: id,
      server_name: title('server', id) ?? '',
      ...known,
      output: proved.get(id) ?? '',
    })
    return { ...item, message: messageOf(item) }
  })
  const counts = Object.fromEntries(
    Object.values(ItemState).map((state) => [state, items.filter((item) => item.state === state).length]),
  )
  return {
    id: 0,
    created_at: new Date(sentAt).toISOString(),
    updated_at: at,
    kind,
    cron_id: isTask ? (first?.id ?? 0) : 0,
    name: isTask ? String(first?.name) : action.name,
    command: isTask ? String(first?.command) : '',
    started_by: '',
    finished_at: (counts.sent ?? 0) > 0 ? null : at,
    counts,
    items,
    rollout: null,
    owner: null,
  }
}

/** What is said of one server’s part of a run; empty where there is nothing to say. `now`: counts while it runs. */
export function itemTexts(
  { state, exit_code, duration_ms, started_at, reason: given }: RunItem,
  { translator, format }: Pick<Surface, 'translator' | 'format'>,
  now?: number,
) {
  const { t, say } = translator
  const reason = furtherReason({ reason: given })
  const startedAt = started_at === null ? null : Date.parse(started_at)
  const runs = now !== undefined && state === ItemState.running && startedAt !== null
  const texts = {
    state: say(`ui.run.states.${state}`),
    exit: exit_code === null ? '' : t('ui.run.exit', { code: String(exit_code) }),
    took:
      duration_ms !== null
        ? format.duration(duration_ms / 1000)
        : runs
          ? format.duration(Math.max(0, Math.round((now - startedAt) / 1000)))
          : '',
    reason: reason === null ? '' : say(`ui.run.reasons.${reason}`),
  }
  return {
    ...texts,
    /** Why there is no output: "nothing heard since 14:31:15", "offline when it started". */
    get silence() {
      if (state === ItemState.sent && startedAt !== null)
        return t('ui.run.nothingSince', { time: format.clock(startedAt) })
      return texts.reason || t(state === ItemState.running ? 'ui.run.noneYet' : 'ui.run.noOutput')
    },
    /** "failure, exit 2, 3.1 s" */
    get ending() {
      return [texts.state, texts.exit, texts.took].filter(Boolean).join(', ')
    },
  }
}
