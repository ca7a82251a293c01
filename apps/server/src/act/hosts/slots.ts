/** Places for work that may run side by side; what finds none waits, first come first served. */
export function createSlots(most: number): { take(): Promise<void>; give(): void } {
  const waiting: (() => void)[] = []
  let free = most
  return {
    take() {
      if (free === 0) return new Promise((resolve) => waiting.push(resolve))
      free -= 1
      return Promise.resolve()
    },
    give() {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    },
  }
}
