import { concat } from '@qd/protocol/bytes'
import { firstItem } from '../errors.ts'

/** Passes output to a screen at its own speed, with bounded memory. */
export interface OutputQueue {
  push(bytes: Uint8Array): void
  /** Drops most of the waiting output, like a terminal on an interrupt. */
  skip(): void
}

export interface OutputQueueOptions {
  /** Draws bytes and calls `done` when ready for more. */
  write(bytes: Uint8Array, done: () => void): void
  /** This many bytes were dropped; the rest begins on a new line. */
  onSkipped(bytes: number): void
  /** Maximum waiting bytes (default 1 MiB, more than the screen scrolls back); older ones are dropped. */
  limit?: number
}

/** Bytes drawn at once. */
const portion = 64 * 1024
const lineFeed = 10

/** During a flood, drops the oldest output in whole lines, so that Ctrl+C works at once (behavior W-04). */
export function createOutputQueue({ write, onSkipped, limit = 1024 * 1024 }: OutputQueueOptions): OutputQueue {
  const waiting: Uint8Array[] = []
  let size = 0
  let skipped = 0
  let isBusy = false

  /** Removes pieces from the front while `more` returns true for the bytes taken so far and the next piece. */
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
