import { FailureReason, ItemState } from '@qd/core/resources'
import type { TaskResult } from '@qd/protocol/agent'
import { progressType, taskType } from '@qd/protocol/task-types'
import { cleanOutput } from '../../fleet/agents/clean-text.ts'
import { type Outcome, readOutcome, readProgramOutcome, toOutcome } from './outcome.ts'
import type { RunRow } from './run-types.ts'

export interface SentPart {
  readonly versionBefore: string
  /** When the agent said that it will do it, epoch ms; null: not yet. */
  readonly acceptedAt: number | null
  /** It was sent by an earlier process of the server, which the agent's connection did not outlive. */
  readonly isRestored: boolean
}

export interface Evidence {
  /** What is sent; null: the bytes of a file, which come from whoever started the run. */
  readonly task: bigint | null
  readonly deadlineMs: number
  /** `taken`: the agent will do it; null: a result that says nothing of this part. */
  onResult(result: TaskResult, announced: boolean): Outcome | 'taken' | null
  /** The agent is back over a new connection. Null: that proves nothing, the part goes on. */
  onReturn(part: SentPart, back: { version: string; now: number }): Outcome | null
  outlivesConnection(part: SentPart): boolean
}

/** Nezha agents end a command after two hours (agent contract 3.5). */
const commandDeadlineMs = 2 * 3_600_000 + 60_000
/** A command with a time limit is ended at the limit, where its agent can; this long its answer is waited for. */
export const answerWithinMs = 5_000
/** Nezha agents apply a configuration this long after they took it, less what a clock may be wrong (agent contract 3.8). */
const appliedAfterMs = 9_000

const command: Evidence = {
  task: taskType.command,
  deadlineMs: commandDeadlineMs,
  onResult(result, announced) {
    if (result.type === taskType.exec) return readProgramOutcome(result)
    return result.type === taskType.command ? readOutcome(result, announced) : null
  },
  onReturn: () => null,
  outlivesConnection: () => false,
}

const outcomeOf = ({ successful, data }: TaskResult) =>
  toOutcome(successful ? ItemState.success : ItemState.failure, cleanOutput(data))

const update: Evidence = {
  task: taskType.upgrade,
  deadlineMs: 300_000,
  onResult(result) {
    if (result.type === progressType.updating) return 'taken'
    return result.type === taskType.upgrade ? outcomeOf(result) : null
  },
  onReturn({ versionBefore, acceptedAt, isRestored }, { version }) {
    const isNew = version !== versionBefore
    // An agent that has replaced its own program reports the outcome itself.
    if (!isNew && (isRestored || acceptedAt !== null)) return null
    const outcome = toOutcome(isNew ? ItemState.success : ItemState.failure, `${versionBefore} -> ${version}`)
    return isNew ? outcome : { ...outcome, reason: FailureReason.sameVersion }
  },
  outlivesConnection: () => true,
}

const config: Evidence = {
  task: taskType.applyConfig,
  deadlineMs: 120_000,
  onResult(result) {
    if (result.type === progressType.applied) return toOutcome(ItemState.success, '')
    if (result.type !== taskType.applyConfig) return null
    return result.successful ? 'taken' : outcomeOf(result)
  },
  onReturn: ({ acceptedAt }, { now }) =>
    acceptedAt !== null && now - acceptedAt >= appliedAfterMs ? toOutcome(ItemState.success, '') : null,
  outlivesConnection: ({ acceptedAt }) => acceptedAt !== null,
}

/** Whoever started it sends each file over a stream of its own, and the stream tells what came of it (`OpenRuns.carry`). */
const file: Evidence = {
  task: null,
  deadlineMs: commandDeadlineMs,
  onResult: () => null,
  onReturn: () => null,
  outlivesConnection: () => false,
}

/** What each kind of run needs to be called done. Source: decisions.md "Run states", "Force update"; agent contract 3.6, 3.8; docs/reference/agent-extensions.md. */
export const evidenceOf: Readonly<Record<RunRow['kind'], Evidence>> = {
  cron: command,
  exec: command,
  update,
  config,
  file,
}
