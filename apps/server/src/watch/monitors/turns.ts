import type { ServiceRow, StoreChange } from '../../store/records/rows.ts'

/** When one monitor is due next. Times are epoch ms. */
export interface Turn {
  readonly id: number
  readonly everyMs: number
  readonly nextAt: number
}

/** Distance between the first turns of two monitors with neighbouring ids, as a share of the interval. A few hundred monitors never fall together. */
const golden = 0.618_033_988_75

/** The first turn after a start: monitors are spread over their intervals, so that they do not all fire at once. */
export function firstTurn(id: number, everyMs: number, now: number): Turn {
  return { id, everyMs, nextAt: now + Math.floor(((id * golden) % 1) * everyMs) }
}

/**
 * What is due, and the turns that follow. A time that was slept through is not caught up; a clock that was set back does not
 * make a monitor wait longer than its interval. Pure.
 */
export function takeDue(turns: readonly Turn[], now: number): { due: number[]; turns: Turn[] } {
  const due: number[] = []
  const next = turns.map((turn) => {
    const { id, everyMs, nextAt } = turn
    if (nextAt > now + everyMs) return firstTurn(id, everyMs, now)
    if (nextAt > now) return turn
    due.push(id)
    const missed = Math.floor((now - nextAt) / everyMs)
    return { ...turn, nextAt: nextAt + (missed + 1) * everyMs }
  })
  return { due, turns: next }
}

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
  { id, before, after, isCleaning }: StoreChange<ProbedService>,
  now: number,
): readonly Turn[] {
  const others = turns.filter((turn) => turn.id !== id)
  if (!after) return others
  const isRespread = before?.cover !== after.cover || before.skip_servers.join() !== after.skip_servers.join()
  const isMoved = isOtherProbe(before, after) || (isRespread && !isCleaning)
  const everyMs = everyMsOf(after)
  const known = turns.find((turn) => turn.id === id)
  const isSame = known?.everyMs === everyMs && !isMoved
  return [...others, isSame ? known : { id, everyMs, nextAt: now }]
}
