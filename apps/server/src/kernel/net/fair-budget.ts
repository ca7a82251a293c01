/** An amount that many callers share, each up to a bound of its own. */
export interface FairBudget {
  /**
   * Asks for `amount` in the name of `who`. `granted` is called with the way to give it back: at once where there is room,
   * else when it is `who`'s turn; whoever has waited with the fewest others goes first. Returns how to stop waiting, or null
   * where too many wait already.
   */
  take(who: string, amount: number, granted: (giveBack: () => void) => void): (() => void) | null
}

/** The bounds of a budget. */
export interface BudgetBounds {
  /** What one may hold at the same time. */
  each(who: string): number
  /** What all may hold together. */
  all: number
  /** How many requests of one, and of all, may wait. */
  waiting: { each: number; all: number }
  /** How many requests are granted in one turn of the event loop, so that a crowd that comes at once does not stop it. */
  perTurn: number
  /** Calls `run` in the next turn of the event loop. */
  soon(run: () => void): void
}

interface Request {
  amount: number
  granted(giveBack: () => void): void
}

/** Builds a budget of which nothing is taken yet. */
export function createFairBudget(bounds: BudgetBounds): FairBudget {
  const used = new Map<string, number>()
  /** The waiting callers, in the order of their turns. */
  const lines = new Map<string, Set<Request>>()
  let usedByAll = 0
  let waiting = 0
  let grantedThisTurn = 0
  let isTurnPlanned = false

  const fits = (who: string, amount: number) =>
    usedByAll + amount <= bounds.all && (used.get(who) ?? 0) + amount <= bounds.each(who)

  function grant(who: string, { amount, granted }: Request): void {
    grantedThisTurn += 1
    planTurn()
    usedByAll += amount
    used.set(who, (used.get(who) ?? 0) + amount)
    let isHeld = true
    granted(() => {
      if (!isHeld) return
      isHeld = false
      usedByAll -= amount
      const left = (used.get(who) ?? 0) - amount
      if (left > 0) used.set(who, left)
      else used.delete(who)
      if (waiting > 0) planTurn()
    })
  }

  function planTurn(): void {
    if (isTurnPlanned) return
    isTurnPlanned = true
    bounds.soon(() => {
      isTurnPlanned = false
      grantedThisTurn = 0
      serve()
    })
  }

  function serve(): void {
    for (const who of [...lines.keys()]) {
      if (grantedThisTurn >= bounds.perTurn) {
        planTurn()
        return
      }
      const line = lines.get(who)
      const [first] = line ?? []
      if (!line || !first || !fits(who, first.amount)) continue
      leave(who, first)
      // To the end of the round.
      if (line.size > 0) {
        lines.delete(who)
        lines.set(who, line)
        planTurn()
      }
      grant(who, first)
    }
  }

  function leave(who: string, request: Request): void {
    const line = lines.get(who)
    if (!line?.delete(request)) return
    waiting -= 1
    if (line.size === 0) lines.delete(who)
  }

  return {
    take(who, amount, granted) {
      const request = { amount, granted }
      const line = lines.get(who)
      if (!line && grantedThisTurn < bounds.perTurn && fits(who, amount)) {
        grant(who, request)
        return () => {}
      }
      if ((line?.size ?? 0) >= bounds.waiting.each || waiting >= bounds.waiting.all) return null
      lines.set(who, (line ?? new Set()).add(request))
      waiting += 1
      if (grantedThisTurn >= bounds.perTurn || fits(who, amount)) planTurn()
      return () => leave(who, request)
    },
  }
}
