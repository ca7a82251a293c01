import type { TargetSelection } from '@qd/core/define'
import type { Rollout, RunCounts, RunItem, RunKind as runKinds } from '@qd/core/resources'
import type { Handle } from '../../store/records/commit.ts'
import type { StoredRow } from '../../store/records/rows.ts'
import type { RolloutPlan } from './rollout.ts'

type RunKind = (typeof runKinds)[keyof typeof runKinds]

/** `items` only if a single run was requested. */
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

export interface ClosedPart {
  readonly runId: number
  /** 0 for a run without a task. */
  readonly cronId: number
  readonly kind: RunKind
  readonly serverId: number
  readonly state: RunItem['state']
  readonly reason: RunItem['reason']
  readonly exitCode: number | null
  readonly output: string
}

/** `targets` are resolved for the owner at the start. */
export interface RunOrder {
  ownerId: number
  kind: RunKind
  name: string
  /** Command line, configuration as JSON, or path of a file; empty for an update. */
  command: string
  /** A program and its arguments for each server, in place of `command`: started without a shell by our agents. */
  programs?: ReadonlyMap<number, readonly string[]>
  targets: TargetSelection
  by: string
  cronId?: number
  raisedBy?: number
  deadlineMs?: number
  rollout?: RolloutPlan | null
}

export interface Dispatch {
  runId: number
  sent: readonly number[]
  offline: readonly number[]
}

export interface RunScope {
  owner: number | null
}

/** Runs in the transaction that stores a run. */
export type AlsoStored = (db: Handle, runId: number) => Promise<void> | undefined
