import { AppError } from '@qd/core/errors'
import { cron, ItemState, NoAnswerReason, type RunItem } from '@qd/core/resources'
import { resolveTargets } from '@qd/core/targets'
import { extensionTask } from '@qd/protocol/task-types'
import type { Base } from '../../base.ts'
import { type AgentHub, type Hub, isOurs } from '../../fleet/agents/hub.ts'
import type { Events } from '../../fleet/events/event-tracker.ts'
import type { LiveState } from '../../fleet/live/live-store.ts'
import { createListeners } from '../../kernel/listeners.ts'
import type { Clock } from '../../kernel/ports.ts'
import { createClearing } from '../../store/db/clearing.ts'
import type { RowsWanted } from '../../store/records/pages.ts'
import type { CronRecords, CronRow } from '../../store/records/rows.ts'
import { createFollow } from '../following.ts'
import { inOrder, orderAgain, startedRun, takenUp } from './decide-run.ts'
import { answerWithinMs, evidenceOf } from './evidence.ts'
import { createOpenRuns, type OpenRuns } from './open-runs.ts'
import { programTask } from './outcome.ts'
import { createRollouts, type WaitingPart } from './rollouts.ts'
import { countStates, createRunStore, createRunWrites, summaryOf } from './run-store.ts'
import type { AlsoStored, ClosedPart, Dispatch, RunOrder, RunRow, RunScope } from './run-types.ts'

export type Ledger = ReturnType<typeof createLedger>

/** Bounds of the ledger, in milliseconds and runs. */
export interface LedgerLimits {
  /** A part without an answer is closed after this. Default: that of its kind. */
  deadlineMs: number | null
  keepMs: number
  keepRuns: number
}

const usual: LedgerLimits = { deadlineMs: null, keepMs: 90 * 86_400_000, keepRuns: 20_000 }

export function createLedger(
  base: Base,
  { hub, live }: { hub: Hub; live: Pick<LiveState, 'hostOf'> },
  limits: Partial<LedgerLimits> = {},
) {
  const { deadlineMs, keepMs, keepRuns } = { ...usual, ...limits }
  const { accounts, clock, retention, crons, servers } = base
  const store = createRunStore(base.db)
  const follow = createFollow(base)
  const writes = createRunWrites(base, store)
  const closed = createListeners<[ClosedPart]>()
  const open = createOpenRuns({ base, writes, closed: closed.notify })
  const { dispatch, endAtLimit, endCommands, withVersion, versionOf, deadlineOf } = createSendParts({
    hub,
    live,
    open,
    clock,
    deadlineMs,
  })
  const rollouts = createRollouts({ open, clock, isConnected: hub.connected, mayAct: base.mayAct, send: sendNext })
  const orders = new Map<number, Sending>()
  const clearing = createClearing(base, 'old runs', (isOver) =>
    store.prune({ before: retention.now() - keepMs, most: keepRuns }, isOver),
  )

  hub.onResult((serverId, result) => open.result(serverId, result))
  hub.onLost((serverId) => open.lost(serverId))
  hub.onOpened((serverId) => open.returned(serverId, versionOf(serverId)))
  servers.onChange(({ before, after }) => {
    if (before && !after) open.lost(before.id, true)
  })
  open.onProgress(({ id, finishedAt }) => {
    if (finishedAt !== null) orders.delete(id)
  })

  function sendNext(runId: number, parts: readonly WaitingPart[]) {
    const order = orders.get(runId)!
    open.send(runId, parts.map(withVersion), deadlineOf(order))
    dispatch(parts, order)
  }

  async function start(order: RunOrder, also?: AlsoStored): Promise<Dispatch> {
    const { ownerId, cronId = 0, kind, targets, raisedBy } = order
    const { online: connected, offline } = resolveTargets({
      selection: targets,
      ...(raisedBy !== undefined && { raisedBy }),
      owner: accounts.ownerOf(ownerId),
      servers: servers.all().map(({ id, owner_id }) => ({ id, owner: owner_id, online: hub.connected(id) })),
    })
    const online = inOrder(targets, connected)
    const startedAt = clock.now()
    const nameOf = (id: number) => servers.find(id)?.name ?? ''
    const { run, items, rollout } = startedRun(order, { online, offline, now: startedAt, nameOf, versionOf })
    const { id: runId, itemIds } = await store.insert(run, items, also)
    const parts = online.flatMap((serverId) => {
      const id = itemIds.get(serverId)
      return id === undefined ? [] : { id, serverId }
    })
    const missed = { state: ItemState.noAnswer, reason: NoAnswerReason.offline, exitCode: null, output: '' } as const
    for (const serverId of offline) closed.notify({ runId, cronId, kind, serverId, ...missed })
    const watched = { id: runId, ownerId, cronId, kind, startedAt, counts: countStates(items), rollout }
    if (rollout) {
      orders.set(runId, order)
      open.add(watched, [], 0)
      return { runId, sent: rollouts.add(runId, rollout, parts), offline }
    }
    open.add(watched, parts.map(withVersion), deadlineOf(order))
    const gone = dispatch(parts, order)
    if (gone.some(hub.connected)) throw new AppError('databaseAway')
    endAtLimit(runId, order)
    return { runId, sent: online.filter((id) => !gone.includes(id)), offline: [...offline, ...gone] }
  }

  function restore({ run, items }: Awaited<ReturnType<typeof store.unfinished>>[number]) {
    const { id, owner_id: ownerId, cron_id: cronId, kind, created_at: startedAt, counts } = run
    const now = clock.now()
    if (items.length === 0)
      return writes.add({ runs: [{ id, finished_at: now, updated_at: now, ...summaryOf(counts, run.rollout) }] })
    const order = { kind, command: run.command, ...(run.deadline_ms !== null && { deadlineMs: run.deadline_ms }) }
    const { sent, waiting, rollout, deadlineMs: leftMs } = takenUp(run, items, { now, deadlineMs: deadlineOf(order) })
    open.add({ id, ownerId, cronId, kind, startedAt, counts, rollout: run.rollout }, sent, leftMs)
    if (!rollout) return
    orders.set(id, order)
    open.setRollout(id, rollout)
    rollouts.add(id, rollout, waiting)
  }

  return {
    start,
    async startCron(task: CronRow, started: { by: string; raisedBy?: number }, also?: AlsoStored): Promise<number> {
      const { owner_id: ownerId, id: cronId, name, command } = task
      const targets = cron.targets!({ ...task, ...follow(cron, { ...task }, ownerId) })
      return (await start({ ownerId, cronId, kind: 'cron', name, command, targets, ...started }, also)).runId
    },
    /** Reruns a finished run on the servers that did not succeed. Returns the new ID. Errors: `blocked`, `notFound`. */
    async again(runId: number, { by }: { by: string }, also?: AlsoStored): Promise<number> {
      await writes.settled()
      const found = await store.get(runId)
      if (!found) throw new AppError('notFound', { resource: 'run', id: runId })
      const order = orderAgain(found, {
        by,
        hasTask: crons.find(found.run.cron_id) !== undefined,
        programs: await store.programsOf(runId),
      })
      if (typeof order === 'string') throw new AppError('blocked', { reason: order })
      return (await start(order, also)).runId
    },
    steer: rollouts.steer,
    /** Ends a run's commands. Returns the number of agents told; only ours support it. */
    endCommands,
    carry: open.carry,
    async list(scope: RunScope, wanted: RowsWanted): Promise<readonly RunRow[]> {
      await writes.settled()
      return (await store.list(scope, wanted)).map(open.counted)
    },
    async counts(scope: RunScope) {
      await writes.settled()
      return store.counts(scope)
    },
    async get(id: number): Promise<RunRow | null> {
      await writes.settled()
      const found = await store.get(id)
      if (!found) return null
      const items: RunItem[] = found.items.map(({ id: itemId, ...item }) => open.current(itemId, item))
      return { ...open.counted(found.run), items }
    },
    openOf: open.countOf,
    onProgress: open.onProgress,
    /** Called for every part that is over, including parts that were never sent. */
    onClosed: closed.add,
    engine: {
      name: 'runs',
      async start() {
        const updates = (await store.unfinished('update')).filter(({ run }) => !open.countsOf(run.id))
        await store.closeLost(clock.now(), [...open.ids(), ...updates.map(({ run }) => run.id)])
        for (const update of updates) restore(update)
        clearing.start()
      },
      problem: writes.problem,
      async stop() {
        await clearing.stop()
        open.endAll('update')
        await writes.finish()
      },
    },
  }
}

