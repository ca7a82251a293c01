import { concat } from '@qd/protocol/bytes'
import { firstItem } from '../errors/index.ts'

/** Hands output to a screen no faster than the screen draws it, and never holds more than a limit. */
export interface OutputQueue {
  push(bytes: Uint8Array): void
  /** Leaves out most of what waits, as a terminal does with its output when it is interrupted. */
  skip(): void
}

/** What a queue is built from. */
export interface OutputQueueOptions {
  /** Draws bytes and calls `done` when it is ready for more. */
  write(bytes: Uint8Array, done: () => void): void
  /** So many bytes of a flood were left out; what comes next begins on a line of its own. */
  onSkipped(bytes: number): void
  /** Bytes that may wait; what is older goes first. Default 1 MiB, more than the screen scrolls back. */
  limit?: number
}

/** Bytes that are given to the screen at once. */
const portion = 64 * 1024
const lineFeed = 10

/** Builds a queue. While a flood goes on, the oldest waiting output is left out in whole lines, so that Ctrl+C is seen at once (behaviour W-04). */
export function createOutputQueue({ write, onSkipped, limit = 1024 * 1024 }: OutputQueueOptions): OutputQueue {
  const waiting: Uint8Array[] = []
  let size = 0
  let skipped = 0
  let isBusy = false

  /** Takes pieces from the front as long as `more` says so of the bytes taken so far and the next piece. */
  const shift = (more: (taken: number, next: number) => boolean): Uint8Array[] => {
    let count = 0
    let taken = 0
    for (const { length } of waiting) {
      if (!more(taken, length)) break
      taken += length
      count += 1
    }
    size -= taken
    return waiting.splice(0, count)
  }
  const trim = (most: number) => {
    const before = size
    if (before <= most) return
    shift((taken, next) => before - taken > most && taken + next < before)
    const oldest = firstItem(waiting)
    const end = oldest.indexOf(lineFeed) + 1
    waiting[0] = oldest.subarray(end)
    size -= end
    skipped += before - size
  }
  const next = () => {
    isBusy = false
    if (waiting.length === 0) return
    isBusy = true
    if (skipped > 0) {
      onSkipped(skipped)
      skipped = 0
    }
    write(concat(shift((taken, next) => taken === 0 || taken + next <= portion)), next)
  }
  return {
    push(bytes) {
      waiting.push(bytes)
      size += bytes.length
      trim(limit)
      if (!isBusy) next()
    },
    skip: () => trim(portion),
  }
}
