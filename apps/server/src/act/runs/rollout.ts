import type { Rollout } from '@qd/core/resources'

export type RolloutStep = 'pause' | 'resume' | 'stop'

export type RolloutState = NonNullable<Rollout>['state']

/**
 * How careful a rollout is. `canary`: so many servers are tried first, one after the other; each must succeed before the
 * next is sent to. `batch`: so many at once after them; 0: all that are left. `soak`: seconds between the end of the canaries, or of a
 * batch, and the next batch. It stops with more than `max_failures`.
 */
export type RolloutPlan = Readonly<Omit<NonNullable<Rollout>, 'state'>>

export interface RolloutTally {
  readonly waiting: number
  readonly open: number
  readonly success: number
  readonly failed: number
  /** How long every part that was sent has been over, in ms; null while some are out, and before the first. */
  readonly idleMs: number | null
}

/** What a rollout does now: how many of the waiting servers it sends to, how it stands then, and after how many ms it must check again although nothing happens (`soakMs`). Pure. Source: behaviours C-15, D5. */
export function decideRollout(
  { canary, batch, max_failures, soak }: RolloutPlan,
  state: RolloutState,
  { waiting, open, success, failed, idleMs }: RolloutTally,
): { send: number; state: RolloutState; soakMs?: number } {
  const isCanary = success < canary
  if (state !== 'going' || waiting === 0) return { send: 0, state }
  if (failed > max_failures || (isCanary && failed > 0)) return { send: 0, state: 'stopped' }
  if (open > 0) return { send: 0, state }
  const soakMs = isCanary || idleMs === null ? 0 : soak * 1000 - idleMs
  if (soakMs > 0) return { send: 0, state, soakMs }
  return { send: isCanary ? 1 : Math.min(waiting, batch || waiting), state }
}
