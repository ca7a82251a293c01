import { observable } from '@legendapp/state'
import type { Cancel } from '@qd/core/api'
import type { Io } from '../../base/io.ts'

/** At most 25 frames per second, for slow lines. */
const frameMs = 40
const secondMs = 1000
const spinMs = 250

/** When the screen is drawn: soon after something that it shows has changed. */
export type Frames = Pick<ReturnType<typeof createFrames>, 'beat$' | 'request' | 'onFrame'>

/** `spinning`: four beats per second; `keysWait`: no frames until `flush`. */
export function createFrames(
  { now, setTimer }: Pick<Io, 'now' | 'setTimer'>,
  { spinning, keysWait }: { spinning(): boolean; keysWait(): boolean },
) {
  const listeners = new Set<() => void>()
  const beat$ = observable(0)
  let drawnAt = 0
  let isWaiting = false
  let isRunning = true
  let cancelFrame = () => {}
  let cancelClock = () => {}

  const draw = () => {
    isWaiting = false
    cancelFrame()
    drawnAt = now()
    for (const listener of [...listeners]) listener()
  }
  const drawSoon = () => {
    if (!keysWait()) draw()
  }
  const beat = () => beat$.set(beat$.peek() + 1)
  const clock = () => {
    beat()
    cancelClock = setTimer(clock, spinning() ? spinMs : secondMs - (now() % secondMs))
  }
  return {
    /** Increases every second, and with every change of what is known of the server. */
    beat$,
    beat,
    onFrame(run: () => void): Cancel {
      listeners.add(run)
      return () => void listeners.delete(run)
    },
    request() {
      if (isWaiting || !isRunning) return
      isWaiting = true
      cancelFrame = setTimer(drawSoon, Math.max(0, drawnAt + frameMs - now()))
    },
    flush: () => void (isWaiting && draw()),
    start: clock,
    stop() {
      isRunning = false
      cancelFrame()
      cancelClock()
    },
  }
}
