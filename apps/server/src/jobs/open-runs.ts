import { ItemState, NoAnswerReason, type RunCounts, type RunItem } from '@qd/core/resources'
import type { TaskResult } from '@qd/protocol/agent'
import { progressType, taskType } from '@qd/protocol/task-types'
import { cleanOutput } from '../rpc/clean-text.ts'
import type { Base, RunRow } from '../services.ts'
import { countLines, cutOutput, readOutcome } from './outcome.ts'
import type { ClosedItem, RunStore } from './run-store.ts'

type Reason = (typeof NoAnswerReason)[keyof typeof NoAnswerReason]

/** How a run has moved. `finishedAt` is epoch ms, null while parts are open. */
export interface RunProgress {
  id: number
  ownerId: number
  counts: RunCounts
  finishedAt: number | null
  /** The task whose record now tells of this run; 0 where none has changed. */
  changedCron: number
}

interface OpenRun {
  id: number
  ownerId: number
  cronId: number
  counts: RunCounts
  open: number
  /** When the command that ended last was started; null while none has ended. */
  executedAt: number | null
  /** When its last part was closed, at first when it was started. */
  finishedAt: number
  cancelDeadline(): void
}

interface OpenItem {
  id: number
  serverId: number
  run: OpenRun
  announced: boolean
  output: string
  cutBytes: number
}

/** A write that failed, on a full disk say, is tried again after this. */
const retryMs = 1000

/** The parts of runs that wait for an answer, in memory; what is over goes to the store in order. */
export interface OpenRuns {
  add(
    run: { id: number; ownerId: number; cronId: number; startedAt: number; offline: number },
    parts: readonly { id: number; serverId: number }[],
    deadlineMs: number,
  ): void
  /** Takes a result of a server's current stream; what does not belong to an open part of that server is dropped (behaviour S-39). */
  result(serverId: number, result: TaskResult): void
  /** The stream over which this server's parts were sent is gone. */
  lost(serverId: number): void
  close(itemId: number, reason: Reason): void
  closeAll(): void
  /** Resolves when all that is over has been written. */
  settled(): Promise<void>
  /** A part as it stands, with what its agent has sent so far. */
  current(itemId: number, stored: RunItem): RunItem
  counted(run: RunRow): RunRow
  countOf(cronId: number): number
  ids(): number[]
  onProgress(listen: (run: RunProgress) => void): () => void
  trouble(): string | null
}

