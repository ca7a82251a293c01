import { sampleMetrics } from '@qd/core/schemas'
import type { LiveState } from '../../fleet/live/live-state.ts'

/** A server's time of the last sample and its metrics as integers. */
export function sampleVector(live: LiveState, id: number): number[] {
  const state = live.sampleOf(id)
  const metrics = sampleMetrics.map(([name, stepsPerUnit]) => Math.round((state[name] ?? 0) * stepsPerUnit))
  return [live.lastActive(id) ?? 0, ...metrics]
}

/** What to add to `before` to get `after`, without trailing zeros; empty if they are equal. */
export function differences(before: readonly number[], after: readonly number[]): number[] {
  const differing = after.map((value, index) => value - (before[index] ?? 0))
  return differing.slice(0, differing.findLastIndex((value) => value !== 0) + 1)
}
