export interface LaneLimits {
  waiting: number
  size: number
  atOnce: number
}

/** Queues for slow receivers: one item at a time and in order per lane, and no lane holds up another. `work` must not throw. */
export function createLanes({ waiting, size: most, atOnce }: LaneLimits) {
  const lanes = new Map<number, { size: number; work: () => Promise<void> }[]>()
  const ready: number[] = []
  let going = 0
  let held = 0
  let wake: (() => void)[] = []

  async function serve(lane: number) {
    const queue = lanes.get(lane)!
    const [{ size, work }] = queue as [(typeof queue)[number]]
    going += 1
    await work()
    going -= 1
    held -= size
    queue.shift()
    if (queue.length > 0) ready.push(lane)
    else lanes.delete(lane)
    next()
    if (lanes.size > 0) return
    for (const resolve of wake) resolve()
    wake = []
  }

  function next() {
    while (going < atOnce && ready.length > 0) void serve(ready.shift()!)
  }

  return {
    /** Returns false and drops the work if too much is waiting. `size`: bytes held in memory. */
    add(lane: number, size: number, work: () => Promise<void>): boolean {
      const queue = lanes.get(lane) ?? []
      if (queue.length > waiting || held + size > most) return false
      held += size
      queue.push({ size, work })
      if (queue.length === 1) {
        lanes.set(lane, queue)
        ready.push(lane)
        next()
      }
      return true
    },
    idle: (): Promise<void> => (lanes.size === 0 ? Promise.resolve() : new Promise((resolve) => wake.push(resolve))),
  }
}
