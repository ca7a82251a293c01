import type { Reach } from '@qd/core/define'
import type { Rollout, RunCounts, RunItem, RunKind as runKinds } from '@qd/core/resources'
import type { RowsWanted } from '../../store/records/pages.ts'
import type { CronRow, StoredRow } from '../../store/records/rows.ts'
import type { Outcome } from './outcome.ts'
import type { RolloutPlan, RolloutStep } from './rollout.ts'

type RunKind = (typeof runKinds)[keyof typeof runKinds]

/** One execution as stored, with counts; `items` only where one was asked for. */
export interface RunRow extends StoredRow {
  readonly kind: RunKind
  readonly cron_id: number
  readonly name: string
  readonly command: string
  readonly started_by: string
  readonly finished_at: number | null
  /** Null for a run that is sent at once. */
  readonly rollout: Rollout
  readonly deadline_ms: number | null
  readonly counts: RunCounts
  readonly items?: readonly RunItem[]
}

/** One server's part of a run, when it is over. */
export interface ClosedPart {
  readonly runId: number
  /** 0 where the run is not one of a task. */
  readonly cronId: number
  readonly kind: RunKind
  readonly serverId: number
  readonly state: RunItem['state']
  readonly reason: RunItem['reason']
  readonly exitCode: number | null
  readonly output: string
}

/** Something to be sent to servers and recorded. `reach` is resolved for the owner when it starts. */
export interface RunOrder {
  ownerId: number
  kind: RunKind
  name: string
  /** What the agents are sent: a command line, a configuration as JSON text, nothing for an update; of a file its path there. */
  command: string
  /** A program and its arguments for each server, in place of `command`: started without a shell by our agents. */
  programs?: ReadonlyMap<number, readonly string[]>
  reach: Reach
  by: string
  cronId?: number
  /** The server that raised the alert, for a reach that means it. */
  raisedBy?: number
  /** A part without an answer is closed after this; default: what its kind has. */
  deadlineMs?: number
  /** Absent or null: sent to all at once. */
  rollout?: RolloutPlan | null
}

/** A run that was started: servers that it was sent to, and those that are not connected. */
export interface Dispatch {
  runId: number
  sent: readonly number[]
  offline: readonly number[]
}

/** Whose runs; null: everybody's. */
export interface RunScope {
  owner: number | null
}

/** Runs on servers. Reads here know no viewer: resources/store.ts asks with the owner it may see. Built by act/. */
export interface RunLedger {
  start(order: RunOrder): Promise<Dispatch>
  /** Pauses, resumes or stops a rollout; nothing if it is over. */
  steer(runId: number, step: RolloutStep): void
  /** Ends the commands of a run where they run. Returns how many were told to end; agents of other makers take no such word. */
  endCommands(runId: number): number
  /** Resolves the task's targets for its owner now, stores the run and dispatches. Returns the run's id. */
  startCron(cron: CronRow, start: { by: string; raisedBy?: number }): Promise<number>
  /** Runs once more on the servers of a finished run that did not succeed. Returns the new run's id. Errors: `blocked`, `notFound`. */
  again(runId: number, start: { by: string }): Promise<number>
  /** See `OpenRuns.carry`. */
  carry(runId: number, serverId: number, ownerId: number): ((outcome: Outcome | null) => void) | null
  /** Newest first; the options are states. */
  list(scope: RunScope, wanted: RowsWanted): Promise<readonly RunRow[]>
  counts(scope: RunScope): Promise<Readonly<Record<string, number>>>
  get(id: number): Promise<RunRow | null>
}
