import type { Action, AnyRow, Buckets, View } from '../define/index.ts'
import { ItemState, messageOf, NoAnswerReason, RunKind, runItem } from '../resources/index.ts'
import type { Targets } from '../targets/index.ts'

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
