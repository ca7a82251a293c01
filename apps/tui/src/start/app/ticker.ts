import type { Io } from '../../base/io.ts'

/** At most 25 frames per second, for slow lines. */
const frameMs = 40
const secondMs = 1000
const spinMs = 250

export interface Ticker {
  subscribe(listener: () => void): () => void
  count(): number
}

/** `spinning`: four ticks per second; `keysWait`: no frames until `flush`. */
export function createTicker(
  { now, setTimer }: Pick<Io, 'now' | 'setTimer'>,
  { spinning, keysWait }: { spinning(): boolean; keysWait(): boolean },
) {
  const listeners = new Set<() => void>()
  let count = 0
  let drawnAt = 0
  let isWaiting = false
  let isRunning = false
  let cancelFrame = () => {}
  let cancelClock = () => {}

  const draw = () => {
    isWaiting = false
    cancelFrame()
    drawnAt = now()
    count += 1
    for (const listener of listeners) listener()
  }
  const drawSoon = () => {
    if (!keysWait()) draw()
  }
  const changed = () => {
    if (isWaiting || !isRunning) return
    isWaiting = true
    cancelFrame = setTimer(drawSoon, Math.max(0, drawnAt + frameMs - now()))
  }
  const clock = () => {
    changed()
    cancelClock = setTimer(clock, spinning() ? spinMs : secondMs - (now() % secondMs))
  }
  return {
    count: () => count,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    changed,
    flush: () => void (isWaiting && draw()),
    draw,
    start() {
      isRunning = true
      clock()
    },
    stop() {
      isRunning = false
      cancelFrame()
      cancelClock()
    },
  }
}
