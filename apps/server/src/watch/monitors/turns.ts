import type { ServiceRow, StoreChange } from '../../store/records/rows.ts'

export interface Turn {
  readonly id: number
  readonly everyMs: number
  readonly nextAt: number
}

/** Offset between neighboring IDs as a share of the interval: a few hundred monitors never coincide. */
const golden = 0.618_033_988_75

export function firstTurn(id: number, everyMs: number, now: number): Turn {
  return { id, everyMs, nextAt: now + Math.floor(((id * golden) % 1) * everyMs) }
}

/** Missed turns aren't made up for. A clock that was set back doesn't make a monitor wait longer than its interval. */
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

export type ProbedService = Pick<ServiceRow, 'id' | 'type' | 'target' | 'cover' | 'skip_servers' | 'duration'>

export const everyMsOf = ({ duration }: Pick<ServiceRow, 'duration'>): number => Math.max(1, duration) * 1000

export const isOtherProbe = (before: ProbedService | null, after: ProbedService): boolean =>
  before === null || before.type !== after.type || before.target !== after.target

/** Turns after a change of a service. A changed probe is due at once. */
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
