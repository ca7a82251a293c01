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