/** No open runs yet. */
export function createOpenRuns({ base, store }: { base: Base; store: RunStore }): OpenRuns {
  const { clock, crons, log } = base
  const runs = new Map<number, OpenRun>()
  const items = new Map<number, OpenItem>()
  const listeners = new Set<(run: RunProgress) => void>()
  let over: { items: ClosedItem[]; runs: { id: number; finishedAt: number }[] } = { items: [], runs: [] }
  let writing: Promise<void> | null = null
  let trouble: string | null = null

  function tell({ id, ownerId, counts, open, finishedAt }: OpenRun, changedCron = 0) {
    const progress = { id, ownerId, counts: { ...counts }, finishedAt: open === 0 ? finishedAt : null, changedCron }
    for (const listen of listeners) listen(progress)
  }

  function move(run: OpenRun, from: ItemState, to: ItemState) {
    run.counts[from] -= 1
    run.counts[to] += 1
  }

  async function writeAll() {
    while (over.items.length + over.runs.length > 0) {
      const batch = over
      over = { items: [], runs: [] }
      try {
        await store.close(batch.items, batch.runs)
        trouble = null
      } catch (error) {
        if (trouble === null) log.error({ err: error }, 'results of runs cannot be stored: trying again')
        trouble = 'results of runs cannot be stored'
        over = { items: [...batch.items, ...over.items], runs: [...batch.runs, ...over.runs] }
        clock.after(retryMs, write)
        break
      }
    }
    writing = null
  }

  function write() {
    writing ??= Promise.resolve().then(writeAll)
  }

  function finish(item: OpenItem, closed: Omit<ClosedItem, 'id' | 'finished_at'>) {
    const { run } = item
    const now = clock.now()
    items.delete(item.id)
    move(run, item.announced ? ItemState.running : ItemState.sent, closed.state)
    run.open -= 1
    over.items.push({ id: item.id, finished_at: now, ...closed })
    if (run.open === 0) {
      run.cancelDeadline()
      run.finishedAt = now
      runs.delete(run.id)
      over.runs.push({ id: run.id, finishedAt: now })
    }
    write()
    if (closed.state !== ItemState.noAnswer) run.executedAt = now - Math.floor((closed.duration_ms ?? 0) / 1000) * 1000
    executed(run)
    tell(run)
  }

  function noAnswer(item: OpenItem, reason: Reason) {
    const { output, cutBytes } = item
    const known = { output, cut_bytes: cutBytes, lines: countLines(output) }
    finish(item, { state: ItemState.noAnswer, reason, exit_code: null, duration_ms: null, ...known })
  }

  /** The task's own record tells of its newest run, truly: one part without success makes it a failure (contract engines Q16). */
  function executed(run: OpenRun) {
    const { id, cronId, counts, executedAt } = run
    const task = crons.find(cronId)
    if (!task || task.last_run_id > id || executedAt === null) return
    const ok = counts.failure + counts.no_answer === 0
    crons
      .executed(cronId, { at: executedAt, ok, runId: id })
      .then(() => tell(run, cronId))
      .catch((error: unknown) => log.error({ err: error, cronId }, 'the outcome of a task could not be stored'))
  }

  function progress(item: OpenItem, type: bigint, data: string) {
    if (!item.announced) {
      item.announced = true
      move(item.run, ItemState.sent, ItemState.running)
    }
    if (type === progressType.output) {
      const kept = cutOutput(item.output + cleanOutput(data))
      item.output = kept.output
      item.cutBytes += kept.cutBytes
    }
    tell(item.run)
  }

  return {
    add({ id, ownerId, cronId, startedAt, offline }, parts, deadlineMs) {
      const counts = { sent: parts.length, running: 0, success: 0, failure: 0, no_answer: offline }
      const run: OpenRun = {
        id,
        ownerId,
        cronId,
        counts,
        open: parts.length,
        executedAt: null,
        finishedAt: startedAt,
        cancelDeadline: () => {},
      }
      for (const part of parts) items.set(part.id, { ...part, run, announced: false, output: '', cutBytes: 0 })
      if (parts.length > 0) {
        runs.set(id, run)
        run.cancelDeadline = clock.after(deadlineMs, () => {
          for (const item of items.values()) if (item.run === run) noAnswer(item, NoAnswerReason.deadline)
        })
      }
      tell(run)
    },
    result(serverId, result) {
      const item = items.get(Number(result.id))
      if (item?.serverId !== serverId) return
      if (result.type === progressType.running || result.type === progressType.output) {
        return progress(item, result.type, result.data)
      }
      if (result.type !== taskType.command) return
      const { state, exitCode, output, cutBytes, lines, durationMs } = readOutcome(result, item.announced)
      finish(item, {
        state,
        exit_code: exitCode,
        duration_ms: durationMs,
        output,
        cut_bytes: cutBytes,
        lines,
        reason: null,
      })
    },
    lost(serverId) {
      for (const item of items.values()) if (item.serverId === serverId) noAnswer(item, NoAnswerReason.lost)
    },
    close(itemId, reason) {
      const item = items.get(itemId)
      if (item) noAnswer(item, reason)
    },
    closeAll() {
      for (const item of items.values()) noAnswer(item, NoAnswerReason.lost)
    },
    async settled() {
      await writing
    },
    current(itemId, stored) {
      const item = items.get(itemId)
      if (!item?.announced) return stored
      const { output, cutBytes } = item
      return { ...stored, state: ItemState.running, output, cut_bytes: cutBytes, lines: countLines(output) }
    },
    counted: (run) => ({ ...run, counts: runs.get(run.id)?.counts ?? run.counts }),
    countOf: (cronId) => [...runs.values()].filter((run) => run.cronId === cronId).length,
    ids: () => [...runs.keys()],
    onProgress(listen) {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
    trouble: () => trouble,
  }
}
