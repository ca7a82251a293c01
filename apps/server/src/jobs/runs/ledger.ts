import { AppError } from '@qd/core/errors'
import { cron, ItemState, NoAnswerReason, type RunItem } from '@qd/core/resources'
import { resolveTargets } from '@qd/core/targets'
import { extensionTask } from '@qd/protocol/task-types'
import type { Hub } from '../../agents/hub.ts'
import type { Base } from '../../base.ts'
import { createClearing } from '../../db/clearing.ts'
import type { Engine } from '../../engine.ts'
import type { LiveState } from '../../live/live-state.ts'
import { answerWithinMs, evidenceOf } from './evidence.ts'
import type { OpenPart, RunProgress } from './open-run-types.ts'
import { createOpenRuns } from './open-runs.ts'
import { createRollouts, type WaitingPart } from './rollouts.ts'
import { countStates, createRunStore, type NewItem, summaryOf } from './run-store.ts'
import type { ClosedPart, Dispatch, RunLedger, RunOrder } from './run-types.ts'
import { createRunWrites } from './run-writes.ts'

/** The run ledger with what the other engines need of it. */
export interface Ledger extends RunLedger {
  /** Runs of this task that have open parts. */
  openOf(cronId: number): number
  onProgress(listen: (run: RunProgress) => void): () => void
  /** Hears of every part that is over, those that were never sent included. */
  onClosed(listen: (part: ClosedPart) => void): () => void
  readonly engine: Engine
}

/** Bounds of the ledger, in milliseconds and runs. */
export interface LedgerLimits {
  /** A part without an answer is closed after this. Default: that of its kind. */
  deadlineMs: number | null
  keepMs: number
  keepRuns: number
}

const usual: LedgerLimits = { deadlineMs: null, keepMs: 90 * 86_400_000, keepRuns: 20_000 }

/** A part that was sent before the server's last start gets at least this long, so that its agent can come back. */
const leastRestoredMs = 60_000

