import { defined } from '@qd/core/errors'
import { NoAnswerReason } from '@qd/core/resources'
import type { Clock } from '../../kernel/ports.ts'
import type { OpenRuns, Reason } from './open-runs.ts'
import { decideRollout, type RolloutPlan, type RolloutState, type RolloutStep } from './rollout.ts'

export interface WaitingPart {
  id: number
  serverId: number
}

interface Rollout {
  readonly runId: number
  readonly plan: RolloutPlan
  state: RolloutState
  readonly waiting: WaitingPart[]
  unsent: number
  isStepping: boolean
  /** When the last part that is out was over, epoch ms; null while some are out, and before the first. After a restart the soak time begins anew. */
  idleSince: number | null
  stopSoaking(): void
}

export interface RolloutPorts {
  open: OpenRuns
  clock: Clock
  isConnected(serverId: number): boolean
  /** False: the next batch waits. */
  mayAct(): boolean
  send(runId: number, parts: readonly WaitingPart[]): void
}

const stateAfter: Readonly<Record<RolloutStep, RolloutState>> = { pause: 'paused', resume: 'going', stop: 'stopped' }

const retryMs = 1000

export function createRollouts({ open, clock, isConnected, mayAct, send }: RolloutPorts) {
  const rollouts = new Map<number, Rollout>()
  open.onProgress(({ id }) => {
    const rollout = rollouts.get(id)
    if (rollout) step(rollout)
  })

  function setState(rollout: Rollout, state: RolloutState) {
    if (state === rollout.state) return
    rollout.state = state
    open.setRollout(rollout.runId, { ...rollout.plan, state })
    if (state !== 'stopped') return
    for (const part of rollout.waiting.splice(0)) skip(rollout, part, NoAnswerReason.stopped)
  }

  function skip(rollout: Rollout, part: WaitingPart, reason: Reason) {
    rollout.unsent += 1
    open.skip(rollout.runId, part.id, reason)
  }

  function take(rollout: Rollout, count: number): number[] {
    const parts: WaitingPart[] = []
    while (parts.length < count && rollout.waiting.length > 0) {
      const part = defined(rollout.waiting.shift())
      if (isConnected(part.serverId)) parts.push(part)
      else skip(rollout, part, NoAnswerReason.offline)
    }
    if (parts.length > 0) send(rollout.runId, parts)
    return parts.map(({ serverId }) => serverId)
  }

  function step(rollout: Rollout): number[] {
    const sent: number[] = []
    if (rollout.isStepping) return sent
    rollout.isStepping = true
    for (;;) {
      const counts = open.countsOf(rollout.runId)
      if (!counts) break
      const isOut = counts.sent + counts.running > 0
      const failed = counts.failure + counts.no_answer - rollout.unsent
      if (isOut || counts.success + failed === 0) rollout.idleSince = null
      else rollout.idleSince ??= clock.now()
      const next = decideRollout(rollout.plan, rollout.state, {
        waiting: rollout.waiting.length,
        open: counts.sent + counts.running,
        success: counts.success,
        failed,
        idleMs: rollout.idleSince === null ? null : clock.now() - rollout.idleSince,
      })
      rollout.stopSoaking()
      if (next.soakMs !== undefined) rollout.stopSoaking = clock.after(next.soakMs, () => step(rollout))
      setState(rollout, next.state)
      if (next.send === 0) break
      if (!mayAct()) {
        rollout.stopSoaking = clock.after(retryMs, () => step(rollout))
        break
      }
      sent.push(...take(rollout, next.send))
    }
    rollout.isStepping = false
    if (!open.countsOf(rollout.runId)) {
      rollout.stopSoaking()
      rollouts.delete(rollout.runId)
    }
    return sent
  }

  return {
    /** Takes a run that `open` already watches, with the parts that wait, and begins unless it is paused. Returns the servers it sent to. */
    add(
      runId: number,
      { state, ...plan }: RolloutPlan & { state: RolloutState },
      parts: readonly WaitingPart[],
    ): number[] {
      const counts = open.countsOf(runId)
      if (!counts) return []
      const rollout: Rollout = {
        runId,
        plan,
        state,
        waiting: [...parts],
        unsent: counts.no_answer,
        isStepping: false,
        idleSince: null,
        stopSoaking() {},
      }
      rollouts.set(runId, rollout)
      return step(rollout)
    },
    steer(runId: number, wanted: RolloutStep): void {
      const rollout = rollouts.get(runId)
      if (!rollout || rollout.state === 'stopped') return
      setState(rollout, stateAfter[wanted])
      step(rollout)
    },
  }
}
