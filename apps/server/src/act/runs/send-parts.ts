import { NoAnswerReason } from '@qd/core/resources'
import { extensionTask } from '@qd/protocol/task-types'
import type { AgentHub } from '../../fleet/agents/hub.ts'
import type { LiveState } from '../../fleet/live/live-state.ts'
import type { Clock } from '../../kernel/ports.ts'
import { answerWithinMs, evidenceOf } from './evidence.ts'
import type { OpenPart, OpenRuns } from './open-run-types.ts'
import type { WaitingPart } from './rollouts.ts'
import type { RunOrder } from './run-types.ts'

/** What the parts of a run are sent. */
export type Sending = Pick<RunOrder, 'kind' | 'command' | 'deadlineMs'>

/** What a run does to the agents. */
export interface SendParts {
  /** Writes to the agents' streams. Returns the servers that have no stream any more. */
  dispatch(parts: readonly WaitingPart[], order: Sending): number[]
  /** Ends the commands of a run that have begun, where the agent can. Returns how many were told so. */
  endCommands(runId: number): number
  /** Commands with a time limit are ended at the limit, where the agent can. */
  endAtLimit(runId: number, order: Sending): void
  /** The same parts with the version of their agents now. */
  withVersion(part: WaitingPart): OpenPart
  versionOf(serverId: number): string
  deadlineOf(order: Sending): number
}

/** `deadlineMs`: in place of what each kind has; null: that of the kind. */
export function createSendParts(parts: {
  hub: AgentHub
  live: Pick<LiveState, 'hostOf'>
  open: OpenRuns
  clock: Clock
  deadlineMs: number | null
}): SendParts {
  const { hub, live, open, clock, deadlineMs } = parts
  const versionOf = (serverId: number) => live.hostOf(serverId).version ?? ''

  function endCommands(runId: number) {
    const type = Number(extensionTask.endCommand)
    return open.atWork(runId).filter(({ id, serverId }) => hub.send(serverId, { id, type, data: '' })).length
  }

  return {
    endCommands,
    versionOf,
    withVersion: (part) => ({ ...part, versionBefore: versionOf(part.serverId) }),
    deadlineOf: (order) => order.deadlineMs ?? deadlineMs ?? evidenceOf[order.kind].deadlineMs,
    dispatch(waiting, { kind, command }) {
      const { task } = evidenceOf[kind]
      return waiting.flatMap(({ id, serverId }) => {
        const isSent =
          task === null ? hub.connected(serverId) : hub.send(serverId, { id, type: Number(task), data: command })
        if (isSent) return []
        open.close(id, NoAnswerReason.offline)
        return serverId
      })
    },
    endAtLimit(runId, { kind, deadlineMs: limit }) {
      if (kind !== 'exec' || !limit) return
      clock.after(limit - answerWithinMs, () => {
        open.atLimit(runId)
        endCommands(runId)
      })
    },
  }
}
