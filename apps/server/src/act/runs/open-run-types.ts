import type { NoAnswerReason, Rollout, RunCounts, RunItem } from '@qd/core/resources'
import type { TaskResult } from '@qd/protocol/agent'
import type { Outcome } from './outcome.ts'
import type { RunRow } from './run-types.ts'

/** Why a part has no answer. */
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

/** A run to be watched. `counts` as they are stored, those of the parts that are added with it included. */
export interface NewOpenRun {
  id: number
  ownerId: number
  cronId: number
  kind: RunRow['kind']
  startedAt: number
  counts: RunCounts
  rollout: Rollout
}

/** A part that its agent has been sent, or is about to be. */
export interface OpenPart {
  id: number
  serverId: number
  versionBefore: string
  isRestored?: true
}

/** The parts of runs that wait for evidence, in memory; what is over goes to the store in order. */
export interface OpenRuns {
  /** Watches a run whose parts these are; without an answer they are closed after `deadlineMs`. */
  add(run: NewOpenRun, parts: readonly OpenPart[], deadlineMs: number): void
  /** Starts watching parts of a run that waited until now. */
  send(runId: number, parts: readonly OpenPart[], deadlineMs: number): void
  setRollout(runId: number, rollout: Rollout): void
  /** Drops a waiting part: its server is not sent anything. */
  skip(runId: number, itemId: number, reason: Reason): void
  /** Takes a result of a server's current stream; what does not belong to an open part of that server is dropped (behaviour S-39). */
  result(serverId: number, result: TaskResult): void
  /** The stream over which this server's parts were sent is gone; `forGood`: the server's record too. */
  lost(serverId: number, forGood?: boolean): void
  returned(serverId: number, version: string): void
  close(itemId: number, reason: Reason): void
  /** Marks the server’s part as being uploaded. Returns a callback for the outcome (null: nothing was sent), or null if it isn’t this server’s turn or the caller doesn’t own the run. */
  carry(runId: number, serverId: number, ownerId: number): ((outcome: Outcome | null) => void) | null
  /** The time limit of a run is over: commands that are killed now failed because of it. */
  atLimit(runId: number): void
  atWork(runId: number): { id: number; serverId: number }[]
  /** The process ends: what is open is lost, but for the kind whose evidence outlives it, which is left as it is stored. */
  endAll(except: RunRow['kind']): void
  current(itemId: number, stored: RunItem): RunItem
  counted(run: RunRow): RunRow
  /** Null if the run is over, or was never watched. */
  countsOf(runId: number): RunCounts | null
  countOf(cronId: number): number
  ids(): number[]
  onProgress(listen: (run: RunProgress) => void): () => void
}
