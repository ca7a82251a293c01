import type { TargetSelection } from '@qd/core/define'
import { ItemState, NoAnswerReason } from '@qd/core/resources'
import type { WaitingPart } from './rollouts.ts'
import type { NewItem, NewRun, UnfinishedItem } from './run-store.ts'
import type { RunOrder, RunRow } from './run-types.ts'

/** Shortest time left for a part that was sent before the server's last start, so that its agent can reconnect. */
const leastRestoredMs = 60_000

/** The connected servers in the order in which they are asked: a rollout begins with who was named first, that is how its canaries are chosen. Pure. */
export function inOrder(targets: TargetSelection, connected: readonly number[]): readonly number[] {
  if (targets.mode !== 'only') return connected
  return [...new Set(targets.servers)].filter((id) => connected.includes(id))
}

/** What is known of servers when a run starts. `now`: epoch ms. */
export interface KnownServers {
  online: readonly number[]
  offline: readonly number[]
  now: number
  nameOf(id: number): string
  versionOf(id: number): string
}

export function startedRun(
  order: RunOrder,
  { online, offline, now, nameOf, versionOf }: KnownServers,
): { run: NewRun; items: NewItem[]; rollout: RunRow['rollout'] } {
  const { ownerId, cronId = 0, kind, name, command, by } = order
  const rollout = order.rollout ? ({ ...order.rollout, state: 'going' } as const) : null
  const programOf = (id: number) => {
    const program = order.programs?.get(id)
    return { program: program ? JSON.stringify(program) : '' }
  }
  const asked = (id: number) =>
    rollout ? { state: ItemState.waiting } : { state: ItemState.sent, started_at: now, version_before: versionOf(id) }
  const missed = { state: ItemState.noAnswer, reason: NoAnswerReason.offline, finished_at: now }
  const run = {
    owner_id: ownerId,
    created_at: now,
    updated_at: now,
    kind,
    cron_id: cronId,
    name,
    command,
    started_by: by,
    finished_at: online.length === 0 ? now : null,
    rollout: rollout && JSON.stringify(rollout),
    deadline_ms: order.deadlineMs ?? null,
  }
  const items = [
    ...online.map((id) => newItem(id, nameOf(id), { ...asked(id), ...programOf(id) })),
    ...offline.map((id) => newItem(id, nameOf(id), { ...missed, ...programOf(id) })),
  ]
  return { run, items, rollout }
}

function newItem(serverId: number, serverName: string, known: Partial<NewItem>): NewItem {
  return {
    server_id: serverId,
    server_name: serverName,
    state: ItemState.sent,
    exit_code: null,
    started_at: null,
    finished_at: null,
    duration_ms: null,
    output: '',
    cut_bytes: 0,
    lines: 0,
    reason: null,
    version_before: '',
    ...known,
  }
}

export type NotAgain = 'stillOpen' | 'nothingLeft'

export function orderAgain(
  { run, items }: { run: RunRow; items: readonly { state: string; server_id: number }[] },
  { by, hasTask, programs }: { by: string; hasTask: boolean; programs?: RunOrder['programs'] },
): RunOrder | NotAgain {
  const left = items.filter(({ state }) => state !== ItemState.success).map(({ server_id }) => server_id)
  if (run.finished_at === null) return 'stillOpen'
  if (left.length === 0) return 'nothingLeft'
  const { owner_id: ownerId, kind, name, command, deadline_ms, rollout } = run
  return {
    ownerId,
    cronId: hasTask ? run.cron_id : 0,
    kind,
    name,
    command,
    ...(programs && programs.size > 0 && { programs }),
    targets: { mode: 'only', servers: left },
    by,
    ...(deadline_ms !== null && { deadlineMs: deadline_ms }),
    rollout: rollout && withoutState(rollout),
  }
}

const withoutState = ({ state: _, ...plan }: NonNullable<RunRow['rollout']>) => plan

export interface TakenUp {
  sent: readonly { id: number; serverId: number; versionBefore: string; isRestored: true }[]
  waiting: readonly WaitingPart[]
  deadlineMs: number
  /** True if the run is paused until a person checks it. */
  rollout: RunRow['rollout']
}

/** How a run goes on after a restart of the server; `deadlineMs` is what its parts had at first. Pure. */
export function takenUp(
  { rollout }: Pick<RunRow, 'rollout'>,
  items: readonly UnfinishedItem[],
  { now, deadlineMs }: { now: number; deadlineMs: number },
): TakenUp {
  const sent = items.filter(({ state }) => state !== ItemState.waiting)
  const spent = now - Math.min(now, ...sent.map(({ started_at }) => started_at ?? now))
  const toPart = ({ id, server_id: serverId }: UnfinishedItem) => ({ id, serverId })
  return {
    sent: sent.map((item) => ({ ...toPart(item), versionBefore: item.version_before, isRestored: true })),
    waiting: items.filter(({ state }) => state === ItemState.waiting).map(toPart),
    deadlineMs: Math.max(leastRestoredMs, deadlineMs - spent),
    rollout: rollout && { ...rollout, state: rollout.state === 'going' ? 'paused' : rollout.state },
  }
}
