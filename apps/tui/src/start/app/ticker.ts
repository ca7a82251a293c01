import type { Io } from '../../base/io.ts'

/** Most frames per second, so that a busy fleet does not fill a slow line. */
const frameMs = 40
const secondMs = 1000
const spinMs = 250

/** Tells the screen when to draw. */
export interface Ticker {
  subscribe(listener: () => void): () => void
  /** Rises with every frame that is to be drawn. */
  count(): number
}

/** Tells when to draw: soon after a change, but never faster than a terminal needs; each second for the clock. */
interface PacedTicker extends Ticker {
  changed(): void
  /** What changed is drawn now: a person pressed a key. */
  flush(): void
  /** All is drawn now. */
  draw(): void
  start(): void
  stop(): void
}

/** Makes a ticker; while `spinning` it ticks four times a second, and while `keysWait` no frame is drawn in between: `flush` comes after them. */
export function createTicker(
  { now, setTimer }: Pick<Io, 'now' | 'setTimer'>,
  { spinning, keysWait }: { spinning(): boolean; keysWait(): boolean },
): PacedTicker {
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
    subscribe(listener) {
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
