import {
  FailureReason,
  ItemState,
  NoAnswerReason,
  type Rollout,
  type RunCounts,
  type RunItem,
  runStateOf,
} from '@qd/core/resources'
import type { TaskResult } from '@qd/protocol/agent'
import { progressType } from '@qd/protocol/task-types'
import type { Base } from '../../base.ts'
import { cleanOutput } from '../../fleet/agents/clean-text.ts'
import { createListeners } from '../../kernel/listeners.ts'
import { evidenceOf, type SentPart } from './evidence.ts'
import { countLines, cutOutput, type Failure, type Outcome } from './outcome.ts'
import { type RunWrites, summaryOf } from './run-store.ts'
import type { ClosedPart, RunRow } from './run-types.ts'

interface OpenRun extends NewOpenRun {
  open: number
  /** When the command that ended last was started; null while none has ended. */
  executedAt: number | null
  finishedAt: number
  state: string
  cancels: (() => void)[]
}

interface OpenItem extends SentPart {
  id: number
  serverId: number
  run: OpenRun
  announced: boolean
  acceptedAt: number | null
  cause: Failure | null
  output: string
  cutBytes: number
}

interface OpenRunsParts {
  base: Base
  writes: RunWrites
  closed(part: ClosedPart): void
}

export function createOpenRuns({ base, writes, closed }: OpenRunsParts) {
  const { clock, crons, log } = base
  const runs = new Map<number, OpenRun>()
  const items = new Map<number, OpenItem>()
  const listeners = createListeners<[RunProgress]>()

  const isOver = ({ open, counts }: OpenRun) => open + counts.waiting === 0

  function tell(run: OpenRun, changedCron = 0) {
    storeState(run)
    const { id, ownerId, counts, finishedAt, rollout } = run
    const finished = isOver(run) ? finishedAt : null
    const progress = { id, ownerId, counts: { ...counts }, finishedAt: finished, rollout, changedCron }
    listeners.notify(progress)
  }

  /** Lists filter and count by the stored state. */
  function storeState(run: OpenRun) {
    const state = runStateOf(run.counts, run.rollout)
    if (state === run.state) return
    run.state = state
    writes.add({ runs: [{ id: run.id, state }] })
  }

  function move(run: OpenRun, from: ItemState, to: ItemState) {
    run.counts[from] -= 1
    run.counts[to] += 1
  }

  function settle(run: OpenRun) {
    if (!isOver(run) || !runs.delete(run.id)) return
    for (const cancel of run.cancels) cancel()
    run.finishedAt = clock.now()
    const summary = summaryOf(run.counts, run.rollout)
    run.state = summary.state
    writes.add({ runs: [{ id: run.id, finished_at: run.finishedAt, updated_at: run.finishedAt, ...summary }] })
  }

  function open(run: OpenRun, parts: readonly OpenPart[], deadlineMs: number) {
    const opened = parts.map(
      ({ isRestored = false, ...part }): OpenItem => ({
        ...part,
        run,
        isRestored,
        announced: false,
        acceptedAt: null,
        cause: null,
        output: '',
        cutBytes: 0,
      }),
    )
    for (const item of opened) items.set(item.id, item)
    run.open += opened.length
    if (opened.length === 0) return
    run.cancels.push(
      clock.after(deadlineMs, () => {
        for (const item of opened) if (items.get(item.id) === item) noAnswer(item, NoAnswerReason.deadline)
      }),
    )
  }

  function finish(item: OpenItem, { state, exitCode, durationMs, cutBytes, ...reported }: Closing) {
    const { run } = item
    const now = clock.now()
    items.delete(item.id)
    move(run, item.announced ? ItemState.running : ItemState.sent, state)
    run.open -= 1
    const ended = { state, finished_at: now, exit_code: exitCode, duration_ms: durationMs, cut_bytes: cutBytes }
    writes.add({ items: [{ id: item.id, ...ended, ...reported }] })
    if (state !== ItemState.noAnswer) run.executedAt = now - Math.floor((durationMs ?? 0) / 1000) * 1000
    settle(run)
    executed(run)
    tell(run)
    const { id: runId, cronId, kind } = run
    closed({
      runId,
      cronId,
      kind,
      serverId: item.serverId,
      state,
      reason: reported.reason,
      exitCode,
      output: reported.output,
    })
  }

  function conclude(item: OpenItem, outcome: Outcome | null) {
    if (!outcome) return
    const isCaused = outcome.state === ItemState.failure && outcome.exitCode === null
    finish(item, { ...outcome, reason: outcome.reason ?? (isCaused ? item.cause : null) })
  }

  function noAnswer(item: OpenItem, reason: Reason) {
    const { output, cutBytes } = item
    const known = { output, cutBytes, lines: countLines(output) }
    finish(item, { state: ItemState.noAnswer, reason, exitCode: null, durationMs: null, ...known })
  }

  function executed(run: OpenRun) {
    const { id, cronId, counts, executedAt } = run
    const task = crons.find(cronId)
    if (!task || task.last_run_id > id || executedAt === null) return
    crons
      .executed(cronId, { at: executedAt, counts: { ...counts }, runId: id })
      .then(() => tell(run, cronId))
      .catch((error: unknown) => log.error({ err: error, cronId }, 'failed to write task result'))
  }

  function announce(item: OpenItem) {
    if (item.announced) return
    item.announced = true
    move(item.run, ItemState.sent, ItemState.running)
  }

  function progress(item: OpenItem, type: bigint, data: string) {
    announce(item)
    if (type === progressType.output) {
      const kept = cutOutput(item.output + cleanOutput(data))
      item.output = kept.output
      item.cutBytes += kept.cutBytes
    }
    tell(item.run)
  }

  const ofServer = (serverId: number) => [...items.values()].filter((item) => item.serverId === serverId)

  return {
    /** Watches a run whose parts these are; without an answer they are closed after `deadlineMs`. */
    add(added: NewOpenRun, parts: readonly OpenPart[], deadlineMs: number): void {
      const run: OpenRun = {
        ...added,
        counts: { ...added.counts },
        open: 0,
        executedAt: null,
        finishedAt: added.startedAt,
        state: '',
        cancels: [],
      }
      open(run, parts, deadlineMs)
      if (!isOver(run)) runs.set(run.id, run)
      tell(run)
    },
    send(runId: number, parts: readonly OpenPart[], deadlineMs: number): void {
      const run = runs.get(runId)
      if (!run) return
      const now = clock.now()
      for (const _part of parts) move(run, ItemState.waiting, ItemState.sent)
      open(run, parts, deadlineMs)
      writes.add({
        items: parts.map(({ id, versionBefore }) => ({
          id,
          state: ItemState.sent,
          started_at: now,
          version_before: versionBefore,
        })),
      })
      tell(run)
    },
    setRollout(runId: number, rollout: Rollout): void {
      const run = runs.get(runId)
      if (!run) return
      run.rollout = rollout
      writes.add({ runs: [{ id: runId, rollout: JSON.stringify(rollout) }] })
      tell(run)
    },
    skip(runId: number, itemId: number, reason: Reason): void {
      const run = runs.get(runId)
      if (!run) return
      move(run, ItemState.waiting, ItemState.noAnswer)
      writes.add({ items: [{ id: itemId, state: ItemState.noAnswer, reason, finished_at: clock.now() }] })
      settle(run)
      tell(run)
    },
    /** Takes a result of a server's current stream; what does not belong to an open part of that server is dropped (behaviour S-39). */
    result(serverId: number, result: TaskResult) {
      const item = items.get(Number(result.id))
      if (item?.serverId !== serverId) return
      if (result.type === progressType.running || result.type === progressType.output) {
        return progress(item, result.type, result.data)
      }
      if (result.type === progressType.refused) {
        item.cause = FailureReason.refused
        return
      }
      const outcome = evidenceOf[item.run.kind].onResult(result, item.announced)
      if (outcome !== 'taken') return conclude(item, outcome)
      item.acceptedAt = clock.now()
      announce(item)
      tell(item.run)
    },
    /** The stream over which this server's parts were sent is gone; `forGood`: the server's record too. */
    lost(serverId: number, forGood = false): void {
      for (const item of ofServer(serverId)) {
        if (forGood || !evidenceOf[item.run.kind].outlivesConnection(item)) noAnswer(item, NoAnswerReason.lost)
      }
    },
    returned(serverId: number, version: string): void {
      const back = { version, now: clock.now() }
      for (const item of ofServer(serverId)) conclude(item, evidenceOf[item.run.kind].onReturn(item, back))
    },
    close(itemId: number, reason: Reason): void {
      const item = items.get(itemId)
      if (item) noAnswer(item, reason)
    },
    /** Marks the server’s part as being uploaded. Returns a callback for the outcome (null: nothing was sent), or null if it isn’t this server’s turn or the caller doesn’t own the run. */
    carry(runId: number, serverId: number, ownerId: number): ((outcome: Outcome | null) => void) | null {
      const item = ofServer(serverId).find(({ run }) => run.id === runId)
      if (item?.run.kind !== 'file' || item.run.ownerId !== ownerId || item.announced) return null
      announce(item)
      tell(item.run)
      return (outcome) => {
        if (items.get(item.id) !== item) return
        if (outcome) conclude(item, outcome)
        else noAnswer(item, NoAnswerReason.lost)
      }
    },
    /** The time limit of a run is over: commands that are killed now failed because of it. */
    atLimit(runId: number): void {
      for (const item of items.values()) if (item.run.id === runId) item.cause = FailureReason.timeLimit
    },
    atWork: (runId: number) => [...items.values()].filter(({ run, announced }) => run.id === runId && announced),
    /** The process ends: what is open is lost, but for the kind whose evidence outlives it, which is left as it is stored. */
    endAll(except: RunRow['kind']): void {
      for (const item of items.values()) if (item.run.kind !== except) noAnswer(item, NoAnswerReason.lost)
      for (const { cancels } of runs.values()) for (const cancel of cancels) cancel()
      items.clear()
      runs.clear()
    },
    current(itemId: number, stored: RunItem): RunItem {
      const item = items.get(itemId)
      if (!item?.announced) return stored
      const { output, cutBytes } = item
      return { ...stored, state: ItemState.running, output, cut_bytes: cutBytes, lines: countLines(output) }
    },
    counted: (run: RunRow) => ({ ...run, counts: runs.get(run.id)?.counts ?? run.counts }),
    /** Null if the run is over, or was never watched. */
    countsOf: (runId: number) => runs.get(runId)?.counts ?? null,
    countOf: (cronId: number) => [...runs.values()].filter((run) => run.cronId === cronId).length,
    ids: () => [...runs.keys()],
    onProgress: listeners.add,
  }
}

type Closing = Omit<Outcome, 'state' | 'reason'> & { state: ItemState; reason: Reason | Failure | null }

export type Reason = (typeof NoAnswerReason)[keyof typeof NoAnswerReason]

/** The progress of a run. `finishedAt` is epoch ms, null while parts are open. */
export interface RunProgress {
  id: number
  ownerId: number
  counts: RunCounts
  finishedAt: number | null
  rollout: Rollout
  /** The task whose record now tells of this run; 0 where none has changed. */
  changedCron: number
}

interface NewOpenRun {
  id: number
  ownerId: number
  cronId: number
  kind: RunRow['kind']
  startedAt: number
  counts: RunCounts
  rollout: Rollout
}

export interface OpenPart {
  id: number
  serverId: number
  versionBefore: string
  isRestored?: true
}

export type OpenRuns = ReturnType<typeof createOpenRuns>