export function noteRuns(
  onClosed: (listen: (part: ClosedPart) => void) => unknown,
  { events, crons }: { events: Events; crons: CronRecords },
): void {
  onClosed(({ cronId, runId, serverId, state }) => {
    if (cronId === 0) return
    const name = crons.find(cronId)?.name ?? ''
    events.record({ serverId, kind: 'run', params: { name, state, run_id: runId } })
  })
}

type Sending = Pick<RunOrder, 'kind' | 'command' | 'programs' | 'deadlineMs'>

/** `deadlineMs`: in place of what each kind has; null: that of the kind. */
function createSendParts(parts: {
  hub: AgentHub
  live: Pick<LiveState, 'hostOf'>
  open: OpenRuns
  clock: Clock
  deadlineMs: number | null
}) {
  const { hub, live, open, clock, deadlineMs } = parts
  const versionOf = (serverId: number) => live.hostOf(serverId).version ?? ''

  /** What an agent is sent; null if it is sent nothing. */
  function taskOf(serverId: number, { kind, command, programs, deadlineMs: within }: Sending) {
    const program = programs?.get(serverId)
    // A program without a time limit of its own has that of a command.
    if (program) return programTask(program, isOurs(live.hostOf(serverId)) && within !== undefined)
    const { task } = evidenceOf[kind]
    return task === null ? null : { type: Number(task), data: command }
  }

  function endCommands(runId: number) {
    const type = Number(extensionTask.endCommand)
    return open.atWork(runId).filter(({ id, serverId }) => hub.send(serverId, { id, type, data: '' })).length
  }

  return {
    endCommands,
    versionOf,
    withVersion: (part: WaitingPart) => ({ ...part, versionBefore: versionOf(part.serverId) }),
    deadlineOf: (order: Sending) => order.deadlineMs ?? deadlineMs ?? evidenceOf[order.kind].deadlineMs,
    /** Writes to the agents' streams. Returns the servers that have no stream any more. */
    dispatch(waiting: readonly WaitingPart[], order: Sending): number[] {
      return waiting.flatMap(({ id, serverId }) => {
        const task = taskOf(serverId, order)
        const isSent = task === null ? hub.connected(serverId) : hub.send(serverId, { id, ...task })
        if (isSent) return []
        // Connected: another server may send it.
        open.close(id, hub.connected(serverId) ? NoAnswerReason.lost : NoAnswerReason.offline)
        return serverId
      })
    },
    endAtLimit(runId: number, { kind, deadlineMs: limit }: Sending): void {
      if (kind !== 'exec' || !limit) return
      clock.after(limit - answerWithinMs, () => {
        open.atLimit(runId)
        endCommands(runId)
      })
    },
  }
}
