import type { ServiceRow, StoreChange } from '../../store/records/rows.ts'
import type { Turn } from './wheel.ts'

/** What of a service decides when it is looked at. */
export type ProbedService = Pick<ServiceRow, 'id' | 'type' | 'target' | 'cover' | 'skip_servers' | 'duration'>

/** How often a service is looked at, in ms. */
export const everyMsOf = ({ duration }: Pick<ServiceRow, 'duration'>): number => Math.max(1, duration) * 1000

/** True if a service is probed otherwise than before: what was answered then says nothing of it. Pure. */
export const isOtherProbe = (before: ProbedService | null, after: ProbedService): boolean =>
  before === null || before.type !== after.type || before.target !== after.target

/** The turns after a service was made, edited or deleted. One that is looked at otherwise than before is due at once. Pure. */
export function turnsAfter(
  turns: readonly Turn[],
  { before, after, isCleaning }: StoreChange<ProbedService>,
  now: number,
): readonly Turn[] {
  const { id } = (after ?? before)!
  const others = turns.filter((turn) => turn.id !== id)
  if (!after) return others
  const isRespread = before?.cover !== after.cover || before.skip_servers.join() !== after.skip_servers.join()
  const isMoved = isOtherProbe(before, after) || (isRespread && !isCleaning)
  const everyMs = everyMsOf(after)
  const known = turns.find((turn) => turn.id === id)
  const isSame = known?.everyMs === everyMs && !isMoved
  return [...others, isSame ? known : { id, everyMs, nextAt: now }]
}
