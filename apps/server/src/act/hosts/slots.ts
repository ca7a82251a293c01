import type { Clock } from '../../kernel/ports.ts'

/** Places for work that may run side by side; what finds none waits, first come first served. A place is free again when it is given back, or after `maxMs`. */
export function createSlots(most: number, clock: Clock, maxMs: number): { take(): Promise<() => void> } {
  const waiting: ((give: () => void) => void)[] = []
  let free = most
  function taken() {
    let isHeld = true
    const give = () => {
      if (!isHeld) return
      isHeld = false
      cancel()
      const next = waiting.shift()
      if (next) next(taken())
      else free += 1
    }
    const cancel = clock.after(maxMs, give)
    return give
  }
  return {
    take() {
      if (free === 0) return new Promise((resolve) => waiting.push(resolve))
      free -= 1
      return Promise.resolve(taken())
    },
  }
}
