/** Undoes what it was handed out for: a timer, a subscription, a watch. Calling it again does nothing. */
export type Cancel = () => void

/** Time, as the outside world gives it. */
export interface Clock {
  /** Epoch ms. */
  now(): number
  /** Calls `run` once after `ms`. */
  setTimer(run: () => void, ms: number): Cancel
}
