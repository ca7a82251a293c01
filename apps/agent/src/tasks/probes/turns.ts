/** Lets at most `most` works run at a time and `mostWaiting` wait for their turn; undefined in place of one too many. */
export const createTurns = (most: number, mostWaiting: number) => {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    if (running >= most) {
      if (waiting.length >= mostWaiting) return undefined
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
