import type { Reach } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { cron, ItemState, NoAnswerReason, type RunItem } from '@qd/core/resources'
import { resolveTargets } from '@qd/core/targets'
import { taskType } from '@qd/protocol/task-types'
import type { Hub } from '../rpc/hub.ts'
import type { Base, Engine, RunLedger, RunRow } from '../services.ts'
import { createOpenRuns, type RunProgress } from './open-runs.ts'
import { createRunStore, type NewItem } from './run-store.ts'

/** The run ledger with what the other engines need of it. */
export interface Ledger extends RunLedger {
  /** Runs of this task that have open parts. */
  openOf(cronId: number): number
  onProgress(listen: (run: RunProgress) => void): () => void
  readonly engine: Engine
}

/** Bounds of the ledger, in milliseconds and runs. */
export interface LedgerLimits {
  /** A part without an answer is closed after this; existing agents end a command after two hours (agent contract 3.5). */
  deadlineMs: number
  keepMs: number
  keepRuns: number
}

const usual: LedgerLimits = { deadlineMs: 2 * 3_600_000 + 60_000, keepMs: 90 * 86_400_000, keepRuns: 20_000 }
const pruneEveryMs = 3_600_000

interface Order {
  ownerId: number
  cronId: number
  kind: RunRow['kind']
  name: string
  command: string
  reach: Reach
  by: string
}

/** Sends commands to agents and records what comes back, on evidence only. Source: decisions.md "Run states". */
export function createLedger(base: Base, hub: Hub, limits: Partial<LedgerLimits> = {}): Ledger {
  const { deadlineMs, keepMs, keepRuns } = { ...usual, ...limits }
  const { accounts, clock, crons, servers, log } = base
  const store = createRunStore(base.db)
  const open = createOpenRuns({ base, store })
  let cancelPrune = () => {}

  hub.onResult((serverId, result) => open.result(serverId, result))
  hub.onLost((serverId) => open.lost(serverId))

  async function start(order: Order): Promise<number> {
    const owner = accounts.ownerOf(order.ownerId)
    const { online, offline } = resolveTargets({
      reach: order.reach,
      owner,
      servers: servers.all().map(({ id, owner_id }) => ({ id, owner: owner_id, online: hub.connected(id) })),
    })
    const now = clock.now()
    const nameOf = (id: number) => servers.find(id)?.name ?? ''
    const { id: runId, itemIds } = await store.insert(
      {
        owner_id: order.ownerId,
        created_at: now,
        updated_at: now,
        kind: order.kind,
        cron_id: order.cronId,
        name: order.name,
        command: order.command,
        started_by: order.by,
        finished_at: online.length === 0 ? now : null,
      },
      [
        ...online.map((id) => newItem(id, nameOf(id), { state: ItemState.sent, started_at: now })),
        ...offline.map((id) =>
          newItem(id, nameOf(id), { state: ItemState.noAnswer, reason: NoAnswerReason.offline, finished_at: now }),
        ),
      ],
    )
    const parts = online.map((serverId) => ({ id: itemIds.get(serverId)!, serverId }))
    const run = { id: runId, ownerId: order.ownerId, cronId: order.cronId, startedAt: now, offline: offline.length }
    open.add(run, parts, deadlineMs)
    for (const { id, serverId } of parts) {
      const sent = hub.send(serverId, { id, type: Number(taskType.command), data: order.command })
      if (!sent) open.close(id, NoAnswerReason.offline)
    }
    return runId
  }

  async function prune() {
    await store
      .prune({ before: clock.now() - keepMs, most: keepRuns })
      .catch((error: unknown) => log.error({ err: error }, 'old runs could not be removed'))
    cancelPrune = clock.after(pruneEveryMs, () => void prune())
  }

  return {
    startCron: (task, { by }) =>
      start({
        ownerId: task.owner_id,
        cronId: task.id,
        kind: 'cron',
        name: task.name,
        command: task.command,
        reach: cron.reach!(task as never),
        by,
      }),
    async again(runId, { by }) {
      await open.settled()
      const found = await store.get(runId)
      if (!found) throw new AppError('notFound', { resource: 'run', id: runId })
      const left = found.items.filter(({ state }) => state !== ItemState.success).map(({ server_id }) => server_id)
      if (found.run.finished_at === null || left.length === 0) {
        throw new AppError('blocked', { reason: found.run.finished_at === null ? 'stillOpen' : 'nothingLeft' })
      }
      const { owner_id, cron_id, kind, name, command } = found.run
      const reach: Reach = { mode: 'only', servers: left }
      return start({ ownerId: owner_id, cronId: crons.find(cron_id) ? cron_id : 0, kind, name, command, reach, by })
    },
    async list(page) {
      await open.settled()
      const { rows, total } = await store.list(page)
      return { rows: rows.map(open.counted), total }
    },
    async get(id) {
      await open.settled()
      const found = await store.get(id)
      if (!found) return null
      const items: RunItem[] = found.items.map(({ id: itemId, ...item }) => open.current(itemId, item))
      return { ...open.counted(found.run), items }
    },
    openOf: open.countOf,
    onProgress: open.onProgress,
    engine: {
      name: 'runs',
      async start() {
        await store.closeLost(clock.now(), open.ids())
        await prune()
      },
      trouble: open.trouble,
      async stop() {
        cancelPrune()
        open.closeAll()
        await open.settled()
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
    ...known,
  }
}
