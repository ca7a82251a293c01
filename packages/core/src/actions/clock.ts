/** Undoes a timer, subscription or watch. May be called repeatedly. */
export type Cancel = () => void

export interface Clock {
  /** Epoch ms. */
  now(): number
  setTimer(run: () => void, ms: number): Cancel
}