/** Sends tasks to agents and records what comes back, on evidence only. Source: decisions.md "Run states". */
export function createLedger(
  base: Base,
  { hub, live }: { hub: Hub; live: Pick<LiveState, 'hostOf'> },
  limits: Partial<LedgerLimits> = {},
): Ledger {
  const { deadlineMs, keepMs, keepRuns } = { ...usual, ...limits }
  const { accounts, clock, retention, crons, servers, log } = base
  const store = createRunStore(base.db)
  const writes = createRunWrites(base, store)
  const closedListeners = new Set<(part: ClosedPart) => void>()
  const closed = (part: ClosedPart) => {
    for (const listen of closedListeners) listen(part)
  }
  const open = createOpenRuns({ base, writes, closed })
  const rollouts = createRollouts({ open, isConnected: hub.connected, send: sendNext })
  /** What the parts of a rollout are sent. */
  const orders = new Map<number, Pick<RunOrder, 'kind' | 'command' | 'deadlineMs'>>()
  const clearing = createClearing(base, 'old runs', (isOver) =>
    store.prune({ before: retention.now() - keepMs, most: keepRuns }, isOver),
  )

  const versionOf = (serverId: number) => live.hostOf(serverId).version ?? ''
  const withVersion = (part: WaitingPart): OpenPart => ({ ...part, versionBefore: versionOf(part.serverId) })
  const deadlineOf = (order: Pick<RunOrder, 'kind' | 'deadlineMs'>) =>
    order.deadlineMs ?? deadlineMs ?? evidenceOf[order.kind].deadlineMs

  hub.onResult((serverId, result) => open.result(serverId, result))
  hub.onLost((serverId) => open.lost(serverId))
  hub.onOpened((serverId) => open.returned(serverId, versionOf(serverId)))
  servers.onChange(({ before, after }) => {
    if (before && !after) open.lost(before.id, true)
  })
  open.onProgress(({ id, finishedAt }) => {
    if (finishedAt !== null) orders.delete(id)
  })

  /** Writes to the agents' streams. Answers the servers that have none any more. */
  function dispatch(parts: readonly WaitingPart[], { kind, command }: Pick<RunOrder, 'kind' | 'command'>): number[] {
    const type = Number(evidenceOf[kind].task)
    return parts.flatMap(({ id, serverId }) => {
      if (hub.send(serverId, { id, type, data: command })) return []
      open.close(id, NoAnswerReason.offline)
      return serverId
    })
  }

  function endCommands(runId: number) {
    const type = Number(extensionTask.endCommand)
    for (const { id, serverId } of open.atWork(runId)) hub.send(serverId, { id, type, data: '' })
  }

  function sendNext(runId: number, parts: readonly WaitingPart[]) {
    const order = orders.get(runId)!
    open.send(runId, parts.map(withVersion), deadlineOf(order))
    dispatch(parts, order)
  }

  async function start(order: RunOrder): Promise<Dispatch> {
    const { ownerId, cronId = 0, kind, name, command, reach, raisedBy, by, rollout = null } = order
    const { online: connected, offline } = resolveTargets({
      reach,
      ...(raisedBy !== undefined && { raisedBy }),
      owner: accounts.ownerOf(ownerId),
      servers: servers.all().map(({ id, owner_id }) => ({ id, owner: owner_id, online: hub.connected(id) })),
    })
    // A rollout begins with who was named first: that is how its canaries are chosen.
    const online =
      reach.mode === 'only' ? [...new Set(reach.servers)].filter((id) => connected.includes(id)) : connected
    const going = rollout && ({ ...rollout, state: 'going' } as const)
    const now = clock.now()
    const nameOf = (id: number) => servers.find(id)?.name ?? ''
    const items = [
      ...online.map((id) =>
        newItem(
          id,
          nameOf(id),
          rollout
            ? { state: ItemState.waiting }
            : { state: ItemState.sent, started_at: now, version_before: versionOf(id) },
        ),
      ),
      ...offline.map((id) =>
        newItem(id, nameOf(id), { state: ItemState.noAnswer, reason: NoAnswerReason.offline, finished_at: now }),
      ),
    ]
    const { id: runId, itemIds } = await store.insert(
      {
        owner_id: ownerId,
        created_at: now,
        updated_at: now,
        kind,
        cron_id: cronId,
        name,
        command,
        started_by: by,
        finished_at: online.length === 0 ? now : null,
        rollout: going && JSON.stringify(going),
        deadline_ms: order.deadlineMs ?? null,
      },
      items,
    )
    const parts = online.map((serverId) => ({ id: itemIds.get(serverId)!, serverId }))
    const run = { id: runId, ownerId, cronId, kind, startedAt: now, counts: countStates(items), rollout: going }
    const missed = { state: ItemState.noAnswer, reason: NoAnswerReason.offline, exitCode: null, output: '' } as const
    for (const serverId of offline) closed({ runId, cronId, kind, serverId, ...missed })
    if (going) {
      orders.set(runId, order)
      open.add(run, [], 0)
      return { runId, sent: rollouts.add(runId, going, parts), offline }
    }
    open.add(run, parts.map(withVersion), deadlineOf(order))
    const gone = dispatch(parts, order)
    if (kind === 'exec' && order.deadlineMs) clock.after(order.deadlineMs - answerWithinMs, () => endCommands(runId))
    return { runId, sent: online.filter((id) => !gone.includes(id)), offline: [...offline, ...gone] }
  }

  /** Takes up what an earlier process left open and can still be proved; a rollout is paused, so that a person looks first. */
  function restore({ run, items }: Awaited<ReturnType<typeof store.unfinished>>[number]) {
    const { id, owner_id, cron_id, kind, created_at, counts, rollout } = run
    const now = clock.now()
    if (items.length === 0)
      return writes.add({ runs: [{ id, finished_at: now, updated_at: now, ...summaryOf(counts, rollout) }] })
    const toPart = ({ id: itemId, server_id }: (typeof items)[number]) => ({ id: itemId, serverId: server_id })
    const waiting = items.filter(({ state }) => state === ItemState.waiting)
    const sent = items.filter(({ state }) => state !== ItemState.waiting)
    const spent = now - Math.min(now, ...sent.map(({ started_at }) => started_at ?? now))
    const order = { kind, command: run.command, ...(run.deadline_ms !== null && { deadlineMs: run.deadline_ms }) }
    open.add(
      { id, ownerId: owner_id, cronId: cron_id, kind, startedAt: created_at, counts, rollout },
      sent.map((item) => ({ ...toPart(item), versionBefore: item.version_before, isRestored: true })),
      Math.max(leastRestoredMs, deadlineOf(order) - spent),
    )
    if (!rollout) return
    orders.set(id, order)
    const state = rollout.state === 'going' ? 'paused' : rollout.state
    open.setRollout(id, { ...rollout, state })
    rollouts.add(id, { ...rollout, state }, waiting.map(toPart))
  }

  return {
    start,
    async startCron(task, started) {
      const { owner_id: ownerId, id: cronId, name, command } = task
      const reach = cron.reach!({ ...task })
      return (await start({ ownerId, cronId, kind: 'cron', name, command, reach, ...started })).runId
    },
    async again(runId, { by }) {
      await writes.settled()
      const found = await store.get(runId)
      if (!found) throw new AppError('notFound', { resource: 'run', id: runId })
      const { run, items } = found
      const left = items.filter(({ state }) => state !== ItemState.success).map(({ server_id }) => server_id)
      if (run.finished_at === null || left.length === 0) {
        throw new AppError('blocked', { reason: run.finished_at === null ? 'stillOpen' : 'nothingLeft' })
      }
      const { owner_id: ownerId, kind, name, command, deadline_ms, rollout } = run
      const { runId: next } = await start({
        ownerId,
        cronId: crons.find(run.cron_id) ? run.cron_id : 0,
        kind,
        name,
        command,
        reach: { mode: 'only', servers: left },
        by,
        ...(deadline_ms !== null && { deadlineMs: deadline_ms }),
        rollout: rollout && { canary: rollout.canary, batch: rollout.batch, max_failures: rollout.max_failures },
      })
      return next
    },
    steer: rollouts.steer,
    async list(scope, wanted) {
      await writes.settled()
      return (await store.list(scope, wanted)).map(open.counted)
    },
    async counts(scope) {
      await writes.settled()
      return store.counts(scope)
    },
    async get(id) {
      await writes.settled()
      const found = await store.get(id)
      if (!found) return null
      const items: RunItem[] = found.items.map(({ id: itemId, ...item }) => open.current(itemId, item))
      return { ...open.counted(found.run), items }
    },
    openOf: open.countOf,
    onProgress: open.onProgress,
    onClosed(listen) {
      closedListeners.add(listen)
      return () => closedListeners.delete(listen)
    },
    engine: {
      name: 'runs',
      async start() {
        const updates = (await store.unfinished('update')).filter(({ run }) => !open.countsOf(run.id))
        await store.closeLost(clock.now(), [...open.ids(), ...updates.map(({ run }) => run.id)])
        for (const update of updates) restore(update)
        clearing.start()
      },
      trouble: writes.trouble,
      async stop() {
        await clearing.stop()
        open.endAll('update')
        await writes.finish()
      },
    },
  }
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
